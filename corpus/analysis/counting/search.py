"""Ranked search over the text of entries; tolerates typing errors."""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz import fuzz, process, utils

from corpus.model.study import Study

#: How much a hit counts by the role or type of its column; every other text column counts 1.
_WEIGHTS = {
    "key": 3.0,
    "title": 3.0,
    "first_author": 2.0,
    "authors": 2.0,
    "summary": 1.5,
    "arxiv": 3.0,
    "doi": 3.0,
}
_GREATEST = 3.0
#: Least similarity, in percent, of two words that are taken for one.
_LEAST = 74.0


class _CellWords(NamedTuple):
    """The words of one cell, with its column and how much a hit in it counts."""

    column: str
    weight: float
    words: list[str]


class Hit(NamedTuple):
    """An entry that matches: its key, its score (for ranking only) and its best columns."""

    key: str
    score: float
    columns: tuple[str, ...]


def search_entries(study: Study, text: str, limit: int = 10) -> list[Hit]:
    """Return the entries in which every word of `text` is found nearly, best first.

    A word is found in a column where some word of the cell is at least 74 percent the same
    (rapidfuzz, indel ratio) or begins with it. A hit in key, title or identifier counts three
    times, one in an author twice.
    """
    words = utils.default_process(text).split()
    found: list[Hit] = []
    for key, cells in _texts(study).items():
        hits = [_best(word, cells) for word in words]
        if hits and all(score > 0 for score, _ in hits):
            score = sum(score for score, _ in hits) / len(hits)
            columns = tuple(dict.fromkeys(name for _, name in hits))
            found.append(Hit(key, score, columns))
    found.sort(key=lambda hit: (-hit.score, hit.key))
    return found[:limit]


def _texts(study: Study) -> dict[str, list[_CellWords]]:
    """Return the words of each entry by column; the bibliography's columns included."""
    texts: dict[str, list[_CellWords]] = {key: [] for key in study.entries}
    for table in (study.pool, *study.by_role("bibliography")):
        keys = table.column(table.spec.key[0])
        for column in table.spec.columns:
            weight = _WEIGHTS.get(column.role, _WEIGHTS.get(column.type, 1.0))
            for key, cell in zip(keys, table.column(column.name), strict=True):
                if cell and key in texts:
                    words = utils.default_process(cell).split()
                    texts[key].append(_CellWords(column.name, weight, words))
    return texts


def _best(word: str, cells: list[_CellWords]) -> tuple[float, str]:
    """Return the weighted score of the best cell for one word, and its column; 0 without any."""
    best, where = 0.0, ""
    for cell in cells:
        score = cell.weight * _likeness(word, cell.words)
        if score > best:
            best, where = score, cell.column
    return best / _GREATEST, where


def _likeness(word: str, words: list[str]) -> float:
    """Return how much a word is like the closest of some words, from 0 to 100."""
    if word in words:
        return 100.0
    if any(other.startswith(word) for other in words):
        return 90.0
    # Short words are like too many others.
    if len(word) <= 3:
        return 0.0
    match = process.extractOne(word, words, scorer=fuzz.ratio, score_cutoff=_LEAST)
    return match[1] * 0.8 if match else 0.0
