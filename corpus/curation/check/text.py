"""What can be wrong with any text: invisible characters, formulas, placeholders, markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Rule
from corpus.printing.escape import is_formula

#: A rule that a cell breaks, and the advice or place for its message.
Trouble = tuple[Rule, str]

_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_OTHER_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PLACEHOLDER = re.compile(
    r"(?i)(?:todo|tbd|tba|fixme|x{3,8}|n/?a|nan|null|none|nil|unknown\?|\?+|-+|\.+|…"
    r"|#n/a|#value!|#ref!|#name\?)"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+|\\['`^\"~=.uvHtcdbr]\{?[a-zA-Z]|\{\\|\$[^$\\^_]*+[\\^_][^$]*+\$")
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]")
#: Cyrillic, Greek and full-width letters that are drawn like a Latin one.
_LOOK_ALIKE = re.compile(
    "[\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd"
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0443"
    "\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\uff21-\uff3a\uff41-\uff5a]"
)
#: A word with such a letter beside a Latin one.
_MIXED_WORD = re.compile(
    rf"(?:[A-Za-z]\w{{0,60}}?{_LOOK_ALIKE.pattern}|{_LOOK_ALIKE.pattern}\w{{0,60}}?[A-Za-z])"
)

#: Matches only texts without any trouble: ten or more plain characters, single spaces, no
#: backslash, no dollar. Every other text gets the full look.
PLAIN_TEXT = r"[A-Za-z0-9\"'(\[](?: ?[!-#%-\[\]-~]){9,}"


def text_trouble(cell: str) -> Iterator[Trouble]:
    """Yield the rules that a text breaks, each with the place or the advice for its message."""
    forbidden = dict.fromkeys(_FORBIDDEN.findall(cell))
    for character in forbidden:
        yield rules.FORBIDDEN_CHARACTER, _described(character)
    if is_formula(cell):
        yield rules.FORMULA, repr(cell.lstrip()[:1] or cell[0])
    if _PLACEHOLDER.fullmatch(cell.strip()):
        yield rules.PLACEHOLDER, ""
    if cell != cell.strip():
        yield rules.BLANKS, "whitespace at its start or end"
    elif "  " in cell:
        yield rules.BLANKS, "two spaces in a row"
    other = _OTHER_SPACE.search(cell)
    if other:
        name = unicodedata.name(other.group()).lower()
        yield rules.BLANKS, f"a {name} (U+{ord(other.group()):04X})"
    if not forbidden and not unicodedata.is_normalized("NFC", cell):
        yield rules.NOT_NFC, ""
    # The search for one letter is quick, and most texts have none.
    mixed = _LOOK_ALIKE.search(cell) and _MIXED_WORD.search(cell)
    if mixed:
        # Another such letter may be alone before it, as a name.
        yield rules.LOOK_ALIKE, _described(_LOOK_ALIKE.findall(mixed.group())[0])
    if _MARKUP.search(cell):
        yield rules.MARKUP, ""
    if _MOJIBAKE.search(cell):
        yield rules.MOJIBAKE, ""


def _described(character: str) -> str:
    names = {"\n": "a line break", "\t": "a tab"}
    name = names.get(character) or unicodedata.name(character, "a control character").lower()
    return f"{name} (U+{ord(character):04X})"
