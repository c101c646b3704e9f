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
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from corpus.curation.screening.ranking import (
    RankQuality,
    order_quality,
    rank_quality,
    ranking_model,
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
            saved = [learned_order(texts, labels, seed).wss for seed in range(_READERS)]
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
        ours = rank_quality(weighted_words(texts)[1], labels)
        seconds = time.perf_counter() - start
        _row(file.name, "ours", ours, f"{seconds:.1f}")
        _row(file.name, "words of the title", _plain(titles, labels))
        chance = random.Random(0)
        _row(file.name, "random", order_quality([chance.random() for _ in labels], labels))


def learned_order(texts: Sequence[str], labels: Sequence[bool], seed: int) -> RankQuality:
    """Read in the order of a model that learns from each decision, and measure that order."""
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
    return order_quality([-place for place in range(len(order))], [labels[at] for at in order])


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


def _plain(titles: Sequence[str], labels: Sequence[bool]) -> RankQuality:
    model = make_pipeline(CountVectorizer(), LogisticRegression(max_iter=1000))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_predict(model, titles, labels, cv=folds, method="decision_function")
    return order_quality([float(score) for score in scores], labels)


def _row(file: str, order: str, quality: RankQuality, seconds: str = "") -> None:
    effort = " | ".join(f"{quality.effort[percent]:.0%}" for percent in (50, 80, 95))
    sys.stdout.write(
        f"| {file} | {quality.decisions} | {quality.included} | {order} | {quality.auc:.2f} | "
        f"{effort} | {quality.wss:.2f} | {seconds} |\n"
    )


if __name__ == "__main__":
    main()
