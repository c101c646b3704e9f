"""What the codebook's section `[sparsity]` declares: ranked axes, tables that judge or grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, name_of, read_settings

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
    """A table of anchors, crossed by two term columns; `columns` are grades, the highest first.

    `marked` are the values of columns by which a figure marks an anchor: all of them must fit.
    """

    table: str
    title: str
    rows: str
    columns: str
    marked: Mapping[str, tuple[str, ...]] = {}


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


def sparsity_plan(book: Codebook) -> SparsityPlan:
    """Read ``[sparsity]``.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "sparsity", read_sparsity)


def read_sparsity(section: Section) -> SparsityPlan:
    """Read ``[sparsity]``; mistakes are in the findings of the section."""
    pool = section.book.pool
    plan = SparsityPlan(
        threshold=section.whole("threshold", 2),
        axes=section.columns("axes", pool, pool.axes, pool.axis_names),
        ordered=section.columns("ordered", pool, pool.axes, ()),
        strictness=tuple(_strictness(item) for item in section.sections("readings")),
        anchors=tuple(_anchors(item) for item in section.sections("anchors")),
        related=tuple(_related(item) for item in section.sections("related")),
        important=tuple(_important(item) for item in section.sections("important")),
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
    return plan


def _strictness(section: Section) -> StrictnessPlan:
    table = section.evidence_table("table")
    columns = table.term_columns if table else ()
    unit = section.column("unit", table, columns)
    reading = section.column("reading", table, columns)
    axis = section.axis("axis")
    plan = StrictnessPlan(
        name_of(table),
        name_of(axis),
        name_of(unit),
        name_of(reading),
        section.terms("strict", reading),
        section.terms("near", reading, ()),
    )
    section.finish()
    return plan


def _anchors(section: Section) -> AnchorsPlan:
    plan = read_grid(section)
    table = section.book.tables.get(plan.table)
    plan = plan._replace(title=section.text("title", table.title if table else ""))
    section.finish()
    return plan


def read_grid(section: Section) -> AnchorsPlan:
    """Read a table of anchors and the two columns that cross it; its title is empty."""
    table = section.evidence_table("table")
    columns = table.term_columns if table else ()
    across, down = section.column("rows", table, columns), section.column("columns", table, columns)
    return AnchorsPlan(
        table=name_of(table),
        title="",
        rows=name_of(across),
        columns=name_of(down),
        marked=section.filters("marked", table) if table else {},
    )


def _important(section: Section) -> Important:
    axis, term = _axis_and_term(section)
    weight = section.number("weight")
    is_number = isinstance(section.raw("weight"), int | float)
    if is_number and not 0 < weight <= _LARGEST_WEIGHT:
        section.mistake("weight", f"must be above 0 and at most {_LARGEST_WEIGHT}")
    # Not used by the program: whoever declares a weight tells why.
    section.text("reason")
    section.finish()
    return Important(axis, term, weight)


def _axis_and_term(section: Section) -> tuple[str, str]:
    axis = section.axis("axis")
    return name_of(axis), section.term("term", axis)


def _related(section: Section) -> Related:
    axis, term = _axis_and_term(section)
    pool = section.book.pool
    near = section.column_values("to", {column.name: (pool, column) for column in pool.axes})
    pairs = []
    for name, terms in near.items():
        pairs += [(name, value) for value in terms]
    section.finish()
    return Related(axis, term, tuple(pairs))
