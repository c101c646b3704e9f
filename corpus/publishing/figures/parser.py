"""From the codebook's section `[figures]` to figure plans; says every mistake in it, with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from corpus.analysis.sparsity.plan import AnchorsPlan, ReadingsPlan, evidence_table, sparsity_plan, term_column
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError
from corpus.model.section import Section, raise_findings, read_settings
from corpus.publishing.figures.plan import (
    WIDTHS,
    BarsPlan,
    FigurePlan,
    FlowPlan,
    HeatmapPlan,
    KindPlan,
    LadderPlan,
    RangesPlan,
    TimelinePlan,
    default_figures,
    window_problem,
)


def figure_plans(book: Codebook, file: str = "codebook.toml") -> dict[str, FigurePlan]:
    """Read ``[figures]``, in declared order; without it, figures that fit any corpus (see :func:`default_figures`).

    Raises
    ------
    CorpusError
        With C001 findings where a figure names what the codebook does not declare.
    """
    if "figures" not in book.settings:
        return default_figures(book)
    section, findings = read_settings(book.settings, "figures", file)
    plans = {name: _figure(name, item, book) for name, item in section.children().items()}
    raise_findings(findings)
    return {name: plan for name, plan in plans.items() if plan is not None}


def _figure(name: str, section: Section, book: Codebook) -> FigurePlan | None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", name):
        section.mistake("", "must have a name of letters, digits, hyphens and underscores: it names files")
    kind = section.one_of("kind", _KINDS)
    title, caption = section.text("title", ""), section.text("caption", "")
    width, labels = section.one_of("width", WIDTHS, "two"), section.texts("labels") if kind in _NAMES_ENTRIES else {}
    if kind not in _KINDS:
        return None
    of = _KINDS[kind](section, book)
    section.finish()
    return FigurePlan(name, kind, title, caption, width, labels, of)


def _axis(section: Section, key: str, book: Codebook, default: str | None = None) -> str:
    return section.one_of(key, (column.name for column in book.pool.axes), default)


def _group(section: Section, book: Codebook) -> str:
    group = book.pool.by_role("group")
    return _axis(section, "group", book, group.name if group else None)


def _timeline(section: Section, book: Codebook) -> TimelinePlan:
    table = evidence_table(section, "table", book)
    dates = [column.name for column in table.columns if column.type == "date"] if table else []
    date = section.one_of("date", dates) if table else section.text("date")
    window = section.strings("window")
    problem = window_problem(window)
    if problem:
        section.mistake("window", problem)
        window = ("2000-01", "2000-01")
    first, last = window
    axis, terms = "", tuple[str, ...]()
    for milestones in section.sections("milestones")[:1]:
        axis = _axis(milestones, "axis", book)
        known = book.axis(axis)[1].ids if axis in {column.name for column in book.pool.axes} else ()
        terms = milestones.some_of("terms", known)
        milestones.finish()
    return TimelinePlan(table.name if table else "", date, _group(section, book), first, last, axis, terms)


def _heatmap(section: Section, book: Codebook) -> HeatmapPlan:
    plan = HeatmapPlan(_axis(section, "rows", book), _axis(section, "columns", book))
    if plan.rows == plan.columns:
        section.mistake("columns", "must be another axis than rows")
    return plan


def _bars(section: Section, book: Codebook) -> BarsPlan:
    return BarsPlan(_axis(section, "axis", book), _axis(section, "split", book, ""))


def _ladder(section: Section, book: Codebook) -> LadderPlan:
    axis = _axis(section, "axis", book)
    try:
        plan = next((item for item in sparsity_plan(book).readings if item.axis == axis), None)
    except CorpusError:  # the mistakes of [sparsity] are said where it is read for itself
        plan = None
    if plan is None:
        section.mistake("axis", f"[[sparsity.readings]] declares no readings of {axis!r}")
        plan = ReadingsPlan("", axis, "", "", (), ())
    return LadderPlan(plan)


def _anchors(section: Section, book: Codebook) -> AnchorsPlan:
    table = evidence_table(section, "table", book)
    rows, _ = term_column(section, "rows", book, table)
    columns, _ = term_column(section, "columns", book, table)
    return AnchorsPlan(table.name if table else "", "", rows, columns)


def _flow(section: Section, book: Codebook) -> FlowPlan:
    if not any(table.by_role("stage") for table in book.by_role("exclusions")):
        section.mistake("kind", "a flow needs a table of role 'exclusions' with a column of role 'stage'")
    reasons, reason = section.one_of("reasons", book.tables, ""), ""
    if reasons in book.tables:
        reason, _ = term_column(section, "reason", book, book.tables[reasons])
        if record_reference(book.tables[reasons], book) == "":
            section.mistake("reasons", f"table {reasons} has no column of type 'ref' into the exclusion log")
    group = _group(section, book)
    if any(column.name == group and column.separator for column in book.pool.axes):
        section.mistake("group", f"{group} holds several terms a cell, so the boxes would not sum up")
    return FlowPlan(group, reasons, reason, section.whole("audited", 0))


def record_reference(table: TableSpec, book: Codebook) -> str:
    """Return the column that refers to the exclusion log, or an empty string."""
    logs = {log.name for log in book.by_role("exclusions")}
    return next((c.name for c in table.columns if c.type == "ref" and c.references in logs), "")


def _ranges(section: Section, book: Codebook) -> RangesPlan:
    table = evidence_table(section, "table", book)
    numbers = [column.name for column in table.columns if column.type in ("number", "integer")] if table else []
    names = [column.name for column in table.columns] if table else []
    value = section.one_of("value", numbers) if table else section.text("value")
    unit, quantity, boundary = (section.one_of(key, names) for key in ("unit", "quantity", "boundary"))
    kind = term_column(section, "bound", book, table)[0] if section.has("bound") else ""
    return RangesPlan(table.name if table else "", value, unit, quantity, kind, boundary)


#: The kinds that print names of entries.
_NAMES_ENTRIES = ("timeline", "grid", "ranges")

_KINDS: Mapping[str, Callable[[Section, Codebook], KindPlan]] = {
    "timeline": _timeline,
    "heatmap": _heatmap,
    "bars": _bars,
    "ladder": _ladder,
    "grid": _anchors,
    "flow": _flow,
    "ranges": _ranges,
}
