"""The kinds of figures, and the codebook's section `[figures]` that declares some of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column
from corpus.model.documents.section import Section, read_settings
from corpus.model.study import Study
from corpus.publishing.figures.kinds.bars import BarsPlan, LadderPlan
from corpus.publishing.figures.kinds.flow import FlowPlan, staged_log
from corpus.publishing.figures.kinds.heatmap import HeatmapPlan
from corpus.publishing.figures.kinds.named_cells import GridPlan, MapPlan
from corpus.publishing.figures.kinds.scatter import ScatterPlan
from corpus.publishing.figures.kinds.timeline import TimelinePlan
from corpus.publishing.figures.plan import WIDTHS, FigurePlan, KindPlan

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class FigureKind(NamedTuple):
    """A kind of figure.

    Attributes
    ----------
    read : callable
        Section of the figure -> what it declares for this kind.
    version : int
        Raise it when the same data would look different: all figures of the kind become stale.
    names_entries : bool
        Whether it prints names of entries, so that the figure may have `labels`.
    """

    read: Callable[[Section], KindPlan]
    version: int
    names_entries: bool = False


KINDS: dict[str, FigureKind] = {
    "timeline": FigureKind(TimelinePlan.read, 3, names_entries=True),
    "heatmap": FigureKind(HeatmapPlan.read, 2),
    "bars": FigureKind(BarsPlan.read, 4),
    "ladder": FigureKind(LadderPlan.read, 4),
    "grid": FigureKind(GridPlan.read, 4, names_entries=True),
    "flow": FigureKind(FlowPlan.read, 3),
    "map": FigureKind(MapPlan.read, 2, names_entries=True),
    "scatter": FigureKind(ScatterPlan.read, 2, names_entries=True),
}

#: Kinds of older codebooks that no figure has any more: such a figure is left out.
RETIRED = ("ranges", "spread")


def figure_plans(book: Codebook) -> dict[str, FigurePlan]:
    """Read ``[figures]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section gets :func:`default_figures`.

    Raises
    ------
    CorpusError
        With C001 findings where a figure names what the codebook does not declare.
    """
    if "figures" not in book.settings:
        return default_figures(book)
    return read_settings(book, "figures", read_figures)


def read_figures(section: Section) -> dict[str, FigurePlan]:
    """Read ``[figures]``; mistakes are in the findings of the section."""
    plans = {}
    for name, declared in section.children().items():
        plan = _figure(name, declared)
        if plan is not None:
            plans[name] = plan
    return plans


def study_figures(study: Study) -> dict[str, FigurePlan]:
    """Read ``[figures]`` as :func:`figure_plans` does, for the records of a corpus.

    Where no record was excluded, a flow that nobody declared would show a screening that never
    happened; it is left out.
    """
    plans = figure_plans(study.codebook)
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
    kind = section.one_of("kind", KINDS)
    title = section.text("title", "")
    caption = section.text("caption", "")
    width = section.one_of("width", WIDTHS, "two")
    of_kind = KINDS.get(kind)
    labels = section.texts("labels") if of_kind and of_kind.names_entries else {}
    for key in labels:
        section.reference("row", key, "labels", key, of=section.book.pool.name, is_key=True)
    if of_kind is None:
        return None
    of = of_kind.read(section)
    section.finish()
    return FigurePlan(name, kind, title, caption, width, labels, of)


def default_figures(book: Codebook) -> dict[str, FigurePlan]:
    """Return figures that fit any corpus.

    These are bars for the first axis, a heatmap for every cross-tabulation, and the flow where
    records were excluded.
    """
    plans = []
    axis = book.pool.by_role("group") or next(iter(book.pool.axes), None)
    if axis is not None:
        title = f"Entries by {axis.label.lower()}"
        bars = BarsPlan(axis.name)
        plans.append(FigurePlan(axis.name, "bars", title, "", "one", {}, bars))
    for crosstab in book.crosstabs:
        heatmap = HeatmapPlan(crosstab.rows, crosstab.columns)
        plans.append(FigurePlan(crosstab.id, "heatmap", crosstab.title, "", "one", {}, heatmap))
    group = _flow_group(book, axis)
    if group is not None and staged_log(book):
        flow = FlowPlan(group.name)
        plans.append(FigurePlan("screening", "flow", "Screening", "", "two", {}, flow))
    return {plan.name: plan for plan in plans}


def _flow_group(book: Codebook, preferred: Column | None) -> Column | None:
    """Return an axis with one term per cell: only then do the boxes of a flow add up."""
    for column in (preferred, *book.pool.axes):
        if column is not None and not column.separator:
            return column
    return None
