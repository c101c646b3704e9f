"""JSON pointers and lines: line and character of each value of a text, and duplicate keys."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
#: Characters of the largest text that is searched; in a larger one the pointer must do.
LARGEST = 16 << 20


def pointer(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to the value under `parts`.

    Examples
    --------
    >>> pointer("events", 3, "a/b")
    '/events/3/a~1b'
    """
    path = ""
    for part in parts:
        # RFC 6901; the tilde first, or that of an escaped slash would be escaped again.
        escaped = str(part).replace("~", "~0").replace("/", "~1")
        path += f"/{escaped}"
    return path


def values(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each value of well-formed `text`: pointer, offset, whether its key is a duplicate.

    Examples
    --------
    >>> list(values('{"a": [1], "a": 2}'))
    [('', 0, False), ('/a', 6, False), ('/a/0', 7, False), ('/a', 16, True)]
    """
    # One entry for each object or list that is open: its pointer, the keys seen in it (None in a
    # list), and the key or index of its current member.
    prefixes: list[str] = []
    seen: list[set[str] | None] = []
    members: list[str | int] = []
    is_duplicate = False
    is_key = False
    for match in _TOKEN.finditer(text):
        lexeme = match[0]
        if lexeme == ":":
            continue
        if lexeme == ",":
            is_key = seen[-1] is not None
            if not is_key:
                members[-1] = int(members[-1]) + 1
            continue
        if lexeme in "]}":
            del prefixes[-1], seen[-1], members[-1]
            is_key = False
            continue
        if is_key:
            key = _unescaped(lexeme)
            keys = seen[-1]
            assert keys is not None
            is_duplicate = key in keys
            keys.add(key)
            members[-1] = key
            is_key = False
            continue
        path = ""
        if prefixes:
            path = prefixes[-1] + pointer(members[-1])
        yield path, match.start(), is_duplicate
        is_duplicate = False
        if lexeme in "[{":
            is_key = lexeme == "{"
            prefixes.append(path)
            seen.append(set() if is_key else None)
            members.append(0)


def _unescaped(token: str) -> str:
    """Return the key that a quoted token spells."""
    inner = token[1:-1]
    if "\\" not in inner:
        return inner
    decoded = _ESCAPE.sub(_character, inner)
    # Two escapes that make a surrogate pair become one character; half a pair is replaced.
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    return _PLAIN.get(escape[2], escape[2])


class Lines:
    """Turns offsets in a text into 1-based lines and characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        self._starts += [match.end() for match in re.finditer("\n", text)]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and character of `offset`, both from 1 on."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def token_place(text: str, wanted: Callable[[str], bool]) -> tuple[int, int]:
    """Return line and character of the first token of `text` that is `wanted`, or (1, 0).

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
    """Return line and character of those `pointers` that `text` has; none where it is too large.

    Examples
    --------
    >>> locate('{"a":\\n  [1, 2]}', {"/a/1", "/b"})
    {'/a/1': (2, 7)}
    """
    if not pointers or len(text) > LARGEST:
        return {}
    lines = Lines(text)
    found = {}
    for path, offset, _ in values(text):
        if path in pointers:
            found[path] = lines.place(offset)
    return found
