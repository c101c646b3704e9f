"""The lines of a codebook on which its parts stand, so that a finding can name one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from corpus.model.finding import Finding

_HEAD = re.compile(r"\s*(\[{1,2})\s*+([^\[\]]*[^\[\]\s])\s*+\]{1,2}\s*+(?:#.*)?$")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
_INLINE = re.compile(r"""[{,]\s*["']?([\w-]+)["']?\s*=""")
_NAMED = re.compile(r"""(?:^|[{,])\s*(?:name|id)\s*=\s*["']([^"']+)["']""")
#: Characters of a place that is looked for; a key may be a quoted text of any length with any number of dots.
_LONGEST = 1_000


def with_lines(findings: Iterable[Finding], text: str) -> list[Finding]:
    """Give each finding about a part of the codebook, which its column names, the line of that part.

    Examples
    --------
    >>> found = with_lines([Finding("codebook.toml", 0, 0, "tables.pool.columns[2].type", "C001", "error", "", "", "")],
    ...                    '[tables.pool]\\ncolumns = [\\n  { name = "a" },\\n  { name = "b", type = "c" },\\n]\\n')
    >>> found[0].line
    4
    """
    lines: dict[str, int] = {}
    for place, number in _places(text):
        lines.setdefault(place, number)
    return [f if f.line else f._replace(line=_line(f.column, lines)) for f in findings]


def _line(place: str, lines: dict[str, int]) -> int:
    """Return the line of a place or of the nearest part around it; 0 where nothing around it is written."""
    if len(place) > _LONGEST:
        return 0
    while place and place not in lines:
        place = place[: max(place.rfind("."), place.rfind("["), 0)]
    return lines.get(place, 0)


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yield the dotted place of every table, array and key with its line.

    An item of an array has two places: by its number, from 1 on, and by its name or identifier.
    """
    table, called, array = "", "", ""
    counts: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        head, key, item = _HEAD.match(line), _KEY.match(line), ""
        if head:
            table = ".".join(part.strip().strip("\"'") for part in head[2].split("."))
            called = array = ""
            yield table, number
            if head[1] == "[[":
                counts[table] += 1
                table = f"{table}[{counts[table]}]"
                yield table, number
        elif key:
            array, item = f"{table}.{key[1]}" if table else key[1], table
            yield array, number
            if called:
                yield f"{called}.{key[1]}", number
        elif array and line.lstrip().startswith("{"):
            counts[array] += 1
            item = f"{array}[{counts[array]}]"
            yield item, number
            for name in _INLINE.findall(line):
                yield f"{item}.{name}", number
        named = _NAMED.search(line) if item.endswith("]") else None
        if named:
            alias = f"{item[: item.rindex('[')]}.{named[1]}"
            called = alias if item == table else called
            yield alias, number
