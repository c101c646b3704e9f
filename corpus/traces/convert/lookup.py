"""Values out of other people's JSON: any field may be missing or of any type, and nothing here raises."""

from __future__ import annotations

import math
from typing import Any


def value(node: object, *path: str | int) -> Any:
    """Return what stands at `path` below `node`, or ``None``.

    Examples
    --------
    >>> value({"a": [{"b": 3}]}, "a", 0, "b"), value({"a": 7}, "a", "b")
    (3, None)
    """
    for step in path:
        if isinstance(step, str) and isinstance(node, dict):
            node = node.get(step)
        elif isinstance(step, int) and isinstance(node, list) and -len(node) <= step < len(node):
            node = node[step]
        else:
            return None
    return node


def text(node: object, *path: str | int) -> str:
    """Return the string at `path`, or the empty string where there is none."""
    found = value(node, *path)
    return found if isinstance(found, str) else ""


def record(node: object, *path: str | int) -> dict[str, Any]:
    """Return the object at `path`, or an empty one."""
    found = value(node, *path)
    return found if isinstance(found, dict) else {}


def items(node: object, *path: str | int) -> list[Any]:
    """Return the list at `path`, or an empty one."""
    found = value(node, *path)
    return found if isinstance(found, list) else []


def count(node: object, *path: str | int) -> int:
    """Return the whole number >= 0 at `path` (also where it stands as text), or 0.

    Examples
    --------
    >>> count({"n": "120"}, "n"), count({"n": -4}, "n"), count({"n": True}, "n"), count({"n": 1e400}, "n")
    (120, 0, 0, 0)
    """
    found = value(node, *path)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 19:
        found = int(found)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 10**18:
        return 0
    return int(found)


def number(node: object, *path: str | int) -> float | None:
    """Return the finite number at `path`, or ``None``."""
    found = value(node, *path)
    if isinstance(found, bool) or not isinstance(found, int | float) or abs(found) > 1e300:
        return None
    return float(found) if math.isfinite(found) else None
