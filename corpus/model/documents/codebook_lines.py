"""The line of each part of a codebook, so that a finding can name it.

A TOML parser keeps no lines. The text is read line by line instead, as people write codebooks: one
table, key or item of an array per line.
"""

import re
from collections import Counter
from collections.abc import Iterable

from corpus.model.finding import Finding

_HEAD = re.compile(r"\s*(\[{1,2})\s*+([^\[\]]*[^\[\]\s])\s*+\]{1,2}\s*+(?:#.*)?$")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
_INLINE = re.compile(r"""[{,]\s*["']?([\w-]+)["']?\s*=""")
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
            finding = finding._replace(line=_nearest_line(finding.column, lines))
        located.append(finding)
    return located


def _nearest_line(place: str, lines: dict[str, int]) -> int:
    """Return the line of a place, or of the nearest part around it that is there; 0 without one."""
    if len(place) > _LONGEST:
        return 0
    while place and place not in lines:
        end = max(place.rfind("."), place.rfind("["), 0)
        place = place[:end]
    return lines.get(place, 0)


class _Places:
    """The dotted places that a line declares: tables, arrays, keys, items of arrays from 1 on."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._table = ""  # the table that the line is in
        self._array = ""  # the key whose value may go on over several lines
        self._items: Counter[str] = Counter()

    def read(self, line: str) -> None:
        """Read the next line; `found` then holds its places."""
        self.found = []
        head = _HEAD.match(line)
        key = _KEY.match(line)
        if head:
            names = [name.strip().strip("\"'") for name in head[2].split(".")]
            self._table = ".".join(names)
            self._array = ""
            self.found.append(self._table)
            if head[1] == "[[":
                self._table = self._next_item(self._table)
        elif key:
            self._array = f"{self._table}.{key[1]}" if self._table else key[1]
            self.found.append(self._array)
        elif self._array and line.lstrip().startswith("{"):
            item = self._next_item(self._array)
            for name in _INLINE.findall(line):
                self.found.append(f"{item}.{name}")

    def _next_item(self, array: str) -> str:
        self._items[array] += 1
        item = f"{array}[{self._items[array]}]"
        self.found.append(item)
        return item
