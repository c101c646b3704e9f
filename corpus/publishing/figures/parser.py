"""From the codebook's section `[figures]` to figure plans; every mistake becomes a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from corpus.analysis.sparsity.plan import (
    AnchorsPlan,
    StrictnessPlan,
    evidence_table,
    sparsity_plan,
    term_column,
)
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.section import Section, raise_findings, read_settings
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.suggestions import unknown
from corpus.publishing.figures.plan import (
    WIDTHS,
    BarsPlan,
    FigurePlan,
    FlowPlan,
    HeatmapPlan,
    KindPlan,
    LadderPlan,
    MapPlan,
    PanelPlan,
    RangesPlan,
    SeriesPlan,
    SpreadPlan,
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
    section, findings = read_settings(book.settings, "figures", file)
    plans = {}
    for name, declared in section.children().items():
        plan = _figure(name, declared, book)
        if plan is not None:
            plans[name] = plan
    raise_findings(findings)
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


def _figure(name: str, section: Section, book: Codebook) -> FigurePlan | None:
    """Read one figure; None after a finding about its kind."""
    if not _FILE_NAME.fullmatch(name):
        problem = "must have a name of letters, digits, hyphens and underscores: it names files"
        section.mistake("", problem)
    kind = section.one_of("kind", _KINDS)
    title = section.text("title", "")
    caption = section.text("caption", "")
    width = section.one_of("width", WIDTHS, "two")
    labels = section.texts("labels") if kind in _NAMES_ENTRIES else {}
    if kind not in _KINDS:
        return None
    read_kind = _KINDS[kind]
    of = read_kind(section, book)
    section.finish()
    return FigurePlan(name, kind, title, caption, width, labels, of)


def _axis(section: Section, key: str, book: Codebook, default: str | None = None) -> str:
    return section.one_of(key, book.pool.axis_names, default)


def _two_axes(section: Section, book: Codebook) -> tuple[str, str]:
    rows = _axis(section, "rows", book)
    columns = _axis(section, "columns", book)
    if rows == columns:
        section.mistake("columns", "must be another axis than rows")
    return rows, columns


def _number_columns(table: TableSpec) -> list[str]:
    return [column.name for column in table.columns if column.type in _NUMBERS]


def _group(section: Section, book: Codebook) -> str:
    declared = book.pool.by_role("group")
    default = declared.name if declared else None
    return _axis(section, "group", book, default)


def _timeline(section: Section, book: Codebook) -> TimelinePlan:
    table = evidence_table(section, "table", book)
    if table is None:
        name = ""
        date = section.text("date")
    else:
        name = table.name
        dates = [column.name for column in table.columns if column.type == "date"]
        date = section.one_of("date", dates)
    window = section.strings("window")
    problem = window_problem(window)
    if problem:
        section.mistake("window", problem)
        window = ("2000-01", "2000-01")
    first, last = window
    axis, terms = _milestones(section, book)
    group = _group(section, book)
    return TimelinePlan(name, date, group, first, last, axis, terms)


def _milestones(section: Section, book: Codebook) -> tuple[str, tuple[str, ...]]:
    """Read the axis and the terms that make an entry a milestone; empty where none are declared."""
    axis = ""
    terms: tuple[str, ...] = ()
    declared = section.sections("milestones")
    if len(declared) > 1:
        section.mistake("milestones[2]", "only the terms of one axis can be milestones")
    for milestones in declared[:1]:
        axis = _axis(milestones, "axis", book)
        known: tuple[str, ...] = ()
        if axis in book.pool.axis_names:
            _, vocabulary = book.axis(axis)
            known = vocabulary.ids
        terms = milestones.some_of("terms", known)
        milestones.finish()
    return axis, terms


def _heatmap(section: Section, book: Codebook) -> HeatmapPlan:
    return HeatmapPlan(*_two_axes(section, book))


def _bars(section: Section, book: Codebook) -> BarsPlan:
    axis = _axis(section, "axis", book)
    split = _axis(section, "split", book, "")
    if split and split == axis:
        section.mistake("split", "must be another axis than the one of the bars")
    return BarsPlan(axis, split)


def _ladder(section: Section, book: Codebook) -> LadderPlan:
    axis = _axis(section, "axis", book)
    try:
        declared = sparsity_plan(book).strictness
    except CorpusError:  # reported where [sparsity] itself is read
        declared = ()
    for plan in declared:
        if plan.axis == axis:
            return LadderPlan(plan)
    section.mistake("axis", f"[[sparsity.readings]] declares no readings of {axis!r}")
    return LadderPlan(StrictnessPlan("", axis, "", "", (), ()))


def _anchors(section: Section, book: Codebook) -> AnchorsPlan:
    table = evidence_table(section, "table", book)
    rows, _ = term_column(section, "rows", book, table)
    columns, _ = term_column(section, "columns", book, table)
    name = table.name if table else ""
    return AnchorsPlan(name, "", rows, columns)


def _flow(section: Section, book: Codebook) -> FlowPlan:
    if not has_stages(book):
        problem = "a flow needs a table of role 'exclusions' with a column of role 'stage'"
        section.mistake("kind", problem)
    reasons = section.one_of("reasons", book.tables, "")
    reason = ""
    if reasons in book.tables:
        table = book.tables[reasons]
        reason, _ = term_column(section, "reason", book, table)
        if not record_reference(table, book):
            problem = f"table {reasons} has no column of type 'ref' into the exclusion log"
            section.mistake("reasons", problem)
    group = _group(section, book)
    several = [column.name for column in book.pool.axes if column.separator]
    # An entry of two groups would be in two of the boxes.
    if group in several:
        problem = f"{group} holds several terms per cell, so the boxes would not add up"
        section.mistake("group", problem)
    return FlowPlan(group, reasons, reason, section.whole("audited", 0))


def _ranges(section: Section, book: Codebook) -> RangesPlan:
    table = evidence_table(section, "table", book)
    name = ""
    names: list[str] = []
    if table is None:
        value = section.text("value")
    else:
        name = table.name
        names = [column.name for column in table.columns]
        value = section.one_of("value", _number_columns(table))
    unit = section.one_of("unit", names)
    quantity = section.one_of("quantity", names)
    boundary = section.one_of("boundary", names)
    kind = ""
    if section.has("bound"):
        kind, _ = term_column(section, "bound", book, table)
    return RangesPlan(name, value, unit, quantity, kind, boundary)


def _map(section: Section, book: Codebook) -> MapPlan:
    return MapPlan(*_two_axes(section, book))


def _spread(section: Section, book: Codebook) -> SpreadPlan:
    panels: list[PanelPlan] = []
    for panel in section.sections("panels"):
        series = tuple(_series(item, book) for item in panel.sections("series"))
        panels.append(PanelPlan(panel.text("title"), series))
        if not series:
            panel.mistake("series", "must have at least one")
        panel.finish()
    if not panels:
        section.mistake("panels", "must have at least one")
    return SpreadPlan(tuple(panels))


def _series(section: Section, book: Codebook) -> SeriesPlan:
    label = section.text("label")
    table = evidence_table(section, "table", book)
    where: dict[str, tuple[str, ...]] = {}
    if section.has("where"):
        where = section.lists("where")
    if table is None:
        return SeriesPlan(label, "", section.text("value"), where)
    value = section.one_of("value", _number_columns(table))
    for name, values in where.items():
        _check_values(section, name, values, table, book)
    section.finish()
    return SeriesPlan(label, table.name, value, where)


def _check_values(
    section: Section, name: str, values: tuple[str, ...], table: TableSpec, book: Codebook
) -> None:
    """Report a column that a table does not have, or a term that the column does not have."""
    if name not in table.header:
        section.mistake(f"where.{name}", unknown("column", name, table.header))
        return
    column = table.column(name)
    if column.type != "term":
        return
    known = book.vocabulary_of(column).ids
    for value in values:
        if value not in known:
            section.mistake(f"where.{name}", unknown("term", value, known))


#: The kinds that print names of entries.
_NAMES_ENTRIES = ("timeline", "grid", "ranges", "map", "spread")

_KINDS: Mapping[str, Callable[[Section, Codebook], KindPlan]] = {
    "timeline": _timeline,
    "heatmap": _heatmap,
    "bars": _bars,
    "ladder": _ladder,
    "grid": _anchors,
    "flow": _flow,
    "ranges": _ranges,
    "map": _map,
    "spread": _spread,
}
