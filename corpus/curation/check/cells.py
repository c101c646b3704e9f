"""What can be wrong with one cell, as any text and by the type of its column.

Each type also has a pattern that only valid cells match. The column checks use it to skip most
cells: a full look at every cell of 100,000 rows would take longer than everything else together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple
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


class CellType(NamedTuple):
    """The checks of one column type.

    Attributes
    ----------
    plain : callable
        Given the current day, returns a pattern that only valid cells match in full.
    trouble : callable
        Given a cell that is not empty and the current day, yields what is wrong with it.
    """

    plain: Callable[[date], str]
    trouble: Callable[[str, date], Iterator[Trouble]]


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
    kind = TYPES[column.type]
    # A second error about the form would only follow from the first.
    if any(rule.is_error for rule, _ in unsafe) and kind.trouble is not _no_trouble:
        return unsafe
    return [*unsafe, *kind.trouble(cell, today)]


def _no_trouble(cell: str, today: date) -> Iterator[Trouble]:
    yield from ()


def _key(cell: str, today: date) -> Iterator[Trouble]:
    if not is_key(cell):
        plain = _KEY_PUNCTUATION.sub("-", cell.lower()).strip("-")
        yield rules.KEY_FORM, plain[:80] or "some-paper2026"


def _names(cell: str, today: date) -> Iterator[Trouble]:
    names = [name.strip() for name in cell.split(";")]
    repeated = len(set(names)) < len(names)
    if "" in names or repeated or cell != "; ".join(names):
        yield rules.NAMES_FORM, ""


def _arxiv(cell: str, today: date) -> Iterator[Trouble]:
    try:
        identifier = parse_arxiv(cell)
    except ValueError:
        yield rules.ARXIV_FORM, _arxiv_advice(cell)
        return
    month = arxiv_month(identifier)
    if month > today:
        yield rules.ARXIV_FUTURE, f"{month:%B %Y}"


def _arxiv_advice(cell: str) -> str:
    found = find_arxiv(cell)
    if found:
        return f"write {found}"
    if _LOST_ZEROS.fullmatch(cell):
        restored = cell.ljust(10, "0")
        return f"a spreadsheet dropped zeros? then it was {restored}; compare with the address"
    return "write YYMM.NNNNN, without version and without 'arXiv:'"


def _doi(cell: str, today: date) -> Iterator[Trouble]:
    try:
        parse_doi(cell)
    except ValueError:
        yield rules.DOI_FORM, ""


def _url(cell: str, today: date) -> Iterator[Trouble]:
    for address in split_addresses(cell):
        if not _is_address(address):
            yield rules.URL_FORM, ""


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


def _year(cell: str, today: date) -> Iterator[Trouble]:
    if not _YEAR.fullmatch(cell):
        yield rules.NUMBER_FORM, ", four of them"
    elif not FIRST_YEAR <= int(cell) <= today.year + 1:
        yield rules.NUMBER_RANGE, f"{FIRST_YEAR} to {today.year + 1}"


def _integer(cell: str, today: date) -> Iterator[Trouble]:
    if not _INTEGER.fullmatch(cell):
        yield rules.NUMBER_FORM, ""


def _number(cell: str, today: date) -> Iterator[Trouble]:
    if not _NUMBER.fullmatch(cell):
        yield rules.NUMBER_FORM, ", with a point before decimals"


def _date(cell: str, today: date) -> Iterator[Trouble]:
    try:
        found = parse_date(cell)
    except ValueError as error:
        yield rules.DATE_FORM, str(error)
        return
    if found.start > today:
        yield rules.DATE_FORM, "it is in the future"
    elif found.start.year < FIRST_YEAR:
        yield rules.DATE_FORM, f"it is before {FIRST_YEAR}"


def _plain_arxiv(today: date) -> str:
    """Return the pattern of identifiers from 1501 up to the current month."""
    years = "|".join(f"{year % 100:02d}" for year in range(2015, today.year))
    months = "|".join(f"{month:02d}" for month in range(1, today.month + 1))
    past = f"(?:{years})(?:0[1-9]|1[0-2])"
    this_year = f"{today.year % 100:02d}(?:{months})"
    return rf"(?:{past}|{this_year})\.[0-9]{{5}}"


def _plain_year(today: date) -> str:
    recent = "|".join(str(year) for year in range(2000, today.year + 1))
    return f"(?:1[6-9][0-9][0-9]|{recent})"


def _fixed(pattern: str) -> Callable[[date], str]:
    return lambda today: pattern


_NEVER = _fixed(r"[^\x00-\x{10FFFF}]")
# Shorter keys could be placeholders (`none`, `todo`), so they get the full look.
_PLAIN_KEY = _fixed(r"[A-Za-z0-9]{9,80}|[A-Za-z0-9]{1,38}-[A-Za-z0-9]{1,38}")

TYPES: dict[str, CellType] = {
    "text": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "verbatim": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "name": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "names": CellType(_NEVER, _names),
    "key": CellType(_PLAIN_KEY, _key),
    "ref": CellType(_PLAIN_KEY, _key),
    "arxiv": CellType(_plain_arxiv, _arxiv),
    "doi": CellType(_fixed(r"10\.[0-9]{4,9}/[0-9A-Za-z./()-]+"), _doi),
    "url": CellType(_fixed(r"https://[a-z0-9-]+(?:\.[a-z0-9-]+)+/[0-9A-Za-z./?=_-]*"), _url),
    "year": CellType(_plain_year, _year),
    "integer": CellType(_fixed(_INTEGER.pattern), _integer),
    "number": CellType(_fixed(_INTEGER.pattern), _number),
    "date": CellType(_fixed(r"20(?:0[0-9]|1[0-9])-(?:0[1-9]|1[0-2])"), _date),
    "column": CellType(_fixed("[a-z_]{9,}"), _no_trouble),
}
