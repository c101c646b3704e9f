"""JSON pointers and lines: line and character of each value of a text, and duplicate keys."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import TypeAlias

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:\n]|[^\s{}\[\],:"]+')
#: Characters of the largest text that is searched; in a larger one the pointer must do.
LARGEST = 16 << 20
#: Line and character of a token, both from 1 on.
Place: TypeAlias = tuple[int, int]


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


def tokens(text: str) -> Iterator[tuple[str, Place]]:
    """Yield each token of JSON with its place; none of a text that is too large."""
    if len(text) > LARGEST:
        return
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        # No string of JSON has a line break inside.
        if match[0] == "\n":
            line += 1
            start = match.end()
        else:
            yield match[0], (line, match.start() - start + 1)


def values(text: str) -> Iterator[tuple[str, Place, bool]]:
    """Yield each value of well-formed `text`: pointer, place, whether its key is a duplicate.

    Examples
    --------
    >>> list(values('{"a": [1],\\n "a": 2}'))
    [('', (1, 1), False), ('/a', (1, 7), False), ('/a/0', (1, 8), False), ('/a', (2, 7), True)]
    """
    # One entry for each object or list that is open: its pointer, the keys seen in it, and the key
    # or, in a list, the index of its current member.
    prefixes: list[str] = []
    seen: list[set[str]] = []
    members: list[str | int] = []
    is_duplicate = False
    for (lexeme, place), (following, _) in pairwise(chain(tokens(text), [("", (0, 0))])):
        if following == ":":
            key = json.loads(lexeme) if "\\" in lexeme else lexeme[1:-1]
            is_duplicate = key in seen[-1]
            seen[-1].add(key)
            members[-1] = key
        elif lexeme == ",":
            if isinstance(members[-1], int):
                members[-1] += 1
        elif lexeme in "]}":
            del prefixes[-1], seen[-1], members[-1]
        elif lexeme != ":":
            path = ""
            if prefixes:
                path = prefixes[-1] + pointer(members[-1])
            yield path, place, is_duplicate
            is_duplicate = False
            if lexeme in "[{":
                prefixes.append(path)
                seen.append(set())
                members.append(0 if lexeme == "[" else "")


def token_place(text: str, wanted: Callable[[str], bool]) -> Place:
    """Return the place of the first token of `text` that is `wanted`, or (1, 0).

    Examples
    --------
    >>> token_place('["NaN",\\n NaN]', "NaN".__eq__)
    (2, 2)
    """
    return next((place for token, place in tokens(text) if wanted(token)), (1, 0))


def locate(text: str, pointers: set[str]) -> dict[str, Place]:
    """Return the places of those `pointers` that `text` has; none where it is too large.

    Examples
    --------
    >>> locate('{"a":\\n  [1, 2]}', {"/a/1", "/b"})
    {'/a/1': (2, 7)}
    """
    if not pointers:
        return {}
    return {path: place for path, place, _ in values(text) if path in pointers}
