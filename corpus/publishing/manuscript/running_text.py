"""The running text of a manuscript: spaces replace everything else, so that positions stay."""

import re

#: The pattern of what begins a block, and that of its end: empty where the first matches all of it.
#: The closing one may have ``%s`` for what the first group of the opening one matched.
Block = tuple[re.Pattern[str], str]

#: Arguments of a command are looked for so far; beyond it a closing brace was forgotten.
_ARGUMENT = 5_000


def _block(begins: str, ends: str = "") -> Block:
    return re.compile(begins, re.MULTILINE), ends


_COMMENT = _block(r"<!--", r"-->")
_KEPT_CURRENT = _block(r"<!--[ \t]*corpus:[^>\n]{0,200}-->", r"<!--[ \t]*/corpus[ \t]*-->")
_TEX = (
    _block(r"^[ \t]*%[ \t]*corpus:", r"^[ \t]*%[ \t]*/corpus[ \t]*$"),
    # The preamble is settings.
    _block(r"\A[\s\S]*?\\begin\{document\}"),
    # "\%" prints a percent character; behind "\\", which ends a line, a comment begins.
    _block(r"(?<!\\)(?:\\\\)*%[^\n]*"),
    _block(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|thebibliography)\}", r"\\end\{%s\}"),
    _block(
        r"\\(?:cite\w*|ref|eqref|cref|Cref|autoref|label|input|include|href|url|bibliography"
        r"|begin|end)\*?"
        rf"(?:\[[^\]]{{0,{_ARGUMENT}}}\])*\{{[^}}]{{0,{_ARGUMENT}}}\}}"
    ),
    _block(r"\\[A-Za-z]+\*?"),
)
_MD = (
    _block(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n", r"^ {0,3}%s|\Z"),
    _block(r"`[^`\n]*`"),
    _KEPT_CURRENT,
    _COMMENT,
    _block(r"\]\([^)\n]{0,2000}\)"),
    _block(r"<[A-Za-z/][^<>\n]{0,2000}>"),
)
_HTML = (
    # HTML has no case: <SCRIPT> is closed by </script >.
    _block(r"(?i:<(script|style))\b", r"(?i:</%s\s*>)"),
    _KEPT_CURRENT,
    _COMMENT,
    _block(r"<[A-Za-z/!][^<>]{0,5000}>"),
)
_LEFT_OUT = {"tex": _TEX, "md": _MD, "html": _HTML}

#: What LaTeX has inside numbers and words: ``1{,}500``, ``a\\,b``, ``rl\\_x``.
_TEX_SPACES = re.compile(r"\\[,;!: ]")
_TEX_CHARACTERS = re.compile(r"[~{}]|\\(?=[_%&#])|(?<!\\)\$")


def running_text(text: str, sink: str) -> str:
    """Replace all but the running text by spaces; the length and the lines stay.

    Left out are comments, code, commands, links and what `corpus render` keeps current.

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
    if sink == "tex":
        text = text.replace(r"\approx", "≈      ")
    for begins, ends in _LEFT_OUT[sink]:
        pieces = []
        # One pattern from end to end would look for the closing end of each of a thousand openings
        # up to the end of the text; here a missing end is looked for once.
        missing = set()
        done = 0
        for opening in begins.finditer(text):
            closing = ends
            if opening.lastindex:
                closing = ends % re.escape(opening[1])
            if opening.start() < done or closing in missing:
                continue
            end = re.compile(closing, re.MULTILINE).search(text, opening.end())
            if end is None:
                missing.add(closing)
                continue
            hidden = text[opening.start() : end.end()]
            pieces += [text[done : opening.start()], re.sub(r"[^\n]", " ", hidden)]
            done = end.end()
        text = "".join([*pieces, text[done:]])
    if sink == "tex":
        # The separator of thousands stays one.
        text = text.replace("{,}", "  ,")
        text = _TEX_SPACES.sub("  ", text)
        text = _TEX_CHARACTERS.sub(" ", text)
    return text
