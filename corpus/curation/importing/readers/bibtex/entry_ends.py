"""Where entries of BibTeX begin and end, and what is left between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*(?P<brace>[{(])")
_BRACE = re.compile(r"[{})]")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}[ \t]*=\s*[{\"]")
_DEPTH = {"{": 1, "}": -1, ")": 0}


def stray_fields(text: str, before: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the line and the first words of every stretch between entries that holds a field.

    A lost ``@`` or brace leaves such text behind; BibTeX itself takes it for a remark and drops it
    silently. `before` is the number of lines before the text.

    Examples
    --------
    >>> list(stray_fields('@misc{a, title={A}}\\n\\nmisc{b, title={B}}'))
    [(3, 'title={')]
    """
    at = counted = 0
    line = before + 1
    while True:
        head = _HEAD.search(text, at)
        end = len(text)
        if head:
            end = head.start()
        field = _stray_field(text, at, end)
        if field:
            line += text.count("\n", counted, field.start())
            counted = field.start()
            yield line, " ".join(field.group().split())
        if head is None:
            return
        at = _end(text, head)


def first_entry_end(text: str) -> int:
    """Return where the first entry of a text ends: behind its closing brace, or at the end."""
    head = _HEAD.search(text)
    if head is None:
        return len(text)
    return _end(text, head)


def _stray_field(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first field between entries that is not on a line of remarks."""
    for field in _FIELD.finditer(text, start, end):
        start_of_line = text.rfind("\n", 0, field.start()) + 1
        before = text[start_of_line : field.start()]
        if not before.lstrip().startswith("%"):
            return field
    return None


def _end(text: str, head: re.Match[str]) -> int:
    """Where an entry ends: behind the brace that closes it, or at the end of the text."""
    # BibTeX knows @misc{...} and @misc(...); a bracket closes the latter outside all braces.
    closing, depth = ")", 0
    if head["brace"] == "{":
        closing, depth = "}", 1
    for brace in _BRACE.finditer(text, head.end()):
        depth += _DEPTH[brace.group()]
        if depth <= 0 and brace.group() == closing:
            return brace.end()
    return len(text)
