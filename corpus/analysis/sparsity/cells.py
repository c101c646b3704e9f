"""Which cells of the declared vocabulary are empty or thin: over one axis, or over two."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from corpus.model.codebook import Texts
from corpus.model.contingency import Contingency, Margin

FILLED, THIN, EMPTY, IMPOSSIBLE = "filled", "thin", "empty", "impossible"
#: The word in CSV and JSON; renaming it would break the readers of these files.
NOT_APPLICABLE = "apart"
#: The statuses of a cell, in the order in which they are printed.
STATUSES = (FILLED, THIN, EMPTY, IMPOSSIBLE, NOT_APPLICABLE)


class SparseCell(NamedTuple):
    """One term of an axis, or one pair of terms of two axes.

    Attributes
    ----------
    terms : tuple of str
        One term for each axis of the table.
    entries : int
        Entries that carry all of them.
    status : str
        ``filled``; ``thin`` (at least one entry, at most the threshold); ``empty`` (a true gap);
        ``impossible`` (cannot occur, by the codebook); ``apart`` (a term means "not applicable").
    reason : str
        Why the cell is impossible.
    expected : float
        Entries that the cell would have if the axes were independent, among the entries to which
        all axes apply; for one axis, if its terms were equally frequent. 0 where the cell is
        impossible or not applicable.
    """

    terms: Texts
    entries: int
    status: str
    reason: str
    expected: float


class SparseTable(NamedTuple):
    """All cells of one axis or two; `margins` count the axes in the order of a cell's terms."""

    margins: tuple[Margin, ...]
    cells: Mapping[Texts, SparseCell]

    @property
    def axes(self) -> Texts:
        """The names of the axes."""
        return tuple(margin.column.name for margin in self.margins)

    def having(self, *statuses: str) -> list[SparseCell]:
        """Return the cells with one of these statuses, in declared order."""
        return [cell for cell in self.cells.values() if cell.status in statuses]

    def number(self, *statuses: str) -> int:
        """Return how many cells have one of these statuses."""
        return len(self.having(*statuses))


def sparse_table(counted: Contingency, axes: Texts, threshold: int) -> SparseTable:
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
    margins = tuple(map(counted.margin, axes))
    entries: Mapping[Texts, int] = {(row.term,): row.entries for row in margins[0].rows}
    if len(axes) == 2:
        entries = counted.crosstab(*axes).cells
    expected = _expected(margins, entries)
    cells: dict[Texts, SparseCell] = {}
    for terms, number in entries.items():
        # What the codebook rules out is impossible, whatever else may be true of the cell.
        reason = counted.book.impossible_reason(dict(zip(axes, terms, strict=True)))
        if reason:
            status = IMPOSSIBLE
            expected.pop(terms, None)
        elif terms not in expected:
            status = NOT_APPLICABLE
        elif not number:
            status = EMPTY
        # The threshold itself is thin: "up to two entries" includes two.
        elif number <= threshold:
            status = THIN
        else:
            status = FILLED
        cells[terms] = SparseCell(terms, number, status, reason, expected.get(terms, 0.0))
    return SparseTable(margins, cells)


def _expected(margins: tuple[Margin, ...], entries: Mapping[Texts, int]) -> dict[Texts, float]:
    """Return the entries under independence for every cell whose terms all apply."""
    terms = []
    for margin in margins:
        terms.append([term.id for term in margin.vocabulary.applicable])
    applicable = {cell: entries[cell] for cell in product(*terms)}
    # Of multi-valued axes, an entry is in several cells: the total is one of tags, not of entries.
    total = sum(applicable.values())
    if not total:
        return dict.fromkeys(applicable, 0.0)
    if len(margins) == 1:
        return dict.fromkeys(applicable, total / len(applicable))
    of_rows: Counter[str] = Counter()
    of_columns: Counter[str] = Counter()
    for (row, column), number in applicable.items():
        of_rows[row] += number
        of_columns[column] += number
    expected: dict[Texts, float] = {}
    for row, column in applicable:
        expected[row, column] = of_rows[row] * of_columns[column] / total
    return expected
