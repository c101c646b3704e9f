"""What the page shows without a script: tables with their links, heatmaps, and what is missing in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from corpus.analysis.sparsity.cells import (
    EMPTY,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    SparseCell,
    SparseTable,
)
from corpus.model.codebook import Codebook, Column, Crosstab, Term
from corpus.model.contingency import Margin
from corpus.model.table import Table
from corpus.publishing.page.data import facet_id
from corpus.publishing.page.links import links

#: Steps of the heatmaps' colour scale, darkest last.
LEVELS = 5


class ShownCell(NamedTuple):
    """One cell of a table: its text, the links that stand for it, its column's label and type."""

    text: str
    links: tuple[tuple[str, str], ...]
    label: str
    kind: str


class ShownTable(NamedTuple):
    """A table with its cells ready to print."""

    name: str
    title: str
    definition: str
    header: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]


class Heat(NamedTuple):
    """A cell of a heatmap: both terms, entries, level of colour (0 to :data:`LEVELS`), status and reason."""

    row: str
    column: str
    entries: int
    level: int
    status: str
    reason: str


class PageHeatmap(NamedTuple):
    """A cross-tabulation to draw; `cells` has one tuple for each term of `rows`.

    `ranked` says that both axes belong to the taxonomy, so that an empty cell is a gap.
    """

    id: str
    title: str
    rows: Margin
    columns: Margin
    cells: tuple[tuple[Heat, ...], ...]
    ranked: bool


class Hole(NamedTuple):
    """What is missing in one column of a heatmap: the term, what stands there, and what does not.

    `filled` are (label, entries); `empty` are labels, whole groups of terms where the vocabulary has groups;
    `impossible` are labels of terms that cannot occur with it.
    """

    term: Term
    filled: tuple[tuple[str, int], ...]
    empty: tuple[str, ...]
    impossible: tuple[str, ...]


def shown_table(table: Table, book: Codebook, without: Sequence[str] = ()) -> ShownTable:
    """Return a table ready to print, terms by their labels; `without` names columns to leave out."""
    columns = [(i, column) for i, column in enumerate(table.spec.columns) if column.name not in without]
    rows = tuple(tuple(shown_cell(row[i], column, book) for i, column in columns) for row in table.rows)
    header = tuple(column.label for _, column in columns)
    return ShownTable(table.spec.name, table.spec.title, table.spec.definition, header, rows)


def shown_cell(cell: str, column: Column, book: Codebook) -> ShownCell:
    """Return one cell: terms by label, keys of entries as links to them, addresses as links."""
    if column.type == "term":
        labels = {term.id: term.label for term in book.vocabulary_of(column).terms}
        return ShownCell(", ".join(labels.get(v, v) for v in column.values(cell)), (), column.label, "term")
    if column.type == "ref" and column.references == book.pool.name:
        return ShownCell(cell, ((entry_address(cell), cell),), column.label, "entry")
    if column.type == "column":
        named = {c.name: c.label for c in book.tables[column.references].columns}
        return ShownCell(named.get(cell, cell), (), column.label, "term")
    return ShownCell(cell, tuple(links(cell, column.type)), column.label, column.type)


def entry_address(key: str) -> str:
    """Return the address of an entry inside the page; without a script it is the entry's row in the table.

    Examples
    --------
    >>> entry_address("c3"), entry_address('a"b')
    ('#entry?key=c3', '#entry?key=a%22b')
    """
    return "#entry?" + urlencode({"key": key})


def filter_address(terms: dict[str, str]) -> str:
    """Return the address of the entries that carry these terms (axis -> term)."""
    return "#entries?" + urlencode({facet_id(axis): term for axis, term in terms.items()})


def heatmap(table: SparseTable, crosstab: Crosstab, ranked: bool) -> PageHeatmap:
    """Lay a sparse table of two axes out; colours are scaled to the largest cell that is not set apart."""
    rows, columns = table.margins
    most = max((cell.entries for cell in table.cells.values() if cell.status not in (NOT_APPLICABLE, IMPOSSIBLE)), default=0)
    cells = tuple(
        tuple(_heat(table.cells[row, column], most) for column in columns.vocabulary.ids) for row in rows.vocabulary.ids
    )
    return PageHeatmap(crosstab.id, crosstab.title, rows, columns, cells, ranked)


def _heat(cell: SparseCell, most: int) -> Heat:
    level = min(LEVELS, -(-cell.entries * LEVELS // most)) if most else 0
    return Heat(cell.terms[0], cell.terms[1], cell.entries, level, cell.status, cell.reason)


def holes(table: SparseTable) -> list[Hole]:
    """Return, for each term of the second axis, which terms of the first stand with it and which do not."""
    rows, columns = table.margins
    found = []
    for term in columns.vocabulary.terms:
        if term.id == columns.vocabulary.not_applicable:
            continue
        cells = {row.id: table.cells[row.id, term.id] for row in rows.vocabulary.terms}
        filled = tuple((row.label, cells[row.id].entries) for row in rows.vocabulary.terms if cells[row.id].entries)
        found.append(Hole(term, filled, _missing(rows, cells, EMPTY), _missing(rows, cells, IMPOSSIBLE)))
    return found


def _missing(margin: Margin, cells: dict[str, SparseCell], status: str) -> tuple[str, ...]:
    """Return the labels of the terms whose cell has this status.

    A group counts as one where all its terms have it; a term whose group has not says which group it is of.
    """
    vocabulary = margin.vocabulary
    said = {term.id: term.label for term in vocabulary.terms if cells[term.id].status == status}
    for group in vocabulary.groups:
        whole = all(term in said for term in group.terms)
        for term in group.terms:
            if term in said:
                said[term] = f"{group.id} {group.label}" if whole else f"{vocabulary.term(term).label} (of {group.id})"
    return tuple(dict.fromkeys(said.values()))
