"""Ranked search over the text of entries; tolerates typing errors."""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz import fuzz, process, utils

from corpus.model.study import Study

#: How much a hit counts by the role or type of its column; every other text column counts 1.
_WEIGHTS = {"key": 3.0, "title": 3.0, "first_author": 2.0, "authors": 2.0, "summary": 1.5, "arxiv": 3.0, "doi": 3.0}
_LEAST = 74.0


class Hit(NamedTuple):
    """An entry that matches: its key, its score (0-100, for ranking only) and the columns that matched best."""

    key: str
    score: float
    columns: tuple[str, ...]


def search_entries(corpus: Study, text: str, limit: int = 10) -> list[Hit]:
    """Return the entries in which every word of `text` is found nearly, best first.

    A word is found in a column where some word of the cell is at least 74 percent the same (rapidfuzz, indel ratio)
    or begins with it. A hit in key, title or identifier counts three times, one in an author twice.
    """
    words = utils.default_process(text).split()
    texts = _texts(corpus)
    found = []
    for key, cells in texts.items():
        hits = [_best(word, cells) for word in words]
        if hits and all(score > 0 for score, _ in hits):
            score = sum(score for score, _ in hits) / len(hits)
            found.append(Hit(key, score, tuple(dict.fromkeys(name for _, name in hits))))
    return sorted(found, key=lambda hit: (-hit.score, hit.key))[:limit]


def _texts(corpus: Study) -> dict[str, list[tuple[str, float, list[str]]]]:
    """For each entry: column, weight, words; the bibliography's columns included."""
    spec = corpus.codebook.pool
    position = spec.position(spec.key[0])
    found: dict[str, list[tuple[str, float, list[str]]]] = {row[position]: [] for row in corpus.pool.rows}
    for table in (corpus.pool, *corpus.by_role("bibliography")):
        key = table.spec.position(table.spec.key[0])
        for number, column in enumerate(table.spec.columns):
            weight = _WEIGHTS.get(column.role, _WEIGHTS.get(column.type, 1.0))
            for row in table.rows:
                if row[key] in found and row[number]:
                    found[row[key]].append((column.name, weight, utils.default_process(row[number]).split()))
    return found


def _best(word: str, cells: list[tuple[str, float, list[str]]]) -> tuple[float, str]:
    """Return the weighted score of the best place for one word, and its column; 0 where there is none."""
    best, where = 0.0, ""
    for name, weight, words in cells:
        if word in words:
            score = 100.0
        elif any(other.startswith(word) for other in words):
            score = 90.0
        else:
            match = process.extractOne(word, words, scorer=fuzz.ratio, score_cutoff=_LEAST) if len(word) > 3 else None
            score = match[1] * 0.8 if match else 0.0
        if score * weight > best:
            best, where = score * weight, name
    return best / 3, where
