"""Sentences with code and links in them, for a terminal and for Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from corpus.printing.escape import markdown, terminal, web_address
from corpus.printing.grid import cut

#: Only such a text becomes a code span: nothing in it could end the span or mean anything outside,
#: and no space is at an edge or beside another one, where a span does not show it.
_SAFE_CODE = re.compile(r"[A-Za-z0-9_.,/=+-]+(?: [A-Za-z0-9_.,/=+-]+)*", re.ASCII)


class SentencePart(NamedTuple):
    """A part of a sentence: plain text, `code`, or a link where it has an `address`."""

    text: str
    code: bool = False
    address: str = ""


Sentence = tuple[SentencePart, ...]


def sentence(*parts: str | SentencePart) -> Sentence:
    """Return a sentence; strings become plain text."""
    found: list[SentencePart] = []
    for part in parts:
        if isinstance(part, str):
            found.append(SentencePart(part))
        else:
            found.append(part)
    return tuple(found)


def code(text: str) -> SentencePart:
    """Return a key, command or column that Markdown shows as code."""
    return SentencePart(text, code=True)


def plain_text(parts: Iterable[SentencePart]) -> str:
    """Write a sentence without markup; a link is its address. The sink escapes the result."""
    return "".join(part.address or part.text for part in parts)


def markdown_text(parts: Iterable[SentencePart]) -> str:
    """Write a sentence as Markdown: code and links work, everything else is escaped.

    Examples
    --------
    >>> print(markdown_text(sentence("run ", code("corpus build"), " for *all*")))
    run `corpus build` for \\*all\\*
    >>> print(markdown_text(sentence("from ", code("Peat "), " to ", code("Peat"))))
    from "Peat " to `Peat`
    """
    written = []
    for part in parts:
        if part.address:
            written.append(_markdown_link(part))
        elif part.code and _SAFE_CODE.fullmatch(part.text):
            written.append(f"`{part.text}`")
        elif part.code and part.text != part.text.strip():
            written.append(f'"{markdown(part.text)}"')
        else:
            written.append(markdown(part.text))
    return "".join(written)


def _markdown_link(part: SentencePart) -> str:
    address = web_address(part.address)
    if not address:
        return markdown(part.text)
    # An address in a link is not a mention, but a reader of the source may take it for one.
    target = address.replace("@", "%40").replace("::", "%3A%3A")
    return f"[{markdown(part.text)}]({target})"


def shortened(before: str, after: str, length: int) -> tuple[str, str]:
    """Return two values that differ, long ones cut so that the first difference is seen.

    Examples
    --------
    >>> shortened("a" * 90 + "b", "a" * 90 + "c", 20)
    ('…aaaaaaaab', '…aaaaaaaac')
    >>> shortened("a ", "a", 20)
    ('"a "', '"a"')
    """
    # Tables in Markdown and HTML show line breaks and tabs as spaces, and no space at an edge.
    old, new = terminal(before), terminal(after)
    if old != old.strip() or new != new.strip():
        old, new = f'"{old}"', f'"{new}"'
    if max(len(old), len(new)) > length:
        start = max(0, _common_start(old, new) - 8)
        if start:
            old, new = "…" + old[start:], "…" + new[start:]
    return cut(old, length) or "empty", cut(new, length) or "empty"


def _common_start(old: str, new: str) -> int:
    """Return how many characters two texts begin with in common."""
    for position, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return position
    return min(len(old), len(new))
