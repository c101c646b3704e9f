"""The running text of a manuscript: everything else becomes blanks, so that lines and columns stay where they are."""

from __future__ import annotations

import re

_TEX = (
    r"(?<!\\)%[^\n]*",
    r"\\begin\{(verbatim\*?|lstlisting|minted|comment|thebibliography)\}.*?\\end\{\1\}",
    r"\\(?:cite\w*|ref|eqref|cref|Cref|autoref|label|input|include|href|url|bibliography)\*?(?:\[[^\]]*\])*\{[^}]*\}",
    r"\\[A-Za-z]+\*?",
)
_MD = (
    r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1|\Z)",
    r"`[^`\n]*`",
    r"<!--[ \t]*corpus:[^>\n]{0,200}-->.*?<!--[ \t]*/corpus[ \t]*-->",
    r"<!--.*?-->",
    r"\]\([^)\n]{0,2000}\)",
    r"<[A-Za-z/][^<>\n]{0,2000}>",
)
_HTML = (r"<(script|style)\b.*?</\1>", *_MD[2:4], r"<[A-Za-z/!][^<>]{0,5000}>")
_OTHER = {"tex": _TEX, "md": _MD, "html": _HTML}
_MARKED = r"^[ \t]*%[ \t]*corpus:.*?^[ \t]*%[ \t]*/corpus[ \t]*$"


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
    patterns = (_MARKED, *_TEX) if sink == "tex" else _OTHER[sink]
    for pattern in patterns:
        text = re.sub(pattern, _blank, text, flags=re.DOTALL | re.MULTILINE)
    if sink == "tex":
        text = re.sub(r"\\[,;!: ]|\{,\}", lambda m: "  ," if m.group() == "{,}" else "  ", text)
        text = re.sub(r"[~{}]|\\(?=[_%&#])", " ", text)
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())
