"""The digest of a figure: what it draws, how it is declared, and the version of the code that draws its kind.

The builder compares digests, not bytes, so that another matplotlib release makes no figure stale:

    fresh = figure_digest(plan, figure_data(corpus, plan), width)
    stale = read_digest(path) != fresh

Neither function imports matplotlib.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import Any

from corpus.publishing.figures.data import FigureData
from corpus.publishing.figures.plan import WIDTHS, FigurePlan

#: Raise the number of a kind whenever the same data would look different; all its figures become stale.
VERSIONS = {"timeline": 1, "heatmap": 1, "bars": 1, "ladder": 1, "grid": 1, "flow": 1, "ranges": 1}

_DIGEST = re.compile(rb"corpus-figure ([0-9a-f]{64})")


def width_of(plan: FigurePlan, width: float | None = None) -> float:
    """Return the width to draw in inches: the given one, or the one that the figure declares."""
    return WIDTHS[plan.width] if width is None else width


def figure_digest(plan: FigurePlan, data: FigureData, width: float | None = None) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of everything that decides how a figure looks."""
    drawn = [plan.kind, VERSIONS[plan.kind], plan.title, plan.caption, width_of(plan, width), _values(data)]
    return hashlib.sha256(json.dumps(drawn, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def read_digest(source: str | os.PathLike[str] | bytes) -> str:
    """Return the digest recorded in a figure (SVG, PDF or PNG; a path or its bytes), or an empty string."""
    if not isinstance(source, bytes):
        try:
            with open(source, "rb") as handle:
                source = handle.read()
        except OSError:
            return ""
    found = _DIGEST.search(source)
    return found[1].decode("ascii") if found else ""


def _values(value: Any) -> Any:
    """Return a record as nested lists; mappings become sorted pairs, since their keys may be tuples."""
    if isinstance(value, dict):
        return [[_values(key), _values(item)] for key, item in sorted(value.items())]
    if isinstance(value, tuple | list):
        return [_values(item) for item in value]
    return value
