"""Order candidates by a model of the decisions made; it never excludes anything.

Words and pairs of words of title and abstract are weighted by TF-IDF, and a linear support vector
machine ranks by them. The settings are those of ELAS u4, the default model of ASReview LAB 2, which
its authors chose on the public SYNERGY data. Both are of scikit-learn, an extra:
``pip install 'mas-rl-corpus[rank]'``. Equal input gives an equal order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from corpus.curation.screening.decisions import EXCLUDE, INCLUDE, CandidateScreening
from corpus.model.extras import optional_package
from corpus.model.finding import UsageProblem

#: With fewer decisions of either kind there is nothing to learn from.
LEAST = 5
#: Below this area under the ROC curve, past decisions are ranked little better than at random.
LEAST_AUC = 0.7
#: Share of texts without an abstract from which on titles are nearly all that is known.
MOST_WITHOUT_ABSTRACT = 0.5
#: The share of inclusions that is to be found, as in screening simulations.
RECALL = 0.95
#: Settings of ELAS u4: all inclusions together weigh so many times what all exclusions do.
_RATIO, _PENALTY, _MOST_FREQUENT = 9.8, 0.11, 0.95
_FOLDS = 5
_TERMS = 8


@dataclass(frozen=True)
class Ranking:
    """Candidates in order, how well past decisions would have been ranked, and why not to trust it.

    Attributes
    ----------
    order : dict of str to list of str
        Keys of candidates, with the words that speak most for each.
    decisions, included : int
        Past decisions, and inclusions among them.
    auc, effort : float
        Area under the ROC curve (0.5 is random, 1 is perfect), and the share of records that were
        read (0 to 1) until 95 % of the inclusions were found.
    warnings : tuple of str
        Empty where nothing speaks against the ranking.
    """

    order: dict[str, list[str]]
    decisions: int
    included: int
    auc: float
    effort: float
    warnings: tuple[str, ...]


def rank(screening: CandidateScreening, reader: str) -> Ranking:
    """Rank what a reader has not decided yet by what they decided.

    Raises
    ------
    UsageProblem
        Without scikit-learn, or with too few decisions of either kind.
    """
    works = screening.candidates
    past = {}
    for (key, name), decision in screening.decisions.items():
        # A maybe teaches nothing.
        if name == reader and key in works and decision.decision in (INCLUDE, EXCLUDE):
            past[key] = decision.decision == INCLUDE
    labels = list(past.values())
    included = sum(labels)
    if min(included, len(past) - included) < LEAST:
        raise UsageProblem(
            f"a ranking needs {LEAST} inclusions and {LEAST} exclusions; there are {included} "
            f"and {len(past) - included}"
        )
    waiting = screening.waiting(reader)
    texts = [f"{works[key].title}\n{works[key].abstract}" for key in (*past, *waiting)]
    words, matrix = weighted_words(texts)
    # It comes with scikit-learn, which was found.
    from sklearn.metrics import roc_auc_score

    scores = past_scores(matrix[: len(past)], labels)
    auc = float(roc_auc_score(labels, scores))
    order: dict[str, list[str]] = {}
    if waiting:
        model = ranking_model(labels)
        model.fit(matrix[: len(past)], labels)
        order = _ordered(model, words, matrix[len(past) :], waiting)
    warnings = []
    if auc < LEAST_AUC:
        warnings.append(
            f"past decisions are ranked hardly better than at random (AUC {auc:.2f}): the data is "
            "too thin for this order to mean much"
        )
    without_abstract = sum(not work.abstract for work in works.values()) / len(works)
    if without_abstract > MOST_WITHOUT_ABSTRACT:
        warnings.append(
            f"{without_abstract:.0%} of the records have no abstract; titles alone rank poorly"
        )
    effort = read_until(scores, labels, RECALL)
    return Ranking(order, len(past), included, auc, effort, tuple(warnings))


def weighted_words(texts: Sequence[str]) -> tuple[list[str], Any]:
    """Return words and pairs of words, and a sparse matrix of their weights (text by word).

    Which words there are, and how frequent, is learned from all texts: it tells nothing about
    decisions.
    """
    with optional_package("rank"):
        from sklearn.feature_extraction.text import TfidfVectorizer
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, max_df=_MOST_FREQUENT)
    matrix = vectorizer.fit_transform(texts)
    return list(map(str, vectorizer.get_feature_names_out())), matrix


def ranking_model(labels: Sequence[bool]) -> Any:
    """Return the model, not fitted yet, for decisions with these labels."""
    # Slow to import, and only needed where something is ranked.
    from sklearn.svm import LinearSVC

    included = sum(labels)
    # One decision weighs 1 on average.
    share = len(labels) / (_RATIO + 1)
    weights = {True: share * _RATIO / included, False: share / (len(labels) - included)}
    return LinearSVC(C=_PENALTY, class_weight=weights, random_state=0)


def _ordered(
    model: Any, words: Sequence[str], matrix: Any, keys: Sequence[str]
) -> dict[str, list[str]]:
    scores = model.decision_function(matrix)
    weights = model.coef_[0]
    # By key where scores are equal, so that the order is the same everywhere.
    order = sorted(range(len(keys)), key=lambda place: (-scores[place], keys[place]))
    found: dict[str, list[str]] = {}
    for place in order:
        row = matrix[place]
        gains = zip(-row.data * weights[row.indices], row.indices, strict=True)
        first = sorted((gain, words[column]) for gain, column in gains)[:_TERMS]
        found[keys[place]] = [word for gain, word in first if gain < 0]
    return found


def past_scores(matrix: Any, labels: Sequence[bool]) -> list[float]:
    """Score each fifth of past decisions by a model of the others.

    Parameters
    ----------
    matrix : sparse matrix
        Of their texts, by :func:`weighted_words`.
    labels : sequence of bool
        Whether each was included.
    """
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    folds = min(_FOLDS, sum(labels), len(labels) - sum(labels))
    splits = StratifiedKFold(folds, shuffle=True, random_state=0)
    scores = cross_val_predict(
        ranking_model(labels), matrix, list(labels), cv=splits, method="decision_function"
    )
    return list(map(float, scores))


def read_until(scores: Sequence[float], labels: Sequence[bool], share: float) -> float:
    """Return the share of records that are read, by falling score, to find a share of inclusions.

    Examples
    --------
    >>> read_until([3, 2, 1, 0], [True, False, True, False], 0.5)
    0.25
    """
    # Equal scores keep the order of the records, which knows nothing of the labels.
    pairs = sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])
    found = accumulate(label for _, label in pairs)
    # Nineteen of twenty is 95 %, although 20 * 0.95 may be a little more than 19.
    wanted = sum(labels) * share - 1e-9
    return (1 + sum(number < wanted for number in found)) / len(pairs)
