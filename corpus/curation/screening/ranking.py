"""Order candidates by a model of the decisions made; it never excludes anything.

Words and pairs of words of title and abstract are weighted by TF-IDF, and a linear support vector
machine ranks by them. The settings are those of ELAS u4, the default model of ASReview LAB 2, which
its authors chose on the public SYNERGY data. Both are of scikit-learn, an extra:
``pip install 'mas-rl-corpus[rank]'``. Equal input gives an equal order.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from corpus.curation.screening.decisions import EXCLUDE, INCLUDE, CandidateScreening
from corpus.model.finding import UsageProblem

#: With fewer decisions of either kind there is nothing to learn from.
LEAST = 5
#: Below this area under the ROC curve, past decisions are ranked little better than at random.
LEAST_AUC = 0.7
#: Share of texts without an abstract from which on titles are nearly all that is known.
MOST_WITHOUT_ABSTRACT = 0.5
#: Recall at which the work saved is reported, as in screening simulations.
RECALL = 0.95
#: Settings of ELAS u4: all inclusions together weigh so many times what all exclusions do.
_RATIO, _PENALTY, _MOST_FREQUENT = 9.8, 0.11, 0.95
_FOLDS = 5
_TERMS = 8


class RankQuality(NamedTuple):
    """How well a ranking would have found past inclusions, by cross-validation.

    Attributes
    ----------
    decisions, included : int
        Past decisions, and inclusions among them.
    auc : float
        Area under the ROC curve: 0.5 is random, 1 is perfect.
    wss : float
        Work saved over random order at 95 % recall (0 to 1; below 0: worse than random).
    effort : dict of int to float
        Percent of the inclusions found -> share (0 to 1) of records to read for them.
    """

    decisions: int
    included: int
    auc: float
    wss: float
    effort: dict[int, float]


class Ranking(NamedTuple):
    """Candidates in order, how well past decisions would have been ranked, and why not to trust it.

    `order` has the keys of candidates with the words that speak most for each; `warnings` is empty
    where nothing speaks against the ranking.
    """

    order: dict[str, list[str]]
    quality: RankQuality
    warnings: tuple[str, ...]


def rank(screening: CandidateScreening, reader: str) -> Ranking:
    """Rank what a reader has not decided yet by what they decided.

    Raises
    ------
    UsageProblem
        Without scikit-learn, or with too few decisions of either kind.
    """
    works = screening.candidates
    labels = []
    keys = []
    for (key, name), decision in screening.decisions.items():
        # A maybe teaches nothing.
        if name == reader and key in works and decision.decision in (INCLUDE, EXCLUDE):
            labels.append(decision.decision == INCLUDE)
            keys.append(key)
    past, included = len(labels), sum(labels)
    if min(included, past - included) < LEAST:
        raise UsageProblem(
            f"a ranking needs {LEAST} inclusions and {LEAST} exclusions; there are {included} "
            f"and {past - included}"
        )
    waiting = screening.waiting(reader)
    texts = [f"{works[key].title}\n{works[key].abstract}" for key in (*keys, *waiting)]
    words, matrix = weighted_words(texts)
    quality = rank_quality(matrix[:past], labels)
    order: dict[str, list[str]] = {}
    if waiting:
        model = ranking_model(labels)
        model.fit(matrix[:past], labels)
        order = _ordered(model, words, matrix[past:], waiting)
    warnings = []
    if quality.auc < LEAST_AUC:
        warnings.append(
            f"past decisions are ranked hardly better than at random (AUC {quality.auc:.2f}): "
            "the data is too thin for this order to mean much"
        )
    without_abstract = sum(not work.abstract for work in works.values()) / len(works)
    if without_abstract > MOST_WITHOUT_ABSTRACT:
        warnings.append(
            f"{without_abstract:.0%} of the records have no abstract; titles alone rank poorly"
        )
    return Ranking(order, quality, tuple(warnings))


def weighted_words(texts: Sequence[str]) -> tuple[list[str], Any]:
    """Return words and pairs of words, and a sparse matrix of their weights (text by word).

    Which words there are, and how frequent, is learned from all texts: it tells nothing about
    decisions.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        advice = "pip install 'mas-rl-corpus[rank]'"
        raise UsageProblem(f"ranking needs scikit-learn: {advice}") from None
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


def rank_quality(matrix: Any, labels: Sequence[bool]) -> RankQuality:
    """Rank each fifth of past decisions by a model of the others, and measure the order.

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
    return order_quality(list(map(float, scores)), labels)


def order_quality(scores: Sequence[float], labels: Sequence[bool]) -> RankQuality:
    """Measure the order that scores give.

    Parameters
    ----------
    scores : sequence of float
        Higher is earlier.
    labels : sequence of bool
        Whether each was included; some must be, and some not.

    Examples
    --------
    >>> quality = order_quality([3, 2, 1, 0], [True, False, True, False])
    >>> quality.auc, quality.effort[50], quality.effort[100]
    (0.75, 0.25, 0.75)
    """
    from sklearn.metrics import roc_auc_score

    # Equal scores keep the order of the records, which knows nothing of the labels.
    pairs = sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])
    ranked = [label for _, label in pairs]
    included = sum(ranked)
    effort: dict[int, float] = {}
    for percent in (50, 80, 95, 100):
        effort[percent] = _read_for(ranked, included * percent / 100) / len(ranked)
    saved = 1 - _read_for(ranked, included * RECALL) / len(ranked) - (1 - RECALL)
    return RankQuality(len(ranked), included, float(roc_auc_score(labels, scores)), saved, effort)


def _read_for(ranked: Sequence[bool], wanted: float) -> int:
    """Return how many records are read until so many inclusions are found."""
    # Nineteen of twenty is 95 %, although 20 * 0.95 may be a little more than 19.
    return 1 + sum(found < wanted - 1e-9 for found in accumulate(ranked))
