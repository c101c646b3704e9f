"""The line of each part of a codebook, so that a finding can name it.

A TOML parser keeps no lines. The text is read line by line instead, as people write codebooks: one
table, key or item of an array per line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from corpus.model.finding import Finding

_HEAD = re.compile(r"\s*(\[{1,2})\s*+([^\[\]]*[^\[\]\s])\s*+\]{1,2}\s*+(?:#.*)?$")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
_INLINE = re.compile(r"""[{,]\s*["']?([\w-]+)["']?\s*=""")
_NAMED = re.compile(r"""(?:^|[{,])\s*(?:name|id)\s*=\s*["']([^"']+)["']""")
#: Characters of a place that is looked for; a key may be a quoted text of any length with any
#: number of dots.
_LONGEST = 1_000


def with_lines(findings: Iterable[Finding], text: str) -> list[Finding]:
    """Return the findings, each with the line of the part of the codebook that its column names.

    Examples
    --------
    >>> place = "tables.pool.columns[2].type"
    >>> finding = Finding("codebook.toml", 0, 0, place, "C001", "error", "", "", "")
    >>> items = ['{ name = "a" },', '{ name = "b", type = "c" },']
    >>> text = "\\n".join(["[tables.pool]", "columns = [", *items, "]"])
    >>> with_lines([finding], text)[0].line
    4
    """
    places = _Places()
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        places.read(line)
        for place in places.found:
            lines.setdefault(place, number)
    located = []
    for finding in findings:
        if not finding.line:
            finding = finding._replace(line=_line(finding.column, lines))
        located.append(finding)
    return located


def _line(place: str, lines: dict[str, int]) -> int:
    """Return the line of a place, or of the nearest part around it that is there; 0 without one."""
    if len(place) > _LONGEST:
        return 0
    while place and place not in lines:
        end = max(place.rfind("."), place.rfind("["), 0)
        place = place[:end]
    return lines.get(place, 0)


class _Places:
    """The dotted places that a line declares: tables, arrays, keys.

    An item of an array has two places: by its number, from 1 on, and by its name or identifier.
    """

    def __init__(self) -> None:
        self.found: list[str] = []
        self._table = ""  # the table that the line is in
        self._alias = ""  # the same by its name, for a table of an array that has one
        self._array = ""  # the key whose value may go on over several lines
        self._items: Counter[str] = Counter()

    def read(self, line: str) -> None:
        """Read the next line; `found` then holds its places."""
        self.found = []
        head = _HEAD.match(line)
        key = _KEY.match(line)
        if head:
            self._read_head(head)
        elif key:
            self._read_key(key[1], line)
        elif self._array and line.lstrip().startswith("{"):
            self._read_item(line)

    def _read_head(self, head: re.Match[str]) -> None:
        names = [_unquoted(name) for name in head[2].split(".")]
        self._table = ".".join(names)
        self._alias = ""
        self._array = ""
        self.found.append(self._table)
        if head[1] == "[[":
            self._table = self._next_item(self._table)
            self.found.append(self._table)

    def _read_key(self, key: str, line: str) -> None:
        self._array = f"{self._table}.{key}" if self._table else key
        self.found.append(self._array)
        if self._alias:
            self.found.append(f"{self._alias}.{key}")
        alias = _named(self._table, line)
        if alias:
            self._alias = alias
            self.found.append(alias)

    def _read_item(self, line: str) -> None:
        item = self._next_item(self._array)
        self.found.append(item)
        for name in _INLINE.findall(line):
            self.found.append(f"{item}.{name}")
        alias = _named(item, line)
        if alias:
            self.found.append(alias)

    def _next_item(self, array: str) -> str:
        self._items[array] += 1
        return f"{array}[{self._items[array]}]"


def _unquoted(name: str) -> str:
    return name.strip().strip("\"'")


def _named(item: str, line: str) -> str:
    """Return the place of an item of an array by the name or identifier in the line, if any."""
    name = _NAMED.search(line) if item.endswith("]") else None
    if name is None:
        return ""
    array = item[: item.rindex("[")]
    return f"{array}.{name[1]}"
