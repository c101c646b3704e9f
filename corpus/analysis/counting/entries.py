"""Entries: which rows pass, in what order, which are most alike; lists and single ones in print."""

import textwrap
from collections.abc import Sequence

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.filters import Filter, row_test
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table, row_picker
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text


def select_rows(
    table: Table, filters: Sequence[Filter], sort: Sequence[str], book: Codebook
) -> list[Row]:
    """Return the rows that pass all filters.

    Parameters
    ----------
    table : Table
        The rows.
    filters : sequence of Filter
        What they must pass.
    sort : sequence of str
        Columns to sort by, the first one first; a minus sign before a name reverses its order. Term
        columns sort in the order of the codebook, empty cells last; all others sort as text.
    book : Codebook
        Gives the order of the terms.
    """
    rows = list(filter(row_test(filters, table.spec.header), table.rows))
    # Sorting is stable, so the last column is sorted by first.
    for name in reversed(sort):
        _sort_by(rows, name, table.spec, book)
    return rows


def _sort_by(rows: list[Row], name: str, spec: TableSpec, book: Codebook) -> None:
    position = spec.position(name.removeprefix("-"))
    column = spec.columns[position]
    order = {}
    for number, term in enumerate(book.terms_of(column)):
        order[term] = number

    def rank(row: Row) -> tuple[int, str]:
        cell = row[position]
        return order.get(cell, -1), cell

    rows.sort(key=rank, reverse=name.startswith("-"))
    # Empty cells come last, whichever way the others are sorted.
    if order:
        rows.sort(key=lambda row: not row[position])


def neighbours(
    study: Study, entry: LocatedRow, limit: int = 5
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the entries that share most tags with one, each with the axes that have a common term.

    That an axis does not apply is not a tag.
    """
    book = study.codebook
    found = []
    for key, other in study.entries.items():
        shared = []
        for column in book.pool.axes:
            common = set(entry.terms(column.name)) & set(other.terms(column.name))
            if common - {book.vocabulary_of(column).not_applicable}:
                shared.append(column.name)
        if key != entry.key:
            found.append((key, tuple(shared)))
    # By key where equally many are shared, so that the list does not depend on the file's order.
    found.sort(key=lambda neighbour: (-len(neighbour[1]), neighbour[0]))
    return found[:limit]


def entries_grid(spec: TableSpec, rows: list[Row], columns: list[str]) -> Grid:
    """Return rows as a table of some columns."""
    numeric = set()
    for place, name in enumerate(columns):
        if spec.column(name).type in ("year", "integer", "number"):
            numeric.add(place)
    cells = map(row_picker(spec.positions(columns)), rows)
    return Grid("", tuple(columns), tuple(cells), frozenset(numeric))


def usual_columns(spec: TableSpec) -> list[str]:
    """Return the columns of a list for which none are chosen."""
    if spec.role == "pool":
        roles = ("key", "year", "group", "title")
        named = [column.name for column in spec.columns if column.role in roles]
        if named:
            return named
    return list(spec.header[:5])


def brief_text(entry: LocatedRow, columns: int = 80) -> str:
    """Return the tags of an entry, and the command that shows everything about it."""
    tags = "; ".join(f"{name} {entry.cell(name)}" for name in entry.table.spec.axis_names)
    line = terminal(f"Tags: {tags}. All about it: `corpus show {entry.key} --all`")
    return "\n".join(wrapped_line(line, columns, 2)) + "\n"


def record_text(study: Study, record: LocatedRow, columns: int = 80) -> str:
    """Return a record in full: its cells, the rows that refer to it, of an entry its neighbours."""
    book, spec = study.codebook, record.table.spec
    lines = []
    if record.is_excluded:
        lines = [f"Not in the pool: {spec.title} ({terminal(record.table.file)}:{record.line})", ""]
    explained = []
    for column, cell in zip(spec.columns, record.row, strict=True):
        text = cell or "–"
        if column.type == "term":
            terms = map(book.vocabulary_of(column).term, column.values(cell))
            text = "; ".join(f"{term.id} — {term.definition}" for term in terms) or text
        explained.append(text)
    lines += _cell_lines(spec, explained, columns)
    for about in study.references(spec, record.key):
        of = about.table.spec
        lines += ["", f"{of.title} ({terminal(about.table.file)}:{about.line})"]
        labelled = []
        for column, cell in zip(of.columns, about.row, strict=True):
            if column.type == "term":
                labels = book.vocabulary_of(column).labels
                cell = "; ".join(labels.get(value, value) for value in column.values(cell))
            labelled.append(cell if cell != record.key else "")
        lines += _cell_lines(of, labelled, columns, "  ")
    near = [] if record.is_excluded else neighbours(study, record)
    if near:
        lines += ["", "Entries with most tags in common"]
    for key, shared in near:
        lines += wrapped_line(f"  {terminal(key)}: {', '.join(shared)}", columns, 4)
    return "\n".join(map(str.rstrip, lines)) + "\n"


def _cell_lines(spec: TableSpec, texts: list[str], columns: int, margin: str = "") -> list[str]:
    """Return the cells of a row, each after the label of its column; an empty one is left out."""
    lines = []
    wide = max(len(column.label) for column in spec.columns)
    for column, text in zip(spec.columns, texts, strict=True):
        if text:
            line = f"{margin}{column.label:<{wide}}  {terminal(text)}"
            lines += wrapped_line(line, columns, len(margin) + wide + 2)
    return lines


def wrapped_line(line: str, columns: int, indent: int) -> list[str]:
    """Break a line at spaces, the lines after the first with an indentation."""
    # A long word may be an address, which would not work in two parts.
    return textwrap.wrap(
        line,
        columns,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def record_json(study: Study, record: LocatedRow) -> str:
    """Return a record as JSON: its cells, rows of other tables, of an entry its neighbours."""
    tables: dict[str, list[dict[str, str]]] = {}
    for about in study.references(record.table.spec, record.key):
        tables.setdefault(about.table.spec.name, []).append(about.cells)
    if record.is_excluded:
        return json_text({"excluded": record.cells, "tables": tables})
    near = [{"key": key, "shared": shared} for key, shared in neighbours(study, record)]
    return json_text({"entry": record.cells, "tables": tables, "neighbours": near})
