"""What can be wrong with any text: invisible characters, formulas, placeholders, markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Rule

#: A rule that a cell breaks, and the advice or place for its message.
Trouble = tuple[Rule, str]

_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_OTHER_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PLACEHOLDER = re.compile(
    r"(?i)(?:todo|tbd|tba|fixme|x{3,8}|n/?a|nan|null|none|nil|unknown\?|\?+|-+|\.+|…"
    r"|#n/a|#value!|#ref!|#name\?)"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+|\\['`^\"~=.uvHtcdbr]\{?[a-zA-Z]|\{\\|\$[^$\\^_]*+[\\^_][^$]*+\$")
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]")
_FORMULA_STARTS = ("=", "+", "@", "-", "\t", "\r")

#: Matches only texts without any trouble: ten or more plain characters, single spaces, no
#: backslash, no dollar. Every other text gets the full look.
PLAIN_TEXT = r"[A-Za-z0-9\"'(\[](?: ?[!-#%-\[\]-~]){9,}"


def text_trouble(cell: str) -> Iterator[Trouble]:
    """Yield the rules that a text breaks, each with the place or the advice for its message."""
    forbidden = dict.fromkeys(_FORBIDDEN.findall(cell))
    for character in forbidden:
        yield rules.FORBIDDEN_CHARACTER, _described(character)
    if cell.startswith(_FORMULA_STARTS):
        yield rules.FORMULA, repr(cell[0])
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
    if _MARKUP.search(cell):
        yield rules.MARKUP, ""
    if _MOJIBAKE.search(cell):
        yield rules.MOJIBAKE, ""


def _described(character: str) -> str:
    names = {"\n": "a line break", "\t": "a tab"}
    name = names.get(character) or unicodedata.name(character, "a control character").lower()
    return f"{name} (U+{ord(character):04X})"
