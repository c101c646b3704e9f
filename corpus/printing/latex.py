"""Any text for pdfLaTeX: no command, no character that the font lacks, no run that cannot break."""

import re
import unicodedata
from functools import cache
from typing import Any

#: A text without a match prints as it is: plain ASCII, no special character, ligature, joint or
#: long run.
_NOT_PLAIN = re.compile(r"[^ !'-;=?-Z\[\]a-z]|  |--|''|,,|[A-Za-z0-9][/:][A-Za-z0-9]{3}|[^\s-]{18}")
_LONG_RUN = re.compile(r"[^\s-]{18,}")
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
_SPACES = re.compile(r" (?= )")
_JOINT = re.compile(r"(?<=[A-Za-z0-9])(?:/|:|\\_)(?=[A-Za-z0-9]{3})")
_CODES = re.compile(r"(?<=[0-9A-F])\]\[(?=U\+)")

#: ASCII that TeX reads as something else; pylatexenc writes `"` as a closing quote and `<` as
#: mathematics.
_ASCII = {
    '"': r"\textquotedbl{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "\n": " ",
    "\t": " ",
    "\u00a0": "~",
    "\u2011": "-",
    "\u2212": r"\ensuremath{-}",
}

#: Accents of LaTeX's kernel.
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0326": "textcommabelow",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}

#: Characters beyond ASCII for which pylatexenc's command exists in LaTeX's kernel with T1 and Latin
#: Modern; measured by compiling each, as the tests do again.
_PRINTED = re.compile(
    r"[\u00a1-\u00ac\u00ae-\u0148\u014a-\u017e\u0386-\u038f\u0391-\u03ce\u2010\u2012-\u2016"
    r"\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039-\u203a\u2070-\u2071"
    r"\u2074-\u208e\u20ac\u2122\u2190-\u2199\u21d0-\u21d5\u2206-\u220d\u220f-\u2211"
    r"\u2217-\u221e\u2227-\u222b\u2248-\u2249\u2260-\u2262\u2264-\u2265\u226a-\u226b"
    r"\u2282-\u2287\u03d1\u03d5\u03d6\u03f1\u03f5\u2090-\u2093\u2095-\u209c\u210e\u210f\u2113\u2118"
    r"\u2135\u21a6\u2200\u2202\u2203\u2213\u2223\u2225\u222e\u223c\u2243-\u2245\u2250\u227a-\u227d"
    r"\u2291-\u2299\u22a2-\u22a5\u22c0-\u22c6\u22ee\u22ef\u22f1\u25b3\u25cb\u27e8\u27e9\u2aaf\u2ab0]"
)
#: Alphabets of mathematics by what the name of a letter has in it, as the kernel has them: bold
#: letters take the place of those that are double-struck, as in older print, and of fraktur.
_ALPHABETS = {
    "DOUBLE-STRUCK": "mathbf",
    "BLACK-LETTER": "mathbf",
    "FRAKTUR": "mathbf",
    "SCRIPT CAPITAL": "mathcal",
    "BOLD": "mathbf",
    "SANS-SERIF": "mathsf",
    "MONOSPACE": "mathtt",
    "": "mathit",
}


#: A run without a place to break is a long word up to this length, and something else (an address,
#: a hash) beyond.
_LONGEST_WORD = 24
#: The combining class of accents above a letter; those below have lower ones.
_ABOVE = 230


def latex_text(text: str) -> str:
    r"""Return LaTeX that prints a text.

    It needs pdfLaTeX with T1 fonts and nothing but LaTeX's kernel.

    Characters that those fonts lack (CJK, Arabic, emoji) and invisible ones are printed as their
    code in brackets; Latin letters with any accents of the kernel, such as those of Vietnamese and
    of transliterations, are composed. Words may break after a slash, colon or underscore. Runs of
    18 characters and more without space or hyphen may break anywhere; a word that long gets a
    hyphen there.

    Examples
    --------
    >>> latex_text("50% of $x_1$, é and 中")
    "50\\% of \\$x\\_1\\$, {\\'e} and [U+4E2D]"
    """
    if _NOT_PLAIN.search(text) is None:
        return text
    pieces = []
    end = 0
    normal = unicodedata.normalize("NFC", text.replace("\r\n", "\n"))
    for run in _LONG_RUN.finditer(normal):
        pieces.append(_translate(normal[end : run.start()]))
        is_word = run.group().isalpha() and len(run.group()) <= _LONGEST_WORD
        between = r"\-" if is_word else r"\allowbreak{}"
        pieces.append(between.join(map(_character, run.group())))
        end = run.end()
    pieces.append(_translate(normal[end:]))
    return "".join(pieces)


def latex_url(url: str) -> str:
    """Return the result of :func:`~corpus.printing.escape.web_address` for ``\\href``."""
    return url.replace("%", r"\%").replace("#", r"\#").replace("&", r"\&").replace("_", r"\_")


def _translate(text: str) -> str:
    printed = _LIGATURE.sub("{}", "".join(map(_character, text)))
    printed = _SPACES.sub("~", printed)  # TeX prints spaces in a row as one
    printed = _CODES.sub(" ", printed)  # codes in a row share their brackets
    return _JOINT.sub(r"\g<0>\\allowbreak{}", printed)


def kernel_latex(character: str) -> str:
    r"""Return LaTeX's kernel for a character beyond ASCII; the character where it has none.

    Examples
    --------
    >>> kernel_latex("é"), kernel_latex("ℒ"), kernel_latex("中")
    ("{\\'e}", '\\ensuremath{\\mathcal{L}}', '中')
    """
    printed = _character(character)
    if printed.startswith("[U+"):
        return character
    return printed


@cache
def _character(character: str) -> str:
    if character in _ASCII:
        return _ASCII[character]
    if character in "#$%&_{}":
        return "\\" + character
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return character
    if _PRINTED.match(character):
        return str(_encoder().unicode_to_latex(character))
    return _composed(character) or _mathematical(character) or f"[U+{code:04X}]"


def _mathematical(character: str) -> str:
    """Return a letter or digit of a mathematical alphabet; an empty text for anything else."""
    plain = unicodedata.normalize("NFKC", character)
    if (
        len(plain) != 1
        or not plain.isalnum()
        or not unicodedata.decomposition(character).startswith("<font>")
    ):
        return ""
    name = unicodedata.name(character)
    alphabet = next(alphabet for part, alphabet in _ALPHABETS.items() if part in name)
    return f"\\ensuremath{{\\{alphabet}{{{_character(plain)}}}}}"


def _composed(character: str) -> str:
    """Return a Latin letter with its accents; an empty text for anything else."""
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if not (letter.isascii() and letter.isalpha()):
        return ""
    if not marks or not _ACCENTS.keys() >= set(marks):
        return ""
    above = [mark for mark in marks if unicodedata.combining(mark) == _ABOVE]
    inner = unicodedata.normalize("NFC", letter + "".join(above[:-1]))
    # T1 fonts have these letters; upon any other letter with an accent, nothing can be set.
    if len(inner) > 1 or (inner > "\xff" and inner not in "Ăă"):
        return ""
    printed = letter
    if above and letter in "ij":
        printed = f"\\{letter}"  # without its dot
    # Accents above come first; the sort is stable, so that inner ones stay before outer ones.
    for mark in sorted(marks, key=unicodedata.combining, reverse=True):
        printed = f"\\{_ACCENTS[mark]}{{{printed}}}"
    return f"{{{printed}}}"


@cache
def _encoder() -> Any:
    # Only a text beyond ASCII needs it.
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        unknown_char_policy="unihex", replacement_latex_protection="braces-all"
    )
