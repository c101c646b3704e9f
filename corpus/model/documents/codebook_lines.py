"""The line of each part of a codebook, so that a finding can name it.

A TOML parser keeps no lines. The text is read line by line instead, as people write codebooks: one
table, key or item of an array per line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from corpus.model.finding import Finding

_HEAD = re.compile(r"\s*(\[{1,2})\s*+([^\[\]]*[^\[\]\s])\s*+\]{1,2}\s*+(?:#.*)?$")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
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
    lines: dict[str, int] = {}
    for place, number in _places(text):
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


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yield the dotted places that lines declare, each with its line, counted from 1 on.

    Places are tables, arrays, keys, and items of arrays, which are counted from 1 on as well.
    """
    table = ""  # that the line is in
    array = ""  # the key whose value may go on over several lines
    items: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        head = _HEAD.match(line)
        key = _KEY.match(line)
        if head:
            names = [name.strip().strip("\"'") for name in head[2].split(".")]
            table, array = ".".join(names), ""
            yield table, number
            if head[1] == "[[":
                items[table] += 1
                table = f"{table}[{items[table]}]"
                yield table, number
        elif key:
            array = f"{table}.{key[1]}" if table else key[1]
            yield array, number
        elif array and line.lstrip().startswith("{"):
            items[array] += 1
            yield f"{array}[{items[array]}]", number
