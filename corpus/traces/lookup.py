"""Values out of other people's JSON.

A field may be missing or of any type, and nothing here raises. And the tables of this package.
"""

import json
import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import tomli

JsonObject: TypeAlias = dict[str, Any]
"""One object of somebody else's JSON, with values of any type."""
LATEST_TIME = 32_503_680_000.0
"""Seconds of the year 3000: a later time counts as broken."""
DEPTH_LIMIT = 200
"""Nested arrays and objects in one value; Python may fail to write what it could just read."""
PARSED_LIMIT = 4 * 2**20
"""Characters of JSON inside a string that are parsed; more stay a string."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLAIN_NAME = re.compile(r"[\w@+-][\w@+=, .-]*")


def table_of(module: str, name: str) -> JsonObject:
    """Return the TOML table of this name that is beside a module, which is known by its path."""
    return tomli.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def value(node: object, path: str | int = "") -> Any:
    """Return what is at a path below `node`: keys and positions with dots between them, or None.

    Examples
    --------
    >>> value({"a": [{"b": 3}]}, "a.0.b"), value({"a": 7}, "a.b"), value(["x"], -1), value(3)
    (3, None, 'x', 3)
    """
    # Nearly all paths are one key of an object, which a large session asks for a million times.
    if type(node) is dict and type(path) is str and path and "." not in path:
        return node.get(path)
    for step in _steps(path):
        # A text key of a list, or a number of an object, finds nothing.
        if isinstance(node, dict):
            node = node.get(step)
        elif isinstance(node, list) and isinstance(step, int) and -len(node) <= step < len(node):
            node = node[step]
        else:
            return None
    return node


@lru_cache(maxsize=1024)
def _steps(path: str | int) -> tuple[str | int, ...]:
    if isinstance(path, int):
        return (path,)
    steps = path.split(".") if path else []
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def text(node: object, path: str | int = "") -> str:
    """Return the string at `path`, or the empty string where there is none."""
    found = value(node, path)
    return found if isinstance(found, str) else ""


def first_text(node: object, *names: str) -> str:
    """Return the first field of `names` that holds a string which is not empty.

    Or the empty string. Names are keys as they are, also with dots in them.
    """
    for name in names:
        # Most names are of other recorders: asking first is what keeps large runs fast.
        if isinstance(node, dict) and (found := node.get(name)) and isinstance(found, str):
            return found
    return ""


def record(node: object, path: str | int = "") -> JsonObject:
    """Return the object at `path`, or an empty one."""
    found = value(node, path)
    return found if isinstance(found, dict) else {}


def items(node: object, path: str | int = "") -> list[Any]:
    """Return the list at `path`, or an empty one."""
    found = value(node, path)
    return found if isinstance(found, list) else []


def records(node: object, path: str | int = "") -> list[JsonObject]:
    """Return the objects of the list at `path`; elements of other types are left out."""
    return [one for one in items(node, path) if isinstance(one, dict)]


def listed(node: object, envelope: str) -> list[Any]:
    """Return the objects of a row: of the envelope of an exporter, of a list, or the one it is."""
    return items(node, envelope) or items(node) or [node]


def count(node: object, path: str | int = "") -> int:
    """Return the whole number >= 0 at `path` (also where it is written as text), or 0.

    Examples
    --------
    >>> count({"n": "120"}, "n"), count({"n": -4}, "n"), count({"n": True}, "n")
    (120, 0, 0)
    >>> count({"n": 1e400}, "n")
    0
    """
    return stated_count(node, path) or 0


def _unquoted(found: object, most: int) -> Any:
    """Return the whole number that a text of at most `most` digits is; anything else as it is."""
    if not isinstance(found, str) or len(found) > most:
        return found
    # isdigit() alone takes superscripts, which int() refuses.
    if found.isascii() and found.isdigit():
        return int(found)
    return found


def is_number(found: object) -> bool:
    """Whether a value is a JSON number; in Python, true and false are whole numbers as well."""
    return isinstance(found, int | float) and not isinstance(found, bool)


def stated_count(node: object, path: str | int = "") -> int | None:
    """Return the whole number >= 0 at `path`, as :func:`count` does, or ``None`` without one.

    Examples
    --------
    >>> stated_count({"n": 0}, "n"), stated_count({}, "n"), stated_count({"n": False}, "n")
    (0, None, None)
    """
    found = _unquoted(value(node, path), most=18)
    if not is_number(found) or not 0 <= found < 10**18:
        return None
    return int(found)


def number(node: object, path: str | int = "") -> float | None:
    """Return the finite number at `path`, or ``None``."""
    found = value(node, path)
    if not is_number(found) or abs(found) > 1e300:
        return None
    return float(found) if math.isfinite(found) else None


def iso_time(written: object) -> float | None:
    """Read an ISO 8601 time as seconds since 1970; without an offset it counts as UTC.

    Examples
    --------
    >>> iso_time("1970-01-01T00:01:00.5Z"), iso_time("soon"), iso_time(12)
    (60.5, None, None)
    """
    # From a date alone to one with nanoseconds and offset.
    if not isinstance(written, str) or not 10 <= len(written) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _plausible((moment - _EPOCH).total_seconds())


def has_time(nodes: Iterable[object], path: str) -> bool:
    """Whether any of some nodes has an ISO 8601 time at `path`."""
    return any(iso_time(value(node, path)) is not None for node in nodes)


def epoch_time(written: object, unit: float = 1.0) -> float | None:
    """Read a number of units since 1970 as seconds to the microsecond.

    Parameters
    ----------
    written : object
        The number, or its decimal text; anything else is not a time.
    unit : float
        Seconds of one unit: 1e-3 for milliseconds, 1e-9 for nanoseconds.

    Examples
    --------
    >>> epoch_time(1_500_000, 1e-6), epoch_time("1500000000", 1e-9), epoch_time(1500.0, 1e-3)
    (1.5, 1.5, 1.5)
    >>> epoch_time("soon"), epoch_time(True), epoch_time(-3)
    (None, None, None)
    """
    found = _unquoted(written, most=21)
    # NaN is in no range.
    if not is_number(found) or not 0 < found < 1e21:
        return None
    if isinstance(found, int):
        # A float has fewer digits than a date in nanoseconds.
        return _plausible(found * round(unit * 1e9) // 1000 / 1e6)
    return _plausible(round(found * unit, 6))


def time_of(written: object, unit: float) -> float | None:
    """Read a date, or where `unit` is not 0 a number of such units since 1970."""
    found = iso_time(written)
    return epoch_time(written, unit) if unit and found is None else found


def parsed(written: object) -> Any:
    """Return what JSON inside a string holds; anything else, and broken JSON, as it is.

    So is JSON that is nested too deeply.

    Examples
    --------
    >>> parsed('{"n": 1}'), parsed("hello"), parsed(3)
    ({'n': 1}, 'hello', 3)
    """
    if not isinstance(written, str) or len(written) > PARSED_LIMIT:
        return written
    # Most strings are prose; only what may be an object or a list is worth the attempt.
    if not written.lstrip().startswith(("{", "[")):
        return written
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        return written
    return written if is_deeper(found, DEPTH_LIMIT) else found


def plain_text(content: object) -> Any:
    """Return the text of a content that is a list of parts; other contents as they are.

    Examples
    --------
    >>> plain_text([{"type": "text", "text": "a"}, {"text": "b"}, 3]), plain_text("a")
    ('a\\nb', 'a')
    """
    if not isinstance(content, list):
        return content
    texts = [one if isinstance(one, str) else value(one, "text") for one in content]
    return "\n".join(one for one in texts if isinstance(one, str)) or content


def is_plain_name(name: str) -> bool:
    """Whether a name in a recording can name a file here: none that leads out of the folder can.

    Nor can one that is a pattern of several names.

    Examples
    --------
    >>> is_plain_name("part-2.json"), is_plain_name(".."), is_plain_name("a/b"), is_plain_name("*")
    (True, False, False, False)
    """
    return _PLAIN_NAME.fullmatch(name) is not None


def is_deeper(node: object, limit: int) -> bool:
    """Whether more than `limit` lists and objects lie in each other.

    Examples
    --------
    >>> is_deeper([{"a": []}], 3), is_deeper([{"a": []}], 2), is_deeper("a", 0)
    (False, True, False)
    """
    level = [node] if isinstance(node, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        below = []
        for container in level:
            children = container.values() if isinstance(container, dict) else container
            below += [child for child in children if isinstance(child, dict | list)]
        level = below
    return bool(level)


def _plausible(seconds: float) -> float | None:
    return seconds if 0 <= seconds < LATEST_TIME else None
