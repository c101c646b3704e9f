"""Plain text of what reference managers write as LaTeX, by pylatexenc."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import get_default_latex_context_db as get_default_latex_walker_db
from pylatexenc.macrospec import std_macro

_LINK = re.compile(r"\\href\s*\{((?:[^{}]|\{[^{}]*\})*)\}.*", re.DOTALL)
_ADDRESS_COMMAND = re.compile(r"\\(?:url|path|nolinkurl)\b")
_TILDE = re.compile(r"\\textasciitilde(?:\s|\{\})?|\\~(?:\{\})?|\$\\sim\$|\\sim\b")
#: Where a text is more than letters and braces to LaTeX: commands, math, comments, ligatures.
_SPECIAL = re.compile(r"[\\$~%&#`]|--|''")
#: A word or phrase between single quotation marks; an apostrophe is none.
_QUOTED = re.compile(r"(?<![\w`])`([^`]+?)'(?!\w)")
#: A protected character; one that means something to LaTeX, and itself to everybody who types a
#: title; a formula, whose dollars touch it, as no price does; another dollar.
_PARTS = re.compile(
    r"\\.|(?P<formula>\$(?![\s$])(?:\\.|[^\\$])*(?<!\s)\$(?![0-9])|\$\$(?:\\.|[^\\$])+\$\$)"
    r"|(?P<plain>[%&#$])|[^\\%&#$]+|.",
    re.DOTALL,
)
_FUNCTION = re.compile(r"\\(?:log|ln|exp|sin|cos|tan|min|max|arg(?:min|max)|sup|inf|det|lim)(?= )")
_RELATION = re.compile(r"\\(?:in|notin|subset|leq?|geq?|neq?|approx|sim|to|rightarrow)\b(?= )")
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
    "copyright": "\u00a9",
    "og": "\u00ab",
    "fg": "\u00bb",
    "textless": "<",
    "textgreater": ">",
    "arg": "arg ",
    "argmax": "argmax ",
    "argmin": "argmin ",
    **dict.fromkeys(("tt", "em", "it", "bf", "rm", "sc", "sf", "sl"), ""),
    **dict.fromkeys(("protect", "xspace", "relax"), ""),
}
#: Commands whose last argument is their text, and how many arguments they take; pylatexenc drops
#: it, or does not know how many there are.
_TEXTS = {
    **dict.fromkeys(("mbox", "title", "author", "date", "texttt", "textsf", "textup", "textmd"), 1),
    **dict.fromkeys(("keywords", "hbox", "fbox", "verb", "ce", "enquote", "uline", "sout"), 1),
    **dict.fromkeys(("href", "textcolor", "colorbox", "scalebox", "raisebox"), 2),
    "foreignlanguage": 2,
    "resizebox": 3,
}
#: Quantities: a number, a unit or both, and how many arguments they take.
_QUANTITIES = {"SI": 2, "qty": 2, "si": 1, "unit": 1}
#: Commands that have no text.
_WITHOUT_TEXT = {
    **dict.fromkeys(("cite", "citet", "citep", "citealt", "citealp", "citeauthor", "citeyear"), 1),
    **dict.fromkeys(("ref", "autoref", "cref", "Cref", "eqref", "label", "index", "color"), 1),
    **dict.fromkeys(
        ("includegraphics", "vspace", "hspace", "footnotemark", "noopsort", "SortNoop"), 1
    ),
}
_VERBATIM = re.compile(r"\\verb\*?([^A-Za-z\s{*])(.*?)\1")


#: How reference managers write characters of a DOI.
_CHARACTERS = {
    r"\textunderscore": "_", r"\textless": "<", r"\textgreater": ">", "$<$": "<", "$>$": ">",
}  # fmt: skip


def plain_text(latex: str) -> str:
    r"""Turn LaTeX into plain text, from left to right, formulas into characters.

    Examples
    --------
    >>> plain_text(r"{Peat} \& M{\"u}ller's moss"), plain_text(r"\texttt{AgentLib} for \foo{play}")
    ("Peat & Müller's moss", 'AgentLib for play')
    >>> plain_text(r"Win \$100 or lose \$5: a $2\times$ bandit of $x^2$")
    'Win $100 or lose $5: a 2× bandit of x^2'

    What is unprotected, and would be a comment or an alignment to LaTeX, is meant as it is written;
    so are dollars that enclose no formula by the rule of Pandoc.

    >>> plain_text("R & D: 50% more"), plain_text(r"The {\TeX}book"), plain_text("$5 to $10")
    ('R & D: 50% more', 'The TeXbook', '$5 to $10')
    """
    if not _SPECIAL.search(latex):
        # Six in seven fields have nothing special but braces; this is a hundred times faster.
        return latex.replace("{", "").replace("}", "")
    text = _VERBATIM.sub(r"\2", _ADDRESS.sub(r"\1", latex))
    return _QUOTED.sub(r"‘\1’", _read_latex("".join(_protected(text))))


def _protected(latex: str) -> Iterator[str]:
    """Yield LaTeX in which what has no meaning to it is protected: `%`, `&`, `#`, prices."""
    for part in _PARTS.finditer(latex):
        if part["plain"]:
            yield f"\\{part[0]}"
        elif part["formula"]:
            # Two commands of a formula may be joined to one word, and functions to their argument.
            yield _FUNCTION.sub(r"\g<0>{ }", _RELATION.sub(r"\\ \g<0>\\ ", part[0]))
        else:
            yield part[0]


def unknown_commands(latex: str) -> list[str]:
    r"""Return the commands in a text that nobody here knows; their arguments stay as text.

    Examples
    --------
    >>> unknown_commands(r"\emph{Peat} in \mycommand{fens}")
    ['\\mycommand']
    """
    if "\\" not in latex:
        return []
    contexts = (get_default_latex_context_db(), get_default_latex_walker_db())
    unknown = []
    for name in dict.fromkeys(re.findall(r"\\([A-Za-z]{2,})", latex)):
        is_known = any(context.get_macro_spec(name) for context in contexts)
        is_own = name in {**_TEXTS, **_QUANTITIES, **_COMMANDS}
        if not (is_known or is_own or re.search("[A-Z]", name)):
            unknown.append(f"\\{name}")
    return unknown


# The same journal, series or remark is in many entries of one file.
@lru_cache(maxsize=10_000)
def _read_latex(latex: str) -> str:
    """Return the text of LaTeX, or LaTeX itself where a command lacks its arguments."""
    try:
        text = str(_converter().latex_to_text(latex, latex_context=_commands()))
        # pylatexenc leaves a place open where an argument is missing.
        return latex if text.count("%s") > latex.count("%s") else text
    except (IndexError, AttributeError, TypeError, RecursionError):
        return latex


@cache
def _converter() -> LatexNodes2Text:
    context = get_default_latex_context_db()
    own = [MacroTextSpec(name, text) for name, text in _COMMANDS.items()]
    # Of these pylatexenc drops the argument, or writes a mark in its place.
    own += [MacroTextSpec(name, simplify_repl=_kept) for name in _TEXTS]
    own += [MacroTextSpec(name, simplify_repl=_quantity) for name in _QUANTITIES]
    own += [MacroTextSpec(name, "") for name in _WITHOUT_TEXT]
    context.add_context_category("of titles", macros=own, prepend=True)
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_kept))
    return LatexNodes2Text(math_mode="text", latex_context=context)


@cache
def _commands() -> Any:
    """Return the commands that are known, with the number of their arguments."""
    context = get_default_latex_walker_db()
    own = []
    for name, number in {**_TEXTS, **_QUANTITIES, **_WITHOUT_TEXT}.items():
        own.append(std_macro(name, False, number))
    context.add_context_category("of titles", macros=own, prepend=True)
    return context


def _kept(node: Any, l2tobj: Any) -> str:
    r"""Return the last argument of a command, or the name of a program: `\BibTeX{}`."""
    arguments = [each for each in node.nodeargd.argnlist if each] if node.nodeargd else []
    if arguments:
        return str(l2tobj.nodelist_to_text(arguments[-1:]))
    if re.search("[A-Z]", node.macroname):
        return str(node.macroname)
    return ""


def _quantity(node: Any) -> str:
    r"""Return number and unit, whose commands are words: `\SI{5}{\kilo\meter}`."""
    parts = (each.latex_verbatim().strip("{}") for each in node.nodeargd.argnlist if each)
    return " ".join(" ".join(parts).replace("\\", " ").split())


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
    for command, character in _CHARACTERS.items():
        text = text.replace(command, character)
    return re.sub(r"\\([_%&#$^{}~-])|[{}]", r"\1", text).strip()
