"""The running text of a manuscript: everything else becomes blanks, so that lines and columns stay where they are."""

from __future__ import annotations

import re
from typing import NamedTuple


class Block(NamedTuple):
    """Patterns of the two ends of a block; the closing one may name what the first group of the opening one is."""

    opening: re.Pattern[str]
    closing: str


#: Optional arguments and braces of a command are looked for so far; beyond it the brace was forgotten.
_ARGUMENT = 5_000


def _block(opening: str, closing: str) -> Block:
    return Block(re.compile(opening, re.MULTILINE), closing)


_COMMENT = _block(r"<!--", r"-->")
_KEPT_CURRENT = _block(r"<!--[ \t]*corpus:[^>\n]{0,200}-->", r"<!--[ \t]*/corpus[ \t]*-->")
_TEX = (
    _block(r"^[ \t]*%[ \t]*corpus:", r"^[ \t]*%[ \t]*/corpus[ \t]*$"),
    re.compile(r"(?<!\\)%[^\n]*"),
    _block(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|thebibliography)\}", r"\\end\{%s\}"),
    re.compile(
        r"\\(?:cite\w*|ref|eqref|cref|Cref|autoref|label|input|include|href|url|bibliography)\*?"
        rf"(?:\[[^\]]{{0,{_ARGUMENT}}}\])*\{{[^}}]{{0,{_ARGUMENT}}}\}}"
    ),
    re.compile(r"\\[A-Za-z]+\*?"),
)
_MD = (
    re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL),
    re.compile(r"`[^`\n]*`"),
    _KEPT_CURRENT,
    _COMMENT,
    re.compile(r"\]\([^)\n]{0,2000}\)"),
    re.compile(r"<[A-Za-z/][^<>\n]{0,2000}>"),
)
_HTML = (
    _block(r"<(script|style)\b", r"</%s>"),
    _KEPT_CURRENT,
    _COMMENT,
    re.compile(r"<[A-Za-z/!][^<>]{0,5000}>"),
)
_LEFT_OUT: dict[str, tuple[Block | re.Pattern[str], ...]] = {"tex": _TEX, "md": _MD, "html": _HTML}


def running_text(text: str, sink: str) -> str:
    """Blank out comments, code, commands, links and what `corpus render` keeps current; the length stays.

    Parameters
    ----------
    text : str
        The manuscript.
    sink : str
        ``tex``, ``md`` or ``html``.

    Examples
    --------
    >>> running_text("a~b rl\\\\_x % 9 tags", "tex")
    'a b rl _x         '
    """
    for part in _LEFT_OUT[sink]:
        if isinstance(part, Block):
            text = _without_blocks(text, part)
        else:
            text = part.sub(_blank, text)
    if sink == "tex":
        text = re.sub(r"\\[,;!: ]|\{,\}", lambda m: "  ," if m.group() == "{,}" else "  ", text)
        text = re.sub(r"[~{}]|\\(?=[_%&#])", " ", text)
    return text


def _without_blocks(text: str, block: Block) -> str:
    """Blank out every block that is closed.

    One pattern from end to end would look for the closing end of each of a thousand openings up to the end of the
    text; here an end that is not there is looked for once.
    """
    pieces: list[str] = []
    missing: set[str] = set()
    done = 0
    for opening in block.opening.finditer(text):
        closing = block.closing
        if opening.lastindex:
            closing = block.closing % re.escape(opening[1])
        if opening.start() < done or closing in missing:
            continue
        end = re.compile(closing, re.MULTILINE).search(text, opening.end())
        if end is None:
            missing.add(closing)
            continue
        pieces += [text[done : opening.start()], _blanks(text[opening.start() : end.end()])]
        done = end.end()
    return "".join([*pieces, text[done:]])


def _blank(match: re.Match[str]) -> str:
    return _blanks(match.group())


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
