"""Any text as plain text for pdfLaTeX: nothing is a command, nothing is missing from the font, any run can break."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

#: A text without a match prints as it stands: plain ASCII, no special character, ligature, joint or long run.
_NOT_PLAIN = re.compile(r"[^ !'-;=?-Z\[\]a-z]|--|''|,,|[A-Za-z0-9][/:][A-Za-z0-9]{3}|[^\s-]{18}")
_LONG_RUN = re.compile(r"[^\s-]{18,}")
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
_JOINT = re.compile(r"(?<=[A-Za-z0-9])(?:/|:|\\_)(?=[A-Za-z0-9]{3})")
_CODES = re.compile(r"(?<=[0-9A-F])\]\[(?=U\+)")

#: ASCII that TeX reads as something else; pylatexenc writes `"` as a closing quote and `<` as mathematics.
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

#: Characters beyond ASCII for which pylatexenc's command exists in LaTeX's kernel with T1 and Latin Modern; measured
#: by compiling each (tests/render/test_latex.py does so again).
_PRINTED = (
    (0xA1, 0x148),
    (0x14A, 0x17E),
    (0x386, 0x38F),
    (0x391, 0x3CE),
    (0x2010, 0x2010),
    (0x2012, 0x2016),
    (0x2018, 0x201A),
    (0x201C, 0x201E),
    (0x2020, 0x2022),
    (0x2026, 0x2026),
    (0x2030, 0x2030),
    (0x2039, 0x203A),
    (0x2070, 0x2071),
    (0x2074, 0x208E),
    (0x20AC, 0x20AC),
    (0x2122, 0x2122),
    (0x2190, 0x2199),
    (0x21D0, 0x21D5),
    (0x2206, 0x220D),
    (0x220F, 0x2211),
    (0x2217, 0x221E),
    (0x2227, 0x222B),
    (0x2248, 0x2249),
    (0x2260, 0x2262),
    (0x2264, 0x2265),
    (0x226A, 0x226B),
    (0x2282, 0x2287),
)


def latex_text(text: str) -> str:
    r"""Return `text` as LaTeX that prints it, under pdfLaTeX with T1 fonts, with nothing but LaTeX's kernel.

    Characters that those fonts lack (CJK, Arabic, emoji) and invisible ones are printed as their code in brackets;
    Latin letters with any accents of the kernel, such as those of Vietnamese and of transliterations, are composed.
    Words may break behind a slash, colon or underscore. Runs of 18 characters and more without blank or hyphen may
    break anywhere; a word that long gets a hyphen there.

    Examples
    --------
    >>> latex_text("50% of $x_1$, é and 中")
    "50\\% of \\$x\\_1\\$, {\\'e} and [U+4E2D]"
    """
    if _NOT_PLAIN.search(text) is None:
        return text
    pieces, end = [], 0
    normal = unicodedata.normalize("NFC", text)
    for run in _LONG_RUN.finditer(normal):
        pieces.append(_translate(normal[end : run.start()]))
        pieces.append(_breakable(run.group()))
        end = run.end()
    pieces.append(_translate(normal[end:]))
    return "".join(pieces)


def coded(text: str) -> set[str]:
    """Return the characters that a text from :func:`latex_text` prints as their code in brackets.

    Examples
    --------
    >>> coded(latex_text("é and 中"))
    {'中'}
    """
    return {chr(int(code, 16)) for code in re.findall(r"\[U\+([0-9A-F]{4,6})\]", text)}


def latex_url(url: str) -> str:
    """Return an address from :func:`corpus.printing.escape.web_address` as the first argument of ``\\href``."""
    return url.replace("%", r"\%").replace("#", r"\#").replace("&", r"\&").replace("_", r"\_")


def _translate(text: str) -> str:
    printed = _CODES.sub(" ", _LIGATURE.sub("{}", text.translate(_CHARACTERS)))
    return _JOINT.sub(r"\g<0>\\allowbreak{}", printed)


def _breakable(run: str) -> str:
    between = r"\-" if run.isalpha() and len(run) < 25 else r"\allowbreak{}"
    return between.join(_CHARACTERS[ord(character)] for character in run)


class _Characters(dict[int, str]):
    """Code point -> LaTeX; each character is looked up once."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _character(chr(code))
        return found


_CHARACTERS = _Characters()
_ENCODERS: list[Any] = []


def _character(character: str) -> str:
    if character in _ASCII:
        return _ASCII[character]
    code = ord(character)
    if 0x20 <= code < 0x7F and character not in "#$%&_{}":
        return character
    if code < 0x7F and code >= 0x20:
        return "\\" + character
    if any(first <= code <= last for first, last in _PRINTED):
        return _encode(character)
    return _composed(character) or f"[U+{code:04X}]"


def _composed(character: str) -> str:
    """Return a Latin letter with its accents, one set upon the other; an empty text for anything else."""
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if not marks or not (letter.isascii() and letter.isalpha()) or not all(mark in _ACCENTS for mark in marks):
        return ""
    above = [mark for mark in marks if unicodedata.combining(mark) == 230]
    inner = unicodedata.normalize("NFC", letter + "".join(above[:-1]))
    if len(inner) > 1 or (inner > "\xff" and inner not in "Ăă"):  # T1 fonts lack it, and nothing is set upon it
        return ""
    printed = f"\\{letter}" if above and letter in "ij" else letter
    for mark in sorted(marks, key=unicodedata.combining, reverse=True):  # 230 is above; stable, so inner ones first
        printed = f"\\{_ACCENTS[mark]}{{{printed}}}"
    return f"{{{printed}}}"


def _encode(character: str) -> str:
    if not _ENCODERS:
        from pylatexenc.latexencode import (
            UnicodeToLatexEncoder,  # only a text beyond ASCII needs it
        )

        made = UnicodeToLatexEncoder(unknown_char_policy="unihex", replacement_latex_protection="braces-all")
        _ENCODERS.append(made)
    return str(_ENCODERS[0].unicode_to_latex(character))
