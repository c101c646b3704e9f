"""What the codebook's section `[sparsity]` declares: ranked axes, tables that judge or grade."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpus.model.codebook import Codebook, Texts
from corpus.model.documents.section import Section, name_of, read_settings

#: A term that matters a hundred times as much as others is a gap of its own, not a weight.
_LARGEST_WEIGHT = 100


@dataclass(frozen=True)
class StrictnessPlan:
    """A table of judgements how strictly the tags of an axis hold.

    `unit` names its column with the judged tag, `reading` the one with the judgement; `strict` and
    `near` are terms of the vocabulary of judgements. Entries without a row have not been judged.
    """

    table: str
    axis: str
    unit: str
    reading: str
    strict: Texts
    near: Texts


@dataclass(frozen=True)
class AnchorsPlan:
    """A table of anchors, crossed by two term columns; `columns` are grades, the highest first.

    `marked` are the values of columns by which a figure marks an anchor: all of them must fit.
    """

    table: str
    title: str
    rows: str
    columns: str
    marked: Mapping[str, Texts] = field(default_factory=dict)


#: An axis and one of its terms.
AxisTerm = tuple[str, str]


@dataclass(frozen=True)
class SparsityPlan:
    """The section; without one, all axes are ranked and up to two entries are thin.

    `related` has the terms that are near a term of another axis; `important` how many times what a
    cell with a term lacks counts in the ranking.
    """

    threshold: int
    axes: Texts
    ordered: Texts
    strictness: tuple[StrictnessPlan, ...]
    anchors: tuple[AnchorsPlan, ...]
    related: Mapping[AxisTerm, list[AxisTerm]]
    important: Mapping[AxisTerm, float]

    def weight(self, axes: Sequence[str], terms: Sequence[str]) -> float:
        """Return how much a cell counts in the ranking: the largest weight of its terms."""
        cell = self.important.keys() & set(zip(axes, terms, strict=True))
        return max(map(self.important.__getitem__, cell), default=1.0)


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
    related: dict[AxisTerm, list[AxisTerm]] = {}
    for item in section.sections("related"):
        place = _axis_and_term(item)
        near = item.column_values("to", {column.name: (pool, column) for column in pool.axes})
        for name, terms in near.items():
            related.setdefault(place, []).extend((name, term) for term in terms)
        item.finish()
    important: dict[AxisTerm, float] = {}
    for item in section.sections("important"):
        place = _axis_and_term(item)
        weight = item.number("weight")
        if isinstance(item.raw("weight"), int | float) and not 0 < weight <= _LARGEST_WEIGHT:
            item.mistake("weight", f"must be above 0 and at most {_LARGEST_WEIGHT}")
        # Not used by the program: whoever declares a weight tells why.
        item.text("reason")
        item.finish()
        important[place] = max(weight, important.get(place, 0.0))
    anchors = {}
    for item in section.sections("anchors"):
        plan = read_grid(item)
        table = section.book.tables.get(plan.table)
        title = item.text("title", table.title if table else "")
        item.finish()
        # Gaps name the table of anchors by its title.
        if title in anchors:
            item.mistake("title", f"duplicate title {title!r}")
        anchors[title] = replace(plan, title=title)
    threshold = section.whole("threshold", 2)
    if threshold < 0:
        section.mistake("threshold", "must not be negative")
    found = SparsityPlan(
        threshold=threshold,
        axes=section.columns("axes", pool, pool.axes, pool.axis_names),
        ordered=section.columns("ordered", pool, pool.axes, ()),
        strictness=tuple(map(_strictness, section.sections("readings"))),
        anchors=tuple(anchors.values()),
        related=related,
        important=important,
    )
    section.finish()
    return found


def _axis_and_term(section: Section) -> AxisTerm:
    axis = section.axis("axis")
    return name_of(axis), section.term("term", axis)


def _strictness(section: Section) -> StrictnessPlan:
    table = section.evidence_table("table")
    unit, reading = section.term_column("unit", table), section.term_column("reading", table)
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


def read_grid(section: Section) -> AnchorsPlan:
    """Read a table of anchors and the two columns that cross it; its title is empty."""
    table = section.evidence_table("table")
    across, down = section.term_column("rows", table), section.term_column("columns", table)
    return AnchorsPlan(
        table=name_of(table),
        title="",
        rows=name_of(across),
        columns=name_of(down),
        marked=section.filters("marked", table),
    )
