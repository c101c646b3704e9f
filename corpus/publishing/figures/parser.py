"""From the codebook's section `[figures]` to figure plans; every mistake becomes a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from corpus.analysis.sparsity.plan import StrictnessPlan, read_grid, sparsity_plan
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.documents.section import Section, read_settings
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.plan import (
    WIDTHS,
    BarsPlan,
    FigurePlan,
    FlowPlan,
    HeatmapPlan,
    KindPlan,
    LadderPlan,
    MapPlan,
    ScatterPlan,
    SeriesPlan,
    TimelinePlan,
    default_figures,
    has_stages,
    record_reference,
)
from corpus.publishing.figures.window import window_problem

_NUMBERS = ("number", "integer")

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def figure_plans(book: Codebook, file: str = "codebook.toml") -> dict[str, FigurePlan]:
    """Read ``[figures]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section gets :func:`default_figures`.
    file : str
        The codebook as the user knows it.

    Raises
    ------
    CorpusError
        With C001 findings where a figure names what the codebook does not declare.
    """
    if "figures" not in book.settings:
        return default_figures(book)
    return read_settings(book, "figures", file, read_figures)


def read_figures(section: Section) -> dict[str, FigurePlan]:
    """Read ``[figures]``; mistakes are in the findings of the section."""
    plans = {}
    for name, declared in section.children().items():
        plan = _figure(name, declared)
        if plan is not None:
            plans[name] = plan
    return plans


def study_figures(study: Study, file: str = "codebook.toml") -> dict[str, FigurePlan]:
    """Read ``[figures]`` as :func:`figure_plans` does, for the records of a corpus.

    Where no record was excluded, a flow that nobody declared would show a screening that never
    happened; it is left out.
    """
    plans = figure_plans(study.codebook, file)
    is_declared = "figures" in study.codebook.settings
    if is_declared or any(log.rows for log in study.by_role("exclusions")):
        return plans
    return {name: plan for name, plan in plans.items() if plan.kind != "flow"}


def _figure(name: str, section: Section) -> FigurePlan | None:
    """Read one figure; None for a kind that is retired, and after a finding about it."""
    if not _FILE_NAME.fullmatch(name):
        problem = "must have a name of letters, digits, hyphens and underscores: it names files"
        section.mistake("", problem)
    if section.raw("kind") in RETIRED:
        section.allow(section)
        return None
    kind = section.one_of("kind", _KINDS)
    title = section.text("title", "")
    caption = section.text("caption", "")
    width = section.one_of("width", WIDTHS, "two")
    labels = section.texts("labels") if kind in _NAMES_ENTRIES else {}
    for key in labels:
        section.reference("row", key, "labels", key, of=section.book.pool.name, is_key=True)
    if kind not in _KINDS:
        return None
    of = _KINDS[kind](section)
    section.finish()
    return FigurePlan(name, kind, title, caption, width, labels, of)


def _name(column: Column | None) -> str:
    return column.name if column else ""


def _two_axes(section: Section) -> tuple[str, str]:
    rows, columns = section.axis("rows"), section.axis("columns")
    if rows and rows == columns:
        section.mistake("columns", "must be another axis than rows")
    return _name(rows), _name(columns)


def _of_type(table: TableSpec | None, *types: str) -> list[Column]:
    return [column for column in table.columns if column.type in types] if table else []


def _group(section: Section) -> Column | None:
    declared = section.book.pool.by_role("group")
    if declared and not section.has("group"):
        return declared
    return section.axis("group")


def _timeline(section: Section) -> TimelinePlan:
    table = section.evidence_table("table")
    date = section.column("date", table, _of_type(table, "date"))
    window = section.strings("window")
    problem = window_problem(window)
    if problem:
        section.mistake("window", problem)
        window = ("2000-01", "2000-01")
    first, last = window
    axis, terms = _milestones(section)
    name = table.name if table else ""
    return TimelinePlan(name, _name(date), _name(_group(section)), first, last, axis, terms)


def _milestones(section: Section) -> tuple[str, tuple[str, ...]]:
    """Read the axis and the terms that make an entry a milestone; empty where none are declared."""
    declared = section.sections("milestones")
    if len(declared) > 1:
        section.mistake("milestones[2]", "only the terms of one axis can be milestones")
    if not declared:
        return "", ()
    milestones = declared[0]
    axis = milestones.axis("axis")
    terms = milestones.terms("terms", axis)
    milestones.finish()
    return _name(axis), terms


def _heatmap(section: Section) -> HeatmapPlan:
    return HeatmapPlan(*_two_axes(section))


def _bars(section: Section) -> BarsPlan:
    axis, split = section.axis("axis"), section.axis("split", "")
    if split and split == axis:
        section.mistake("split", "must be another axis than the one of the bars")
    return BarsPlan(_name(axis), _name(split))


def _ladder(section: Section) -> LadderPlan:
    axis = _name(section.axis("axis"))
    try:
        declared = sparsity_plan(section.book).strictness
    except CorpusError:  # reported where [sparsity] itself is read
        declared = ()
    for plan in declared:
        if plan.axis == axis:
            return LadderPlan(plan)
    section.mistake("axis", f"[[sparsity.readings]] declares no readings of {axis!r}")
    return LadderPlan(StrictnessPlan("", axis, "", "", (), ()))


def _flow(section: Section) -> FlowPlan:
    if not has_stages(section.book):
        problem = "a flow needs a table of role 'exclusions' with a column of role 'stage'"
        section.mistake("kind", problem)
    table = section.table("reasons", "")
    reason = None
    if table is not None:
        reason = section.column("reason", table, table.term_columns)
        if not record_reference(table, section.book):
            problem = f"table {table.name} has no column of type 'ref' into the exclusion log"
            section.mistake("reasons", problem)
    group = _group(section)
    # An entry of two groups would be in two of the boxes.
    if group is not None and group.separator:
        problem = f"{group.name} holds several terms per cell, so the boxes would not add up"
        section.mistake("group", problem)
    name = table.name if table else ""
    return FlowPlan(_name(group), name, _name(reason), section.whole("audited", 0))


def _map(section: Section) -> MapPlan:
    return MapPlan(*_two_axes(section))


def _scatter(section: Section) -> ScatterPlan:
    series = tuple(_series(item) for item in section.sections("series"))
    if not series:
        section.mistake("series", "must have at least one")
    return ScatterPlan(section.text("x"), section.text("y"), series)


def _series(section: Section) -> SeriesPlan:
    label = section.text("label")
    table = section.evidence_table("table")
    value = section.column("value", table, _of_type(table, *_NUMBERS))
    is_open = section.flag("open", False)
    if table is None:
        return SeriesPlan(label, "", "", {}, {}, is_open)
    x, y = section.filters("x", table), section.filters("y", table)
    section.finish()
    return SeriesPlan(label, table.name, _name(value), x, y, is_open)


#: The kinds that print names of entries.
_NAMES_ENTRIES = ("timeline", "grid", "map", "scatter")

#: Kinds of older codebooks that no figure has any more: such a figure is left out.
RETIRED = ("ranges", "spread")

_KINDS: Mapping[str, Callable[[Section], KindPlan]] = {
    "timeline": _timeline,
    "heatmap": _heatmap,
    "bars": _bars,
    "ladder": _ladder,
    "grid": read_grid,
    "flow": _flow,
    "map": _map,
    "scatter": _scatter,
}
