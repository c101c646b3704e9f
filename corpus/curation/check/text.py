"""What can be wrong with any text: invisible characters, formulas, placeholders, blanks, markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Rule

Trouble = tuple[Rule, str]

_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_OTHER_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PLACEHOLDER = re.compile(
    r"(?i)(?:todo|tbd|tba|fixme|x{3,8}|n/?a|nan|null|none|nil|unknown\?|\?+|-+|\.+|…|#n/a|#value!|#ref!|#name\?)"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+|\\['`^\"~=.uvHtcdbr]\{?[a-zA-Z]|\{\\|\$[^$\\^_]*+[\\^_][^$]*+\$")
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]")

#: Matches only texts that have no trouble at all: ten or more plain signs, single blanks, no backslash, no dollar.
#: Everything else is looked at in full.
PLAIN_TEXT = r"[A-Za-z0-9\"'(\[](?: ?[!-#%-\[\]-~]){9,}"


def text_trouble(cell: str) -> Iterator[Trouble]:
    """Yield the rules that a text breaks, each with the place or the advice for its message."""
    for character in dict.fromkeys(_FORBIDDEN.findall(cell)):
        name = unicodedata.name(character, "a control character").lower()
        what = "a line break" if character == "\n" else "a tab" if character == "\t" else name
        yield rules.FORBIDDEN_CHARACTER, f"{what} (U+{ord(character):04X})"
    if cell.startswith(("=", "+", "@", "-", "\t", "\r")):
        yield rules.FORMULA, repr(cell[0])
    if _PLACEHOLDER.fullmatch(cell.strip()):
        yield rules.PLACEHOLDER, ""
    if cell != cell.strip():
        yield rules.BLANKS, "blanks at its start or end"
    elif "  " in cell:
        yield rules.BLANKS, "two blanks in a row"
    if other := _OTHER_BLANK.search(cell):
        yield rules.BLANKS, f"a {unicodedata.name(other.group()).lower()} (U+{ord(other.group()):04X})"
    if not _FORBIDDEN.search(cell) and not unicodedata.is_normalized("NFC", cell):
        yield rules.NOT_NFC, ""
    if _MARKUP.search(cell):
        yield rules.MARKUP, ""
    if _MOJIBAKE.search(cell):
        yield rules.MOJIBAKE, ""
