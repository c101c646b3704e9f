"""Plain text of what reference managers write as LaTeX, by pylatexenc."""

import re
from functools import cache, lru_cache
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

_LINK = re.compile(r"\\href\s*\{((?:[^{}]|\{[^{}]*\})*)\}.*", re.DOTALL)
_ADDRESS_COMMAND = re.compile(r"\\(?:url|path|nolinkurl)\b")
_TILDE = re.compile(r"\\textasciitilde(?:\s|\{\})?|\\~(?:\{\})?|\$\\sim\$|\\sim\b")
#: Where a text is more than letters and braces to LaTeX: commands, math, comments, ligatures.
_SPECIAL = re.compile(r"[\\$~%&#]|--|``|''|[!?]`")
#: Characters that mean something to LaTeX, and themselves to everybody who types a title.
_UNPROTECTED = re.compile(r"(?<!\\)[%&#]")
_ADDRESS = re.compile(r"\\url\s*\{([^{}]*)\}")
#: Commands that pylatexenc does not know: of classes and hand-made files, and sizes of letters.
_COMMANDS = {
    "emdash": "\u2014",
    "endash": "\u2013",
    "slash": "/",
    "TeX": "TeX",
    "Large": "",
    "LARGE": "",
    "Huge": "",
    "MakeUppercase": "",
    "MakeLowercase": "",
}


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
    if not _SPECIAL.search(latex):
        # Six in seven fields have nothing special but braces; this is a hundred times faster.
        return latex.replace("{", "").replace("}", "")
    return _read_latex(_UNPROTECTED.sub(r"\\\g<0>", _ADDRESS.sub(r"\1", latex)), "verbatim")


def formula_text(latex: str) -> str:
    r"""Return a formula in characters.

    Examples
    --------
    >>> formula_text(r"5\times7"), formula_text(r"\varepsilon_0"), formula_text("x^2")
    ('5×7', 'ε_0', 'x^2')
    """
    return _read_latex(f"${latex}$", "text").strip()


# The same journal, series or remark is in many entries of one file.
@lru_cache(maxsize=10_000)
def _read_latex(latex: str, math_mode: str) -> str:
    """Return the text of LaTeX, or LaTeX itself where a command lacks its arguments."""
    try:
        return str(_converter(math_mode).latex_to_text(latex))
    except (IndexError, AttributeError, TypeError, RecursionError):
        return latex


@cache
def _converter(math_mode: str) -> LatexNodes2Text:
    context = get_default_latex_context_db()
    own = [MacroTextSpec(name, text) for name, text in _COMMANDS.items()]
    context.add_context_category("of titles", macros=own, prepend=True)
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_logo))
    return LatexNodes2Text(math_mode=math_mode, latex_context=context)


def _logo(node: Any) -> str:
    r"""Return the name of a program or a journal that is a command of its own: `\BibTeX{}`."""
    if re.search("[A-Z]", node.macroname):
        return str(node.macroname)
    return ""


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
