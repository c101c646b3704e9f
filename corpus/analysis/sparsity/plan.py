"""What the codebook's section `[sparsity]` declares: which axes count as taxonomy, which tables judge or grade them."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec, Vocabulary
from corpus.model.section import Section, raise_findings, read_settings


class ReadingsPlan(NamedTuple):
    """A table that says how strictly the tags of an axis hold.

    `unit` names its column with the judged tag, `reading` the one with the reading; `strict` and `near` are terms of
    the reading's vocabulary. Entries without a row have not been judged.
    """

    table: str
    axis: str
    unit: str
    reading: str
    strict: tuple[str, ...]
    near: tuple[str, ...]


class AnchorsPlan(NamedTuple):
    """A table of anchors, crossed by two of its term columns; the first term of `columns` is the highest grade."""

    table: str
    title: str
    rows: str
    columns: str


class Related(NamedTuple):
    """A term that stands near terms of other axes: `axis` = `term` is near to each of `to` (axis -> terms)."""

    axis: str
    term: str
    to: tuple[tuple[str, str], ...]


class SparsityPlan(NamedTuple):
    """The section as a whole; without one, all axes are ranked and a cell with one or two entries is thin."""

    threshold: int
    axes: tuple[str, ...]
    ordered: tuple[str, ...]
    readings: tuple[ReadingsPlan, ...]
    anchors: tuple[AnchorsPlan, ...]
    related: tuple[Related, ...]


def sparsity_plan(book: Codebook, file: str = "codebook.toml") -> SparsityPlan:
    """Read ``[sparsity]``; CorpusError with C001 findings where it names what the codebook does not declare."""
    section, findings = read_settings(book.settings, "sparsity", file)
    axes = tuple(column.name for column in book.pool.axes)
    plan = SparsityPlan(
        threshold=section.whole("threshold", 2),
        axes=section.some_of("axes", axes, axes),
        ordered=section.some_of("ordered", axes, ()),
        readings=tuple(_readings(item, book) for item in section.sections("readings")),
        anchors=tuple(_anchors(item, book) for item in section.sections("anchors")),
        related=tuple(_related(item, book) for item in section.sections("related")),
    )
    if plan.threshold < 0:
        section.mistake("threshold", "must not be negative")
    section.finish()
    raise_findings(findings)
    return plan


def term_column(section: Section, key: str, book: Codebook, table: TableSpec | None) -> tuple[str, Vocabulary | None]:
    """Read the name of a term column of a table; returns it with its vocabulary, or with None after a finding."""
    known = {c.name: book.vocabulary_of(c) for c in table.columns if c.type == "term"} if table else {}
    name = section.one_of(key, known) if table else section.text(key)
    return name, known.get(name)


def evidence_table(section: Section, key: str, book: Codebook) -> TableSpec | None:
    """Read the name of a table whose rows refer to pool entries; None after a finding."""
    table = book.tables.get(section.one_of(key, book.tables))
    if table is not None and table.reference_to(book.pool) is None:
        section.mistake(key, f"table {table.name} has no column of type 'ref' into {book.pool.name}")
        return None
    return table


def _readings(section: Section, book: Codebook) -> ReadingsPlan:
    table = evidence_table(section, "table", book)
    unit, _ = term_column(section, "unit", book, table)
    reading, readings = term_column(section, "reading", book, table)
    known = readings.ids if readings else ()
    plan = ReadingsPlan(
        table.name if table else "",
        section.one_of("axis", (column.name for column in book.pool.axes)),
        unit,
        reading,
        section.some_of("strict", known) if readings else section.strings("strict"),
        section.some_of("near", known, ()) if readings else section.strings("near", ()),
    )
    section.finish()
    return plan


def _anchors(section: Section, book: Codebook) -> AnchorsPlan:
    table = evidence_table(section, "table", book)
    rows, _ = term_column(section, "rows", book, table)
    columns, _ = term_column(section, "columns", book, table)
    plan = AnchorsPlan(table.name if table else "", section.text("title", table.title if table else ""), rows, columns)
    section.finish()
    return plan


def _related(section: Section, book: Codebook) -> Related:
    axes = {column.name: book.vocabulary_of(column) for column in book.pool.axes}
    axis = section.one_of("axis", axes)
    term = section.one_of("term", axes[axis].ids) if axis in axes else section.text("term")
    pairs = []
    for name, near in section.texts("to").items():
        if name not in axes:
            section.mistake(f"to.{name}", "is no axis")
        elif near not in axes[name].ids:
            section.mistake(f"to.{name}", f"{near!r} is none of {', '.join(axes[name].ids)}")
        pairs.append((name, near))
    section.finish()
    return Related(axis, term, tuple(pairs))
