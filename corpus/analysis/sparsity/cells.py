"""Which cells of the declared vocabulary are empty or thin: over one axis, or over two."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from corpus.model.contingency import Contingency, Margin

#: The statuses of a cell, in the order in which they are said.
FILLED, THIN, EMPTY, IMPOSSIBLE, APART = "filled", "thin", "empty", "impossible", "apart"
STATUSES = (FILLED, THIN, EMPTY, IMPOSSIBLE, APART)


class SparseCell(NamedTuple):
    """One term of an axis, or one pair of terms of two axes.

    Attributes
    ----------
    terms : tuple of str
        One term for each axis of the table.
    entries : int
        Entries that carry all of them.
    status : str
        ``filled``; ``thin`` (at least one entry, at most the threshold); ``empty`` (a true gap); ``impossible``
        (cannot occur, by the codebook); ``apart`` (a term means "not applicable").
    reason : str
        Why the cell is impossible.
    expected : float
        Entries that the cell would hold if the axes were independent, among the entries to which all axes apply;
        for one axis, if its terms were equally frequent. 0 where the cell is impossible or apart.
    """

    terms: tuple[str, ...]
    entries: int
    status: str
    reason: str
    expected: float


class SparseTable(NamedTuple):
    """All cells of one axis or of two; `margins` are the axes' counts in the same order as a cell's terms."""

    margins: tuple[Margin, ...]
    cells: Mapping[tuple[str, ...], SparseCell]

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple(margin.column.name for margin in self.margins)

    def having(self, *statuses: str) -> tuple[SparseCell, ...]:
        """Return the cells with one of these statuses, in declared order."""
        return tuple(cell for cell in self.cells.values() if cell.status in statuses)

    def number(self, *statuses: str) -> int:
        """Return how many cells have one of these statuses."""
        return len(self.having(*statuses))


def sparse_table(counted: Contingency, axes: tuple[str, ...], threshold: int) -> SparseTable:
    """Give every cell of one or two axes its status.

    Parameters
    ----------
    counted : Contingency
        The pool.
    axes : tuple of str
        One axis or two.
    threshold : int
        A cell with 1 to `threshold` entries is thin.

    Raises
    ------
    UsageProblem
        Where the pool has no such axis.
    """
    margins = tuple(counted.margin(axis) for axis in axes)
    entries: dict[tuple[str, ...], int] = {}
    if len(axes) == 1:
        entries.update({(row.term,): row.entries for row in margins[0].rows})
    else:
        entries.update(counted.crosstab(axes[0], axes[1]).cells.items())
    absent = tuple(margin.vocabulary.not_applicable for margin in margins)
    expected = _expected(margins, entries)
    cells = {}
    for terms in product(*(margin.vocabulary.ids for margin in margins)):
        reason = counted.book.impossible_reason(dict(zip(axes, terms, strict=True)))
        apart = any(term == none for term, none in zip(terms, absent, strict=True))
        status = _status(entries[terms], apart, reason, threshold)
        cells[terms] = SparseCell(
            terms, entries[terms], status, reason, 0.0 if status in (IMPOSSIBLE, APART) else expected[terms]
        )
    return SparseTable(margins, cells)


def _status(entries: int, apart: bool, reason: str, threshold: int) -> str:
    if reason:
        return IMPOSSIBLE
    if apart:
        return APART
    if not entries:
        return EMPTY
    return THIN if entries <= threshold else FILLED


def _expected(margins: tuple[Margin, ...], entries: Mapping[tuple[str, ...], int]) -> dict[tuple[str, ...], float]:
    """Return entries under independence for every cell without an absent term; 0 for the others."""
    terms = [[term for term in m.vocabulary.ids if term != m.vocabulary.not_applicable] for m in margins]
    said = {cell: entries[cell] for cell in product(*terms)}
    total = sum(said.values())
    found = dict.fromkeys(entries, 0.0)
    if not total:
        return found
    if len(margins) == 1:
        return {**found, **dict.fromkeys(said, total / len(said))}
    down = {row: sum(said[row, column] for column in terms[1]) for row in terms[0]}
    across = {column: sum(said[row, column] for row in terms[0]) for column in terms[1]}
    return {**found, **{(row, column): down[row] * across[column] / total for row, column in said}}
