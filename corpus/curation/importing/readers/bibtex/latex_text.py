"""Plain text of what reference managers write as LaTeX, fast enough for thousands of entries."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db

_LINK = re.compile(r"\\href\s*\{((?:[^{}]|\{[^{}]*\})*)\}.*", re.DOTALL)
_ADDRESS_COMMAND = re.compile(r"\\(?:url|path|nolinkurl)\b")
_TILDE = re.compile(r"\\textasciitilde(?:\s|\{\})?|\\~(?:\{\})?|\$\\sim\$|\\sim\b")
#: Where a text is more than letters and braces to LaTeX: commands, math, comments, ligatures.
_SPECIAL = re.compile(r"[\\$~%&#]|--|``|''|[!?]`")
#: Characters that mean something to LaTeX, and themselves to everybody who types a title.
_UNPROTECTED = re.compile(r"(?<!\\)[%&#]")
#: Commands that stand for a character, whatever is around them: accents, escaped characters.
_CHARACTER = re.compile(
    r"""\\(?:["'`^~=.]\s*(?:\{\\?[A-Za-z]\}|\\[ij](?![A-Za-z])|[A-Za-z])"""
    r"|[cvuHrkd]\s*\{\\?[A-Za-z]\}"
    r"|(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?:\{\}|(?![A-Za-z])[ ]*)"
    r"|[&%#_])"
)
#: The name of a program or a journal as a command of its own, as in `\TeX{}`.
_LOGO = re.compile(r"\\(?P<name>[A-Za-z]*[A-Z][A-Za-z]*)(?P<end>\{\}|\\(?=\s)|[ \t]*)(?!\{)")
_ADDRESS = re.compile(r"\\url\s*\{([^{}]*)\}")
#: Commands that classes and hand-made files define for a character.
_DASHES = {"emdash": "\u2014", "endash": "\u2013", "slash": "/"}
_DASH = re.compile(rf"\\(?P<name>{'|'.join(_DASHES)})(?![A-Za-z])(?:\{{\}})?[ ]?")
_LIGATURES = {
    "---": "\u2014",
    "--": "\u2013",
    "``": "\u201c",
    "''": "\u201d",
    "?`": "\u00bf",
    "!`": "\u00a1",
    "~": "\u00a0",
}
#: From left to right, as TeX reads them: "!``" is an inverted mark and an open quote.
_LIGATURE = re.compile("|".join(map(re.escape, _LIGATURES)))


def plain_text(latex: str) -> str:
    r"""Turn LaTeX into plain text.

    Examples
    --------
    >>> plain_text(r"{Peat} \& M{\"u}ller's moss")
    "Peat & Müller's moss"

    What is unprotected, and would be a comment or an alignment to LaTeX, is meant as it is written.

    >>> plain_text("R & D: 50% more"), plain_text(r"The {\TeX}book")
    ('R & D: 50% more', 'The TeXbook')
    """
    if _SPECIAL.search(latex):
        return _converted(latex)
    # Nine in ten fields have nothing special but braces; this is a hundred times faster.
    return latex.replace("{", "").replace("}", "")


# The same journal, series or remark is in many entries of one file.
@lru_cache(maxsize=10_000)
def _converted(latex: str) -> str:
    text = _UNPROTECTED.sub(r"\\\g<0>", _ADDRESS.sub(r"\1", latex))
    text = _DASH.sub(_dash, text)
    text = _LOGO.sub(_logo, text)
    short = _CHARACTER.sub(_character, text)
    if "\\" in short or "$" in short:
        return _read_latex(_converter(), text)
    short = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], short)
    return short.replace("{", "").replace("}", "")


def formula_text(latex: str) -> str:
    r"""Return a formula in characters.

    Examples
    --------
    >>> formula_text(r"5\times7"), formula_text(r"\varepsilon_0"), formula_text("x^2")
    ('5×7', 'ε_0', 'x^2')
    """
    return _read_latex(_converter_of_formulas(), f"${latex}$").strip()


def _read_latex(converter: LatexNodes2Text, latex: str) -> str:
    """Return the text of LaTeX, or LaTeX itself where a command lacks its arguments."""
    try:
        return str(converter.latex_to_text(latex))
    except (IndexError, AttributeError, TypeError):
        return latex


def _dash(match: re.Match[str]) -> str:
    return _DASHES[match["name"]]


def _logo(match: re.Match[str]) -> str:
    """Return the name of a command that the converter does not know, else the command."""
    if match["name"] in _known_commands():
        return match[0]
    return match["name"]


def _character(match: re.Match[str]) -> str:
    return _one_character(match[0])


@cache
def _one_character(command: str) -> str:
    return _read_latex(_converter(), command)


@cache
def _converter() -> LatexNodes2Text:
    # Building it takes longer than converting a title.
    return LatexNodes2Text(math_mode="verbatim")


@cache
def _converter_of_formulas() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text")


@cache
def _known_commands() -> frozenset[str]:
    return frozenset(
        str(spec.macroname) for spec in get_default_latex_context_db().iter_macro_specs()
    ) | {"Large", "LARGE", "Huge", "Alph", "Roman", "MakeUppercase", "MakeLowercase"}


def address_text(latex: str) -> str:
    r"""Return an address or identifier without the LaTeX that protects its characters.

    A percent sign starts no comment here, and `~` is a character of its own.

    Examples
    --------
    >>> address_text(r"\url{https://a.example/x\_y\%20z{\~{}}b}")
    'https://a.example/x_y%20z~b'
    >>> address_text(r"10.1007/978-3{\_}1"), address_text(r"$\sim$ann")
    ('10.1007/978-3_1', '~ann')
    """
    text = _ADDRESS_COMMAND.sub("", _LINK.sub(r"\1", latex))
    text = _TILDE.sub("~", text)
    text = text.replace(r"\textunderscore", "_")
    return re.sub(r"\\([_%&#$^{}~-])|[{}]", r"\1", text).strip()
