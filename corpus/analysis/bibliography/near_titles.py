"""Titles that are nearly the same, such as by a typing error.

They are found by sorted neighbourhood (Hernández and Stolfo 1995): titles are sorted by three keys,
and only neighbours within a window are compared. So the cost is that of sorting, not that of
comparing all pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from corpus.analysis.bibliography.same_works import NEAR

#: How many neighbours in sorted order are compared.
WINDOW = 8


def near_titles(titles: list[str]) -> list[tuple[str, str, float]]:
    """Return pairs of different normal titles that are nearly the same, with the percentage.

    Near means at least :data:`~corpus.analysis.bibliography.same_works.NEAR` percent, by
    rapidfuzz's normalised indel ratio.

    Examples
    --------
    >>> near_titles(["learningtocollaborate", "learningtocolaborate", "somethingelse"])
    [('learningtocolaborate', 'learningtocollaborate', 97.5...)]
    """
    found: dict[tuple[str, str], float] = {}
    for key in (str, _reversed, _from_the_middle):
        ordered = sorted(titles, key=key)
        for step in range(1, min(WINDOW, len(ordered))):
            scores: Any = process.cpdist(
                ordered[:-step],
                ordered[step:],
                scorer=fuzz.ratio,
                score_cutoff=NEAR,
                dtype=np.float32,
                workers=-1,
            )
            for place in np.flatnonzero(scores):
                first, second = sorted((ordered[place], ordered[place + step]))
                found[first, second] = float(scores[place])
    return [(first, second, score) for (first, second), score in sorted(found.items())]


def _reversed(title: str) -> str:
    return title[::-1]


def _from_the_middle(title: str) -> str:
    """The middle first, so that a new start or end does not move a title from its neighbour."""
    third = len(title) // 3
    return title[third:] + title[:third]
