"""Sentences that several texts have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: A shorter sentence can be true of two works without being copied; so can a shorter cell.
LEAST_LETTERS = 60
LEAST_LETTERS_OF_CELL = 45
#: In larger tables whole cells are compared, not the sentences inside them.
MOST_ROWS = 20_000
_END_OF_SENTENCE = re.compile(r"(?<=[.;!?])\s+")


def shared_sentences(cells: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the place of each cell with a sentence of an earlier one, that one's, and the sentence.

    Examples
    --------
    >>> sentence = "Moss grows where the water stays for most of the year, and on wet stones."
    >>> [found[:2] for found in shared_sentences([sentence, "Peat.", f"Peat. {sentence}"])]
    [(2, 0)]
    """
    first: dict[str, int] = {}
    for position, cell in enumerate(cells):
        for text in _parts(cell, len(cells)):
            holder = first.setdefault(text.rstrip(".;").casefold(), position)
            if holder != position:
                yield position, holder, text
                # Sentences of a copied cell would be the same finding again.
                break


def _parts(cell: str, rows: int) -> Iterator[str]:
    """Yield a cell and its sentences, as far as they are long enough to be compared."""
    if len(cell) >= LEAST_LETTERS_OF_CELL:
        yield cell
    if rows <= MOST_ROWS:
        for sentence in _END_OF_SENTENCE.split(cell):
            if len(sentence) >= LEAST_LETTERS and sentence != cell:
                yield sentence
