"""The kinds of figures, and the codebook's section `[figures]` that declares some of them."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, read_settings
from corpus.model.study import Study
from corpus.publishing.figures.kinds.bars import read_bars, read_ladder
from corpus.publishing.figures.kinds.flow import read_flow, staged_log
from corpus.publishing.figures.kinds.heatmap import read_heatmap
from corpus.publishing.figures.kinds.named_cells import read_anchors, read_map
from corpus.publishing.figures.kinds.scatter import read_scatter
from corpus.publishing.figures.kinds.timeline import read_timeline
from corpus.publishing.figures.plan import WIDTHS, Counting, FigurePlan

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class FigureKind(NamedTuple):
    """A kind of figure.

    Attributes
    ----------
    read : callable
        Section of the figure -> what counts or reads what it draws.
    version : int
        Raise it when the same data would look different: all figures of the kind become stale.
    """

    read: Callable[[Section], Counting]
    version: int


KINDS: dict[str, FigureKind] = {
    "timeline": FigureKind(read_timeline, 3),
    "heatmap": FigureKind(read_heatmap, 2),
    "bars": FigureKind(read_bars, 4),
    "ladder": FigureKind(read_ladder, 4),
    "grid": FigureKind(read_anchors, 4),
    "flow": FigureKind(read_flow, 3),
    "map": FigureKind(read_map, 2),
    "scatter": FigureKind(read_scatter, 2),
}

#: Kinds of older codebooks that no figure has any more: such a figure is left out.
RETIRED = ("ranges", "spread")


def figure_plans(book: Codebook, window: tuple[str, str] | None = None) -> dict[str, FigurePlan]:
    """Read ``[figures]``, in declared order.

    Parameters
    ----------
    book : Codebook
        A codebook without the section gets :func:`default_figures`.
    window : (str, str), optional
        The months of all timelines (YYYY-MM), in place of the declared ones.

    Raises
    ------
    CorpusError
        With C001 findings where a figure names what the codebook does not declare.
    """
    figures = book.settings.get("figures", default_figures(book))
    if window and isinstance(figures, Mapping):
        figures = dict(figures)
        for name, declared in figures.items():
            if isinstance(declared, Mapping) and declared.get("kind") == "timeline":
                figures[name] = {**declared, "window": list(window)}
    book = book._replace(settings={**book.settings, "figures": figures})
    return read_settings(book, "figures", read_figures)


def read_figures(section: Section) -> dict[str, FigurePlan]:
    """Read ``[figures]``; mistakes are in the findings of the section."""
    plans = {}
    for name, declared in section.children().items():
        plan = _figure(name, declared)
        if plan is not None:
            plans[name] = plan
    return plans


def study_figures(study: Study, window: tuple[str, str] | None = None) -> dict[str, FigurePlan]:
    """Read ``[figures]`` as :func:`figure_plans` does, for the records of a corpus.

    Where no record was excluded, a flow that nobody declared would show a screening that never
    happened; it is left out.
    """
    plans = figure_plans(study.codebook, window)
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
    if kind not in KINDS:
        return None
    count = KINDS[kind].read(section)
    section.finish()
    return FigurePlan(name, kind, title, caption, width, count)


def default_figures(book: Codebook) -> dict[str, dict[str, str]]:
    """Declare figures that fit any corpus.

    These are bars for the first axis, a heatmap for every cross-tabulation, and the flow where
    records were excluded.
    """
    axes = list(book.pool.axes)
    group = book.pool.by_role("group")
    if group in axes:
        axes.insert(0, group)
    figures: dict[str, dict[str, str]] = {}
    for axis in axes[:1]:
        title = f"Entries by {axis.label.lower()}"
        figures[axis.name] = {"kind": "bars", "title": title, "axis": axis.name}
    for crosstab in book.crosstabs:
        axes_of = {"rows": crosstab.rows, "columns": crosstab.columns}
        figures[crosstab.id] = {"kind": "heatmap", "title": crosstab.title, **axes_of}
    for figure in figures.values():
        figure["width"] = "one"
    # Only with one term per cell do the boxes of a flow add up.
    single = [axis.name for axis in axes if not axis.separator]
    if single and staged_log(book):
        figures["screening"] = {"kind": "flow", "title": "Screening", "group": single[0]}
    return figures
