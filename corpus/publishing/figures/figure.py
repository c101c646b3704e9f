"""From the section `[figures]` of the codebook to plans, from a plan to digest and bytes of files.

The builder compares digests, so that another matplotlib release makes no figure stale, and
imports none:

    fresh = figure_digest(plan, plan.data(study))
    stale = read_digest(content) != fresh
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import corpus
from corpus.canvas.style import encode, style
from corpus.model.codebook import Codebook, Column, Term, Vocabulary
from corpus.model.documents.section import Section, read_settings
from corpus.model.study import Study
from corpus.publishing.export.publication import sha256
from corpus.publishing.figures.figure_plan import WIDTHS, Counting, FigureData, FigurePlan
from corpus.publishing.figures.kinds.bars import read_bars, read_ladder
from corpus.publishing.figures.kinds.crossed import read_anchors, read_heatmap, read_map
from corpus.publishing.figures.kinds.flow import read_flow, staged_log
from corpus.publishing.figures.kinds.scatter import read_scatter
from corpus.publishing.figures.kinds.timeline import read_timeline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    figures = book.settings.get("figures", default_figures(book))
    book = book._replace(settings={**book.settings, "figures": figures})
    return read_settings(book, "figures", read_figures)


def read_figures(section: Section) -> dict[str, FigurePlan]:
    """Read ``[figures]``; mistakes are in the findings of the section."""
    plans = {}
    for name, declared in section.children().items():
        if not _FILE_NAME.fullmatch(name):
            problem = "must have a name of letters, digits, hyphens and underscores: it names files"
            declared.mistake("", problem)
        if declared.raw("kind") in RETIRED:
            declared.allow(declared)
            continue
        kind = declared.one_of("kind", KINDS)
        title, caption = declared.text("title", ""), declared.text("caption", "")
        width = WIDTHS.get(declared.one_of("width", WIDTHS, "two"), 0)
        if kind in KINDS:
            count = KINDS[kind].read(declared)
            declared.finish()
            plans[name] = FigurePlan(name, kind, title, caption, width, count)
    return plans


def study_figures(study: Study) -> dict[str, FigurePlan]:
    """Read ``[figures]`` as :func:`figure_plans` does, for the records of a corpus.

    Where no record was excluded, a flow that nobody declared would show a screening that never
    happened; it is left out.
    """
    plans = figure_plans(study.codebook)
    is_declared = "figures" in study.codebook.settings
    if is_declared or study.number_of_rows("exclusions"):
        return plans
    return {name: plan for name, plan in plans.items() if plan.kind != "flow"}


def default_figures(book: Codebook) -> dict[str, dict[str, str]]:
    """Declare figures that fit any corpus.

    These are bars for the first axis and for the years, a heatmap for every cross-tabulation, and
    the flow where records were excluded.
    """
    axes = list(book.pool.axes)
    group = book.pool.by_role("group")
    if group in axes:
        axes.insert(0, group)
    figures: dict[str, dict[str, str]] = {}
    for axis in axes[:1]:
        title = f"Entries by {axis.label.lower()}"
        figures[axis.name] = {"kind": "bars", "title": title, "axis": axis.name}
    year = book.pool.by_type("year")
    if year is not None:
        title = f"{book.corpus['entries'].capitalize()} per year"
        figures[year.name] = {"kind": "bars", "title": title, "axis": year.name}
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


#: The formats of a figure's files; its frame is written as CSV as well.
FORMATS = ("svg", "pdf", "png")

_DIGEST = re.compile(rb"corpus-figure ([0-9a-f]{64})")


def figure_digest(plan: FigurePlan, data: FigureData) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of everything that decides how a figure looks."""
    drawn = [
        plan.kind,
        KINDS[plan.kind].version,
        plan.title,
        plan.caption,
        plan.width,
        _as_lists(data),
    ]
    text = json.dumps(drawn, ensure_ascii=False, sort_keys=True, default=vars)
    return sha256(text.encode())


def _as_lists(value: Any) -> Any:
    """Return a record as nested lists; mappings become sorted pairs: their keys may be tuples.

    Of terms and columns only what is printed counts, so that another definition changes nothing.
    """
    match value:
        case Vocabulary():
            return [_as_lists(value.terms), value.not_applicable]
        case Term():
            return [value.id, value.label]
        case Column():
            return value.label
        case dict():
            return [[_as_lists(key), _as_lists(item)] for key, item in sorted(value.items())]
        case tuple() | list():
            return list(map(_as_lists, value))
    if is_dataclass(value):
        return list(map(_as_lists, vars(value).values()))
    return value


def read_digest(content: bytes) -> str:
    """Return the digest recorded in an SVG, PDF or PNG, or an empty string."""
    found = _DIGEST.search(content)
    if found is None:
        return ""
    return found[1].decode("ascii")


def draw_figure(plan: FigurePlan, data: FigureData, width: float | None = None) -> Figure:
    """Draw a figure; `width` in inches, by default the declared one."""
    with style():
        return data.draw(width or plan.width, plan.title).figure()


def figure_bytes(plan: FigurePlan, data: FigureData, format_: str) -> bytes:
    """Return the file of a figure.

    The bytes are the same for the same data, declaration and matplotlib release.

    Parameters
    ----------
    plan : FigurePlan
        What the codebook declares.
    data : FigureData
        What it draws.
    format_ : str
        One of :data:`FORMATS`.
    """
    # `read_digest` finds the record. No date: the same data must give the same bytes.
    frame = sha256(data.frame().csv().encode())
    record = f"corpus-figure {figure_digest(plan, data)} data-sha256 {frame}"
    made_by = f"mas-rl-corpus {corpus.__version__}"
    about = f"{plan.caption} [{record}]"
    title = plan.title or plan.name
    metadata = {
        "svg": {"Creator": made_by, "Title": title, "Description": about},
        "pdf": {"Creator": made_by, "Title": title, "Keywords": record},
        "png": {"Software": made_by, "Description": record},
    }
    figure = draw_figure(plan, data)
    with style():
        return encode(figure, format_, metadata[format_])
