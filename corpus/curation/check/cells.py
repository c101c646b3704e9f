"""What can be wrong with one cell, as any text and by the type of its column.

Each type also has a pattern that only valid cells match. The column checks use it to skip most
cells: a full look at every cell of 100,000 rows would take longer than everything else together.
"""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Column
from corpus.model.dates import parse_date
from corpus.model.finding import Rule
from corpus.model.identifiers import (
    arxiv_month,
    find_arxiv,
    is_key,
    parse_arxiv,
    parse_doi,
    split_addresses,
)
from corpus.model.table import MAX_CELL
from corpus.printing.escape import is_formula
from corpus.tables import table_rules as file_rules

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
FIRST_YEAR = 1600
_KEY_PUNCTUATION = re.compile(r"[^a-z0-9]+")
_LOST_ZEROS = re.compile(r"[0-9]{4}\.[0-9]{1,4}")
_YEAR = re.compile(r"[0-9]{4}")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?")
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
#: Printable ASCII without whitespace and without what an address must escape.
_ADDRESS = re.compile(r"[!#-;=?-\[\]_a-z~]+")


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


def cell_trouble(cell: str, column: Column, today: date) -> list[Trouble]:
    """Return the rules that a cell breaks, each with its advice; an optional cell may be empty."""
    if not cell:
        if not column.required:
            return []
        return [(file_rules.EMPTY_CELL, "fill it; the codebook defines what belongs there")]
    # The reader reports such a cell (C123); no pattern is tried on it.
    if len(cell) > MAX_CELL:
        return []
    unsafe = list(text_trouble(cell))
    if column.type == "verbatim":
        return [item for item in unsafe if item[0] in (rules.FORBIDDEN_CHARACTER, rules.FORMULA)]
    # A second error about the form would only follow from the first.
    if any(rule.is_error for rule, _ in unsafe):
        return unsafe
    return [*unsafe, *form_trouble(cell, column.type, today)]


def form_trouble(cell: str, type_: str, today: date) -> Iterator[Trouble]:
    """Yield what is wrong with the form of a cell that is not empty, by the type of its column."""
    match type_:
        case "key" | "ref" if not is_key(cell):
            plain = _KEY_PUNCTUATION.sub("-", cell.lower()).strip("-")
            yield rules.KEY_FORM, plain[:80] or "some-paper2026"
        case "names":
            names = list(map(str.strip, cell.split(";")))
            if "" in names or len(set(names)) < len(names) or cell != "; ".join(names):
                yield rules.NAMES_FORM, ""
        case "arxiv":
            yield from _arxiv_trouble(cell, today)
        case "doi":
            try:
                parse_doi(cell)
            except ValueError:
                yield rules.DOI_FORM, ""
        case "url":
            for address in split_addresses(cell):
                if not _is_address(address):
                    yield rules.URL_FORM, ""
        case "year" if not _YEAR.fullmatch(cell):
            yield rules.NUMBER_FORM, ", four of them"
        case "year" if not FIRST_YEAR <= int(cell) <= today.year + 1:
            yield rules.NUMBER_RANGE, f"{FIRST_YEAR} to {today.year + 1}"
        case "integer" if not _INTEGER.fullmatch(cell):
            yield rules.NUMBER_FORM, ""
        case "number" if not _NUMBER.fullmatch(cell):
            yield rules.NUMBER_FORM, ", with a point before decimals"
        case "date":
            yield from _date_trouble(cell, today)


def _arxiv_trouble(cell: str, today: date) -> Iterator[Trouble]:
    try:
        month = arxiv_month(parse_arxiv(cell))
        if month > today:
            yield rules.ARXIV_FUTURE, f"{month:%B %Y}"
    except ValueError:
        advice = "write YYMM.NNNNN, without version and without 'arXiv:'"
        found = find_arxiv(cell)
        if found:
            advice = f"write {found}"
        elif _LOST_ZEROS.fullmatch(cell):
            restored = cell.ljust(10, "0")
            lost = f"a spreadsheet dropped zeros? then it was {restored}"
            advice = f"{lost}; compare with the address"
        yield rules.ARXIV_FORM, advice


def _date_trouble(cell: str, today: date) -> Iterator[Trouble]:
    try:
        start = parse_date(cell).start
    except ValueError as error:
        yield rules.DATE_FORM, str(error)
        return
    if start > today:
        yield rules.DATE_FORM, "it is in the future"
    elif start.year < FIRST_YEAR:
        yield rules.DATE_FORM, f"it is before {FIRST_YEAR}"


def _is_address(address: str) -> bool:
    if not address.startswith(("http://", "https://")) or not _ADDRESS.fullmatch(address):
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    has_user = bool(parts.username or parts.password)
    has_host = _HOST.fullmatch(parts.hostname or "") is not None
    return has_host and not has_user and port != 0


# Shorter keys could be placeholders (`none`, `todo`), so they get the full look.
_PLAIN_KEY = r"[A-Za-z0-9]{9,80}|[A-Za-z0-9]{1,38}-[A-Za-z0-9]{1,38}"
#: Type of a column -> a pattern that only valid cells match in full, whatever day it is. What is
#: not here always gets the full look.
_PLAIN = {
    "text": PLAIN_TEXT,
    "verbatim": PLAIN_TEXT,
    "name": PLAIN_TEXT,
    "key": _PLAIN_KEY,
    "ref": _PLAIN_KEY,
    "doi": r"10\.[0-9]{4,9}/[0-9A-Za-z./()-]+",
    "url": r"https://[a-z0-9-]+(?:\.[a-z0-9-]+)+/[0-9A-Za-z./?=_-]*",
    "integer": _INTEGER.pattern,
    "number": _INTEGER.pattern,
    "date": r"20(?:0[0-9]|1[0-9])-(?:0[1-9]|1[0-2])",
    "column": "[a-z_]{9,}",
}
_NEVER = r"[^\x00-\x{10FFFF}]"


def plain_pattern(type_: str, today: date) -> str:
    """Return a pattern that only valid cells of a type match in full."""
    if type_ == "arxiv":
        # From 1501 up to the current month.
        years = "|".join(f"{year % 100:02d}" for year in range(2015, today.year))
        months = "|".join(f"{month:02d}" for month in range(1, today.month + 1))
        past = f"(?:{years})(?:0[1-9]|1[0-2])"
        return rf"(?:{past}|{today.year % 100:02d}(?:{months}))\.[0-9]{{5}}"
    if type_ == "year":
        recent = "|".join(map(str, range(2000, today.year + 1)))
        return f"(?:1[6-9][0-9][0-9]|{recent})"
    return _PLAIN.get(type_, _NEVER)
