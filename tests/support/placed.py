"""What a figure of a trace draws, as text: each mark with its place and its look, in order.

Positions are those that our code gives to matplotlib, so that the text is the same under every
version of it, where bytes of a file are not.
"""

import numpy as np
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text


def placed(figure):
    """Return one line for the page, each axes, each mark on them, each text and legend entry."""
    lines = ["page " + _numbers(figure.get_size_inches())]
    for axes in figure.axes:
        lines += _axes(axes)
    lines += map(_text, figure.texts)
    for legend in figure.legends:
        lines += _legend(legend)
    return "\n".join(lines) + "\n"


def _axes(axes):
    yield "axes " + _numbers(axes.get_position().bounds)
    yield "limits " + _numbers((*axes.get_xlim(), *axes.get_ylim()))
    names = [tick.get_text() for tick in axes.get_xticklabels()]
    yield f"ticks {_numbers(axes.get_xticks())} {names} {axes.get_xlabel()!r}"
    spines = [side for side, spine in axes.spines.items() if spine.get_visible()]
    yield f"frame {spines}"
    for artist in axes.get_children():
        if artist is axes.patch or isinstance(artist, Axis | Spine):
            continue
        if isinstance(artist, Annotation) and artist.arrow_patch is not None:
            ends = _numbers((*artist.xyann, *artist.xy))
            yield f"arrow {ends} {_patch_look(artist.arrow_patch)} {artist.get_zorder()}"
        elif isinstance(artist, Text):
            if artist.get_text():
                yield _text(artist)
        elif isinstance(artist, Line2D):
            yield f"line {_numbers(artist.get_xydata())} {_line_look(artist)}"
        elif isinstance(artist, FancyBboxPatch):
            box = artist.get_bbox()
            yield f"box {_numbers(box.extents)} {_patch_look(artist)}"
        elif isinstance(artist, FancyArrowPatch):
            path = artist._path_original
            yield f"curve {_numbers(path.vertices)} {_patch_look(artist)}"
        elif isinstance(artist, Patch):
            path = artist.get_path().transformed(artist.get_patch_transform())
            yield f"patch {_numbers(path.vertices)} {_patch_look(artist)}"
        elif isinstance(artist, Collection):
            yield from _collection(artist)


def _collection(artist):
    faces = [to_hex(colour) for colour in artist.get_facecolor()]
    edges = [to_hex(colour) for colour in artist.get_edgecolor()]
    widths = _numbers(artist.get_linewidth())
    for path in artist.get_paths():
        look = f"{faces} {edges} {widths} {artist.get_zorder()}"
        yield f"shape {_numbers(path.vertices)} {look}"


def _text(text):
    x, y = text.get_position()
    size = round(float(text.get_fontsize()), 2)
    font = f"{size} {text.get_weight()} {text.get_style()}"
    place = f"{text.get_horizontalalignment()} {text.get_verticalalignment()}"
    drawn = f"{to_hex(text.get_color())} {place} {text.get_zorder()}"
    return f"text {_numbers((x, y))} {text.get_text()!r} {font} {drawn}"


def _line_look(line):
    look = f"{to_hex(line.get_color())} {_number(line.get_linewidth())} {line.get_linestyle()}"
    if line.get_marker() not in ("None", None, ""):
        face = to_hex(line.get_markerfacecolor())
        edge = to_hex(line.get_markeredgecolor())
        sizes = _numbers((line.get_markersize(), line.get_markeredgewidth()))
        look += f" {line.get_marker()} {face} {edge} {sizes}"
    return f"{look} {line.get_zorder()}"


def _patch_look(patch):
    colours = f"{to_hex(patch.get_facecolor())} {to_hex(patch.get_edgecolor())}"
    pen = f"{_number(patch.get_linewidth())} {patch.get_linestyle()} {patch.get_hatch()}"
    return f"{colours} {pen} {patch.get_zorder()}"


def _legend(legend):
    sizes = (legend._fontsize, legend.handlelength, legend.columnspacing)
    sizes += (legend.labelspacing, legend.borderpad)
    yield f"legend {_numbers(sizes)} columns {legend._ncols}"
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        look = _line_look(handle) if isinstance(handle, Line2D) else _patch_look(handle)
        yield f"entry {text.get_text()!r} {look}"


def _numbers(values):
    return " ".join(map(_number, np.ravel(values)))


def _number(value):
    # Text is measured in hundredths of an inch at best.
    return f"{float(value):.2f}".replace("-0.00", "0.00")
