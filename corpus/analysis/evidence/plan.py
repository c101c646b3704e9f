"""What the codebook's section `[evidence]` declares: evidence tables in print."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec, Vocabulary
from corpus.model.documents.section import Section, raise_findings, read_settings

#: Types of columns whose values may head the rows or columns of a matrix.
_HEADS = ("term", "ref", "key")


class MatrixPlan(NamedTuple):
    """An evidence table crossed by two of its columns.

    `cell` names the column that is printed in the cells; where it is empty, rows are counted.
    `lacking` are terms of `cell`, or of `columns` where rows are counted: what has none of them is
    named below the table.
    """

    rows: str
    columns: str
    cell: str
    lacking: tuple[str, ...]


class ListPlan(NamedTuple):
    """Some columns of an evidence table, row by row."""

    columns: tuple[str, ...]


class EvidencePlan(NamedTuple):
    """One printed table: its name, the table that it is made from, and how."""

    name: str
    title: str
    note: str
    table: str
    of: MatrixPlan | ListPlan


def evidence_plans(book: Codebook, file: str = "codebook.toml") -> tuple[EvidencePlan, ...]:
    """Read ``[evidence]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section has no such tables.
    file : str
        The codebook as the user knows it.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    section, findings = read_settings(book.settings, "evidence", file)
    plans: list[EvidencePlan] = []
    for name, declared in section.children().items():
        plan = _plan(name, declared, book)
        if plan is not None:
            plans.append(plan)
    raise_findings(findings)
    return tuple(plans)


def _plan(name: str, section: Section, book: Codebook) -> EvidencePlan | None:
    table = book.tables.get(section.one_of("table", book.tables))
    if table is None:
        return None
    title = section.text("title", table.title)
    note = section.text("note", "")
    if section.has("list") == section.has("rows"):
        section.mistake("", "needs either `rows` and `columns`, or `list`")
        return None
    of: MatrixPlan | ListPlan
    if section.has("list"):
        of = ListPlan(section.some_of("list", table.header))
    else:
        of = _matrix(section, table, book)
    section.finish()
    return EvidencePlan(name, title, note, table.name, of)


def _matrix(section: Section, table: TableSpec, book: Codebook) -> MatrixPlan:
    heads = [column.name for column in table.columns if column.type in _HEADS]
    rows = section.one_of("rows", heads)
    columns = section.one_of("columns", heads)
    if rows == columns:
        section.mistake("columns", "must be another column than rows")
    cell = section.one_of("cell", table.header, "")
    vocabulary = _vocabulary(table, cell or columns, book)
    known: tuple[str, ...] = ()
    if vocabulary is not None:
        known = vocabulary.ids
    lacking = section.some_of("lacking", known, ())
    return MatrixPlan(rows, columns, cell, lacking)


def _vocabulary(table: TableSpec, name: str, book: Codebook) -> Vocabulary | None:
    for _, column, vocabulary in book.term_columns(table):
        if column.name == name:
            return vocabulary
    return None
