"""What the codebook's section `[evidence]` declares: evidence tables in print."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.section import Section, name_of, read_settings

#: Types of columns whose values may head the rows or columns of a matrix.
_HEADS = ("term", "ref", "key")


class BesidePlan(NamedTuple):
    """A second table that judges the same places: its column of columns and of cells."""

    table: str
    columns: str
    cell: str


class MatrixPlan(NamedTuple):
    """An evidence table crossed by two of its columns.

    `cell` names the column that is printed in the cells; where it is empty, rows are counted.
    `lacking` are terms of `cell`, or of `columns` where rows are counted: what has none of them is
    named below the table. `beside` is the table whose cells are shown where they differ.
    """

    rows: str
    columns: str
    cell: str
    lacking: tuple[str, ...]
    beside: BesidePlan | None = None


class ListPlan(NamedTuple):
    """Some columns of an evidence table, row by row.

    `also` are tables that refer to this one, each with the column that is shown of their rows.
    `counts` is a term column: entries of the pool that have one of its terms are counted.
    """

    columns: tuple[str, ...]
    also: tuple[tuple[str, str], ...] = ()
    counts: str = ""


class EvidencePlan(NamedTuple):
    """One printed table: its name, the table that it is made from, and how."""

    name: str
    title: str
    note: str
    table: str
    of: MatrixPlan | ListPlan


def evidence_plans(book: Codebook) -> tuple[EvidencePlan, ...]:
    """Read ``[evidence]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section has no such tables.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "evidence", read_evidence)


def read_evidence(section: Section) -> tuple[EvidencePlan, ...]:
    """Read ``[evidence]``; mistakes are in the findings of the section."""
    plans = [_plan(name, declared) for name, declared in section.children().items()]
    return tuple(plan for plan in plans if plan is not None)


def _plan(name: str, section: Section) -> EvidencePlan | None:
    table = section.table("table")
    if table is None:
        return None
    title = section.text("title", table.title)
    note = section.text("note", "")
    if section.has("list") == section.has("rows"):
        section.mistake("", "needs either `rows` and `columns`, or `list`")
        return None
    of: MatrixPlan | ListPlan
    if section.has("list"):
        of = _list(section, table)
    else:
        of = _matrix(section, table)
    section.finish()
    return EvidencePlan(name, title, note, table.name, of)


def _list(section: Section, table: TableSpec) -> ListPlan:
    columns = section.columns("list", table)
    also: list[tuple[str, str]] = []
    for item in section.sections("also"):
        other = item.table("table")
        shown = item.column("show", other)
        if other is not None and other.reference_to(table) is None:
            item.mistake("table", f"table {other.name} does not refer to {table.name}")
        elif other is not None and shown is not None:
            also.append((other.name, shown.name))
        item.finish()
    axes = {axis.vocabulary for axis in section.book.pool.axes}
    counted = [column for column in table.term_columns if column.vocabulary in axes]
    counts = section.column("counts", table, counted, "")
    return ListPlan(columns, tuple(also), name_of(counts))


def _matrix(section: Section, table: TableSpec) -> MatrixPlan:
    heads = [column for column in table.columns if column.type in _HEADS]
    rows = section.column("rows", table, heads)
    columns = section.column("columns", table, heads)
    if rows and rows == columns:
        section.mistake("columns", "must be another column than rows")
    cell = section.column("cell", table, default="")
    counted = cell or columns
    if counted and counted.type != "term" and section.has("lacking"):
        section.mistake("lacking", f"column {counted.name} has no terms")
        counted = None
    lacking = section.terms("lacking", counted, ())
    first, second, third = map(name_of, (rows, columns, cell))
    return MatrixPlan(first, second, third, lacking, _beside(section, first))


def _beside(section: Section, rows: str) -> BesidePlan | None:
    """Read the table to compare with; its rows are headed by a column named like ours."""
    if not section.has("beside"):
        return None
    beside = section.section("beside")
    table = beside.table("table")
    terms = table.term_columns if table else ()
    columns = beside.column("columns", table, terms)
    cell = beside.column("cell", table, terms)
    if table is not None and rows not in table.header:
        beside.mistake("table", f"table {table.name} has no column {rows!r}")
    beside.finish()
    if table is None or columns is None or cell is None:
        return None
    return BesidePlan(table.name, columns.name, cell.name)
