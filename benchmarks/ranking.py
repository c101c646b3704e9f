"""``python -m benchmarks.ranking FILE...``: how well candidates are ranked, on labelled data.

FILE is a CSV with the columns title, abstract and label_included (0 or 1), the form of the public
screening simulations. Every record is ranked by a model of the others (five folds). Printed are the
area under the ROC curve, the share of records to read for 50, 80 and 95 % of the inclusions, and
the work saved at 95 % recall: for our ranking, for a plain linear model on single words of the
title, and for random order.

With ``--learning`` before the files, the work saved is measured as a reader learns: from one
inclusion and one exclusion on, the likeliest record is decided and the model learns again.
"""

from __future__ import annotations

import csv
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from corpus.curation.screening.ranking import (
    RECALL,
    past_scores,
    ranking_model,
    read_until,
    weighted_words,
)

#: So many readers begin with different records.
_READERS = 3


def main() -> None:
    """Measure each file and print a Markdown table."""
    learning = "--learning" in sys.argv
    files = [Path(name) for name in sys.argv[1:] if name != "--learning"]
    if not files:
        sys.exit(__doc__)
    if learning:
        for file in files:
            titles, abstracts, labels = labelled(file)
            texts = [f"{one}\n{other}" for one, other in zip(titles, abstracts, strict=True)]
            saved = [learned_order(texts, labels, seed) for seed in range(_READERS)]
            sys.stdout.write(f"{file.name}: WSS@95 {sum(saved) / _READERS:.2f}\n")
        return
    sys.stdout.write(
        "| file | records | included | order | AUC | read for 50 % | 80 % | 95 % | WSS@95 | s |\n"
    )
    sys.stdout.write("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|\n")
    for file in files:
        titles, abstracts, labels = labelled(file)
        texts = [f"{title}\n{abstract}" for title, abstract in zip(titles, abstracts, strict=True)]
        start = time.perf_counter()
        ours = past_scores(weighted_words(texts)[1], labels)
        seconds = time.perf_counter() - start
        _row(file.name, "ours", ours, labels, f"{seconds:.1f}")
        _row(file.name, "words of the title", _plain(titles, labels), labels)
        chance = random.Random(0)
        _row(file.name, "random", [chance.random() for _ in labels], labels)


def learned_order(texts: Sequence[str], labels: Sequence[bool], seed: int) -> float:
    """Read in the order of a model that learns from each decision; return the work saved."""
    _, matrix = weighted_words(texts)
    chance = random.Random(seed)
    waiting = list(range(len(texts)))
    read: list[int] = []
    for label in (True, False):
        read.append(chance.choice([place for place in waiting if labels[place] == label]))
        waiting.remove(read[-1])
    while waiting and sum(labels[place] for place in read) < sum(labels):
        known = [labels[place] for place in read]
        model = ranking_model(known).fit(matrix[read], known)
        scores = model.decision_function(matrix[waiting])
        read.append(waiting.pop(int(scores.argmax())))
    order = [*read, *waiting]
    return saved_work([-place for place in range(len(order))], [labels[at] for at in order])


def saved_work(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the work saved over random order at 95 % recall; below 0 it is worse than random."""
    return RECALL - read_until(scores, labels, RECALL)


def labelled(file: Path) -> tuple[list[str], list[str], list[bool]]:
    """Return titles, abstracts and labels of a file; its rows without a label are left out."""
    titles: list[str] = []
    abstracts: list[str] = []
    labels: list[bool] = []
    with file.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            if row["label_included"] in ("0", "1"):
                titles.append(row["title"] or "")
                abstracts.append(row["abstract"] or "")
                labels.append(row["label_included"] == "1")
    return titles, abstracts, labels


def _plain(titles: Sequence[str], labels: Sequence[bool]) -> list[float]:
    model = make_pipeline(CountVectorizer(), LogisticRegression(max_iter=1000))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_predict(model, titles, labels, cv=folds, method="decision_function")
    return [float(score) for score in scores]


def _row(
    file: str, order: str, scores: Sequence[float], labels: Sequence[bool], seconds: str = ""
) -> None:
    effort = " | ".join(f"{read_until(scores, labels, share):.0%}" for share in (0.5, 0.8, 0.95))
    sys.stdout.write(
        f"| {file} | {len(labels)} | {sum(labels)} | {order} | {roc_auc_score(labels, scores):.2f} "
        f"| {effort} | {saved_work(scores, labels):.2f} | {seconds} |\n"
    )


if __name__ == "__main__":
    main()
