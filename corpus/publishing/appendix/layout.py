"""What the codebook's section `[appendix]` declares: the pool table in print, and its company."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.documents.section import Section, name_of, read_settings


class AppendixColumn(NamedTuple):
    """One column of the pool table: `columns` of the pool, whose cells are joined by a slash.

    `short` maps terms to their abbreviations where these differ from those of the vocabulary.
    What is `below` is printed by LaTeX across the table, under the other cells of its row.
    """

    heading: str
    columns: tuple[Column, ...]
    short: Mapping[str, str] = {}
    below: bool = False

    @property
    def role(self) -> str:
        """The role of the first column."""
        return self.columns[0].role


@dataclass(frozen=True)
class AppendixPlan:
    """The section as read.

    Attributes
    ----------
    columns : tuple of AppendixColumn
        Of the compact pool table.
    table, group : str
        Term column that groups the rows, and the table that it is in; empty without groups.
    sort : tuple of str
        Columns that sort the rows of a group.
    note : str
        Printed below the table, after the numbers of the groups.
    facets : mapping of str to str
        Axis -> what its counts show, in the part ``statistics``.
    evidence, ledger : tuple of str or None
        Sections of ``[evidence]`` that these parts print; all of them, and none, where not given.
    claims : str
        Place of the claims that the part ``ledger`` prints.
    leave_out : tuple of str
        Tables that are printed where their part is named, and not with all parts.
    """

    columns: tuple[AppendixColumn, ...]
    table: str
    group: str
    sort: tuple[str, ...]
    note: str
    facets: Mapping[str, str]
    evidence: tuple[str, ...] | None
    ledger: tuple[str, ...]
    claims: str
    leave_out: tuple[str, ...]


def appendix_plan(book: Codebook) -> AppendixPlan:
    """Read ``[appendix]``; what is not declared follows from the roles of the pool's columns.

    Parameters
    ----------
    book : Codebook
        The codebook.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "appendix", read_appendix)


def read_appendix(section: Section) -> AppendixPlan:
    """Read ``[appendix]``; mistakes are in the findings of the section."""
    pool, declared = section.book.pool, section.book.settings.get("evidence", ())
    table: TableSpec | None = pool
    usual = pool.by_role("group")
    if section.has("table"):
        table, usual = section.evidence_table("table"), None
    year = name_of(pool.by_role("year"))
    facets = section.texts("facets")
    for axis in facets:
        section.reference(
            "column", axis, "facets", axis, of=pool.name, known=pool.axis_names, is_key=True
        )
    evidence = None
    if section.has("evidence"):
        evidence = section.some_of("evidence", declared)
    found = AppendixPlan(
        columns=tuple(map(_column, section.sections("columns"))) or fallback_columns(pool),
        table=name_of(table),
        group=name_of(section.column("group", table, default=name_of(usual))),
        sort=section.columns("sort", pool, default=tuple(filter(None, [year]))),
        note=section.text("note", ""),
        facets=facets,
        evidence=evidence,
        ledger=section.some_of("ledger", declared, ()),
        claims=section.text("claims", "ledger"),
        leave_out=section.strings("leave_out", ()),
    )
    section.allow(["table"])
    section.finish()
    return found


def _column(section: Section) -> AppendixColumn:
    pool = section.book.pool
    names = section.columns("columns", pool)
    columns = tuple(pool.column(name) for name in names if name in pool.header)
    if not columns:
        section.mistake("columns", "must name at least one column")
    heading = section.text("heading", columns[0].label if columns else "")
    short = section.texts("short")
    for term in short:
        for column in columns:
            section.value(column, term, "short", term, is_key=True)
    found = AppendixColumn(heading, columns, short, section.flag("below", False))
    section.finish()
    return found


def fallback_columns(pool: TableSpec) -> tuple[AppendixColumn, ...]:
    """Return key, year and venue, the axes without the grouping one; below, title and summary.

    All columns where the pool has fewer than two of them.
    """
    beside: list[tuple[Column, ...]] = []
    for roles in (("key",), ("year", "venue")):
        beside.append(tuple(filter(None, map(pool.by_role, roles))))
    beside += [(axis,) for axis in pool.axes if axis.role != "group"]
    below = list(filter(None, map(pool.by_role, ("title", "summary"))))
    shown = list(filter(None, beside))
    if len(shown) + len(below) < 2:
        below, shown = [], [(column,) for column in pool.columns]
    found = []
    for columns in shown:
        found.append(AppendixColumn(" / ".join(column.label for column in columns), columns))
    for text in below:
        found.append(AppendixColumn(text.label, (text,), below=True))
    return tuple(found)
