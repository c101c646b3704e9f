"""BibTeX text that stands in no entry but looks like a part of one: what a lost ``@`` or brace leaves behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*(?P<sign>[{(])")
_SIGN = re.compile(r"[{})]")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}[ \t]*=\s*[{\"]")


def stray_fields(text: str, before: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the line and the first words of every stretch between entries that holds a field.

    BibTeX itself takes such text for a remark and drops it without a word. `before` is the number of lines before the
    text.

    Examples
    --------
    >>> list(stray_fields('@misc{a, title={A}}\\n\\nmisc{b, title={B}}'))
    [(3, 'title={')]
    """
    at = counted = 0
    line = before + 1
    while True:
        head = _HEAD.search(text, at)
        field = _FIELD.search(text, at, head.start() if head else len(text))
        if field:
            line += text.count("\n", counted, field.start())
            counted = field.start()
            yield line, " ".join(field.group().split())
        if head is None:
            return
        at = _end(text, head)


def _end(text: str, head: re.Match[str]) -> int:
    """Where an entry ends: at the brace that closes it, or behind the last sign where none does."""
    closing, depth = ("}", 1) if head["sign"] == "{" else (")", 0)
    for sign in _SIGN.finditer(text, head.end()):
        depth += {"{": 1, "}": -1}.get(sign.group(), 0)
        if depth <= 0 and sign.group() == closing:
            return sign.end()
    return len(text)
