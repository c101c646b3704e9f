"""Where a JSON pointer stands in a text: line, character, and keys that appear twice."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
_PLAIN: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LARGEST: Final = 16 << 20
"""Characters of the largest text that is searched for places; beyond it the pointer must do."""


def pointer(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to the value under `parts`.

    Examples
    --------
    >>> pointer("events", 3, "a/b")
    '/events/3/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def values(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield pointer, offset and whether its key stood in the object before, for every value of well-formed `text`.

    Examples
    --------
    >>> list(values('{"a": [1], "a": 2}'))
    [('', 0, False), ('/a', 6, False), ('/a/0', 7, False), ('/a', 16, True)]
    """
    prefix: list[str] = []
    seen: list[set[str] | None] = []
    here: list[str | int] = []
    again = False
    is_key = False
    for match in _TOKEN.finditer(text):
        lexeme = match[0]
        if lexeme in ",:":
            if lexeme == ",":
                if seen[-1] is None:
                    here[-1] = int(here[-1]) + 1
                is_key = seen[-1] is not None
            continue
        if lexeme in "]}":
            del prefix[-1], seen[-1], here[-1]
            is_key = False
            continue
        if is_key:
            key = _unescaped(lexeme)
            known = seen[-1]
            assert known is not None
            again, is_key, here[-1] = key in known, False, key
            known.add(key)
            continue
        path = prefix[-1] + pointer(here[-1]) if prefix else ""
        yield path, match.start(), again
        again = False
        if lexeme in "[{":
            prefix.append(path)
            seen.append(set() if lexeme == "{" else None)
            here.append(0)
            is_key = lexeme == "{"


def _unescaped(token: str) -> str:
    """Return the key that a quoted token spells."""
    inner = token[1:-1]
    if "\\" not in inner:
        return inner
    decoded = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _PLAIN.get(m[2], m[2]), inner)
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Lines:
    """Turns offsets in a text into 1-based lines and characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and character of `offset`, both from 1 on."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def token_place(text: str, wanted: Callable[[str], bool]) -> tuple[int, int]:
    """Return line and character of the first token of `text` that is `wanted`; (1, 0) where none is looked for.

    Examples
    --------
    >>> token_place('["NaN",\\n NaN]', "NaN".__eq__)
    (2, 2)
    """
    if len(text) <= LARGEST:
        for match in _TOKEN.finditer(text):
            if wanted(match[0]):
                return Lines(text).place(match.start())
    return 1, 0


def locate(text: str, pointers: set[str]) -> dict[str, tuple[int, int]]:
    """Return line and character of each of `pointers` that `text` has; nothing where the text is too large.

    Examples
    --------
    >>> locate('{"a":\\n  [1, 2]}', {"/a/1", "/b"})
    {'/a/1': (2, 7)}
    """
    if not pointers or len(text) > LARGEST:
        return {}
    lines = Lines(text)
    return {path: lines.place(offset) for path, offset, _ in values(text) if path in pointers}
