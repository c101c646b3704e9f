"""What the codebook's section `[sparsity]` declares: ranked axes, tables that judge or grade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec, Vocabulary
from corpus.model.documents.section import Section, raise_findings, read_settings
from corpus.model.suggestions import unknown

#: A term that matters a hundred times as much as others is a gap of its own, not a weight.
_LARGEST_WEIGHT = 100


class StrictnessPlan(NamedTuple):
    """A table of judgements how strictly the tags of an axis hold.

    `unit` names its column with the judged tag, `reading` the one with the judgement; `strict` and
    `near` are terms of the vocabulary of judgements. Entries without a row have not been judged.
    """

    table: str
    axis: str
    unit: str
    reading: str
    strict: tuple[str, ...]
    near: tuple[str, ...]


class AnchorsPlan(NamedTuple):
    """A table of anchors, crossed by two term columns; `columns` are grades, the highest first."""

    table: str
    title: str
    rows: str
    columns: str


class Related(NamedTuple):
    """A term that is near others: `axis` = `term` is near each (axis, term) of `to`."""

    axis: str
    term: str
    to: tuple[tuple[str, str], ...]


class Important(NamedTuple):
    """A term whose gaps matter more: what a cell lacks counts `weight` times in the ranking."""

    axis: str
    term: str
    weight: float


class SparsityPlan(NamedTuple):
    """The section; without one, all axes are ranked and up to two entries are thin."""

    threshold: int
    axes: tuple[str, ...]
    ordered: tuple[str, ...]
    strictness: tuple[StrictnessPlan, ...]
    anchors: tuple[AnchorsPlan, ...]
    related: tuple[Related, ...]
    important: tuple[Important, ...] = ()

    def weight(self, axes: Sequence[str], terms: Sequence[str]) -> float:
        """Return how much a cell counts in the ranking: the largest weight of its terms."""
        cell = set(zip(axes, terms, strict=True))
        weights = [item.weight for item in self.important if (item.axis, item.term) in cell]
        return max(weights, default=1.0)


def sparsity_plan(book: Codebook, file: str = "codebook.toml") -> SparsityPlan:
    """Read ``[sparsity]``.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    section, findings = read_settings(book.settings, "sparsity", file)
    axes = book.pool.axis_names
    plan = SparsityPlan(
        threshold=section.whole("threshold", 2),
        axes=section.some_of("axes", axes, axes),
        ordered=section.some_of("ordered", axes, ()),
        strictness=tuple(_strictness(item, book) for item in section.sections("readings")),
        anchors=tuple(_anchors(item, book) for item in section.sections("anchors")),
        related=tuple(_related(item, book) for item in section.sections("related")),
        important=tuple(_important(item, book) for item in section.sections("important")),
    )
    titles: set[str] = set()
    for item, declared in zip(plan.anchors, section.sections("anchors"), strict=True):
        # Gaps name the table of anchors by its title.
        if item.title in titles:
            declared.mistake("title", f"duplicate title {item.title!r}")
        titles.add(item.title)
    if plan.threshold < 0:
        section.mistake("threshold", "must not be negative")
    section.finish()
    raise_findings(findings)
    return plan


def term_column(
    section: Section, key: str, book: Codebook, table: TableSpec | None
) -> tuple[str, Vocabulary | None]:
    """Read the name of a term column; its vocabulary is None after a finding."""
    if table is None:
        return section.text(key), None
    known = {column.name: vocabulary for _, column, vocabulary in book.term_columns(table)}
    name = section.one_of(key, known)
    return name, known.get(name)


def evidence_table(section: Section, key: str, book: Codebook) -> TableSpec | None:
    """Read the name of a table whose rows refer to pool entries; None after a finding."""
    table = book.tables.get(section.one_of(key, book.tables))
    if table is not None and table.reference_to(book.pool) is None:
        section.mistake(
            key, f"table {table.name} has no column of type 'ref' into {book.pool.name}"
        )
        return None
    return table


def _strictness(section: Section, book: Codebook) -> StrictnessPlan:
    table = evidence_table(section, "table", book)
    unit, _ = term_column(section, "unit", book, table)
    reading, vocabulary = term_column(section, "reading", book, table)
    axis = section.one_of("axis", list(book.pool.axis_names))
    if vocabulary is None:
        # The vocabulary is not known after a mistake, so only the type of the lists is checked.
        strict, near = section.strings("strict"), section.strings("near", ())
    else:
        strict = section.some_of("strict", vocabulary.ids)
        near = section.some_of("near", vocabulary.ids, ())
    plan = StrictnessPlan(table.name if table else "", axis, unit, reading, strict, near)
    section.finish()
    return plan


def _anchors(section: Section, book: Codebook) -> AnchorsPlan:
    table = evidence_table(section, "table", book)
    rows, _ = term_column(section, "rows", book, table)
    columns, _ = term_column(section, "columns", book, table)
    plan = AnchorsPlan(
        table.name if table else "",
        section.text("title", table.title if table else ""),
        rows,
        columns,
    )
    section.finish()
    return plan


def _important(section: Section, book: Codebook) -> Important:
    axis, term = _axis_and_term(section, book)
    weight = section.number("weight")
    is_number = isinstance(section.raw("weight"), int | float)
    if is_number and not 0 < weight <= _LARGEST_WEIGHT:
        section.mistake("weight", f"must be above 0 and at most {_LARGEST_WEIGHT}")
    # Not used by the program: whoever declares a weight tells why.
    section.text("reason")
    section.finish()
    return Important(axis, term, weight)


def _axis_and_term(section: Section, book: Codebook) -> tuple[str, str]:
    axes = book.axis_vocabularies
    axis = section.one_of("axis", axes)
    if axis in axes:
        return axis, section.one_of("term", axes[axis].ids)
    return axis, section.text("term")


def _related(section: Section, book: Codebook) -> Related:
    axes = book.axis_vocabularies
    axis, term = _axis_and_term(section, book)
    pairs = []
    for name, near in section.texts("to").items():
        if name not in axes:
            section.mistake(f"to.{name}", unknown("axis", name, axes))
        elif near not in axes[name].ids:
            section.mistake(f"to.{name}", unknown("term", near, axes[name].ids))
        pairs.append((name, near))
    section.finish()
    return Related(axis, term, tuple(pairs))
