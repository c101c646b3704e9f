"""From a figure's plan to its data, its digest and the bytes of its files.

The builder compares digests, so that another matplotlib release makes no figure stale, and
imports none:

    fresh = figure_digest(plan, plan.data(study), width)
    stale = read_digest(content) != fresh
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import corpus
from corpus.canvas.style import encode, style
from corpus.model.codebook import Column, Term, Vocabulary
from corpus.publishing.export.publication import sha256
from corpus.publishing.figures.parser import KINDS
from corpus.publishing.figures.plan import WIDTHS, FigureData, FigurePlan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The formats of a figure's files; its frame is written as CSV as well.
FORMATS = ("svg", "pdf", "png")

_DIGEST = re.compile(rb"corpus-figure ([0-9a-f]{64})")


def figure_digest(plan: FigurePlan, data: FigureData, width: float | None = None) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of everything that decides how a figure looks."""
    drawn = [
        plan.kind,
        KINDS[plan.kind].version,
        plan.title,
        plan.caption,
        width or WIDTHS[plan.width],
        _as_lists(data),
    ]
    text = json.dumps(drawn, ensure_ascii=False, sort_keys=True)
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
        return data.draw(width or WIDTHS[plan.width], plan.title).figure()


def figure_bytes(
    plan: FigurePlan, data: FigureData, format_: str, width: float | None = None
) -> bytes:
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
    width : float, optional
        In inches.
    """
    # `read_digest` finds the record. No date: the same data must give the same bytes.
    frame = sha256(data.frame().csv().encode())
    record = f"corpus-figure {figure_digest(plan, data, width)} data-sha256 {frame}"
    made_by = f"mas-rl-corpus {corpus.__version__}"
    about = f"{plan.caption} [{record}]"
    title = plan.title or plan.name
    metadata = {
        "svg": {"Creator": made_by, "Title": title, "Description": about},
        "pdf": {"Creator": made_by, "Title": title, "Keywords": record},
        "png": {"Software": made_by, "Description": record},
    }
    figure = draw_figure(plan, data, width)
    with style():
        return encode(figure, format_, metadata[format_])
