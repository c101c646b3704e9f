"""What can be wrong with one cell, by the type of its column. The single source of truth for cells.

Each type also has a pattern that only sound cells match; the frame checks use it to skip the cells that need no look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple
from urllib.parse import urlsplit

from corpus.curation.check import check_rules as rules
from corpus.curation.check.text import PLAIN_TEXT, Trouble, text_trouble
from corpus.model.codebook import Column
from corpus.model.dates import parse_date
from corpus.model.identifiers import arxiv_month, find_arxiv, is_key, parse_arxiv, parse_doi
from corpus.model.limits import MAX_CELL

FIRST_YEAR = 1600
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


class CellType(NamedTuple):
    """`trouble` yields what is wrong with a cell that is not empty; only sound cells match `plain` in full."""

    plain: Callable[[date], str]
    trouble: Callable[[str, date], Iterator[Trouble]]


def cell_trouble(cell: str, column: Column, today: date) -> list[Trouble]:
    """Return the rules that a cell breaks, each with its advice; an empty cell of an optional column breaks none."""
    from corpus.tables import table_rules as file_rules

    if not cell:
        return [(file_rules.EMPTY_CELL, "fill it; the codebook says what it holds")] if column.required else []
    if len(cell) > MAX_CELL:  # C123 of the reader names it; no pattern is tried on it
        return []
    unsafe = list(text_trouble(cell))
    if column.type == "verbatim":
        return [item for item in unsafe if item[0] in (rules.FORBIDDEN_CHARACTER, rules.FORMULA)]
    kind = TYPES[column.type]
    if any(rule.is_error for rule, _ in unsafe) and kind.trouble is not _no_trouble:
        return unsafe
    return [*unsafe, *kind.trouble(cell, today)]


def _no_trouble(cell: str, today: date) -> Iterator[Trouble]:
    yield from ()


def _key(cell: str, today: date) -> Iterator[Trouble]:
    if not is_key(cell):
        plain = re.sub(r"[^a-z0-9]+", "-", cell.lower()).strip("-")
        yield rules.KEY_FORM, plain[:80] or "some-paper2026"


def _names(cell: str, today: date) -> Iterator[Trouble]:
    names = [name.strip() for name in cell.split(";")]
    if "" in names or len(set(names)) < len(names) or cell != "; ".join(names):
        yield rules.NAMES_FORM, ""


def _arxiv(cell: str, today: date) -> Iterator[Trouble]:
    try:
        identifier = parse_arxiv(cell)
    except ValueError:
        found = find_arxiv(cell)
        if found:
            advice = f"write {found}"
        elif re.fullmatch(r"[0-9]{4}\.[0-9]{1,4}", cell):
            advice = f"a spreadsheet dropped zeros? then it was {cell.ljust(10, '0')}; compare with the address"
        else:
            advice = "write YYMM.NNNNN, without version and without 'arXiv:'"
        yield rules.ARXIV_FORM, advice
        return
    month = arxiv_month(identifier)
    if month > today:
        yield rules.ARXIV_FUTURE, f"{month:%B %Y}"


def _doi(cell: str, today: date) -> Iterator[Trouble]:
    try:
        parse_doi(cell)
    except ValueError:
        yield rules.DOI_FORM, ""


def _url(cell: str, today: date) -> Iterator[Trouble]:
    for address in cell.split(" ; "):
        try:
            parts = urlsplit(address)
            host, odd = parts.hostname or "", parts.username or parts.password
            sound = (
                address.startswith(("http://", "https://")) and _HOST.fullmatch(host) and not odd and parts.port != 0
            )
        except ValueError:
            sound = False
        if not sound or not re.fullmatch(r"[!-~]+", address) or re.search(r"[<>\"\\^`{|}]", address):
            yield rules.URL_FORM, ""


def _year(cell: str, today: date) -> Iterator[Trouble]:
    if not re.fullmatch(r"[0-9]{4}", cell):
        yield rules.NUMBER_FORM, ", four of them"
    elif not FIRST_YEAR <= int(cell) <= today.year + 1:
        yield rules.NUMBER_RANGE, f"{FIRST_YEAR} to {today.year + 1}"


def _integer(cell: str, today: date) -> Iterator[Trouble]:
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", cell):
        yield rules.NUMBER_FORM, ""


def _number(cell: str, today: date) -> Iterator[Trouble]:
    if not re.fullmatch(r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?", cell):
        yield rules.NUMBER_FORM, ", with a point before decimals"


def _date(cell: str, today: date) -> Iterator[Trouble]:
    try:
        found = parse_date(cell)
    except ValueError as error:
        yield rules.DATE_FORM, str(error)
        return
    if found.start > today:
        yield rules.DATE_FORM, "it lies in the future"
    elif found.start.year < FIRST_YEAR:
        yield rules.DATE_FORM, f"it lies before {FIRST_YEAR}"


def _months(today: date) -> str:
    """A pattern of YYMM from 1501 up to the current month."""
    years = "|".join(f"{year % 100:02d}" for year in range(2015, today.year))
    months = "|".join(f"{month:02d}" for month in range(1, today.month + 1))
    return f"(?:(?:{years})(?:0[1-9]|1[0-2])|{today.year % 100:02d}(?:{months}))"


def _years(today: date) -> str:
    return "(?:1[6-9][0-9][0-9]|" + "|".join(str(year) for year in range(2000, today.year + 1)) + ")"


def _fixed(pattern: str) -> Callable[[date], str]:
    return lambda today: pattern


_NEVER = _fixed(r"[^\x00-\x{10FFFF}]")
_WORD = r"[A-Za-z0-9]"

TYPES: dict[str, CellType] = {
    "text": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "verbatim": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "name": CellType(_fixed(PLAIN_TEXT), _no_trouble),
    "names": CellType(_NEVER, _names),
    "key": CellType(_fixed(rf"{_WORD}{{9,80}}|{_WORD}{{1,38}}-{_WORD}{{1,38}}"), _key),
    "ref": CellType(_fixed(rf"{_WORD}{{9,80}}|{_WORD}{{1,38}}-{_WORD}{{1,38}}"), _key),
    "arxiv": CellType(lambda today: _months(today) + r"\.[0-9]{5}", _arxiv),
    "doi": CellType(_fixed(r"10\.[0-9]{4,9}/[0-9A-Za-z./()-]+"), _doi),
    "url": CellType(_fixed(r"https://[a-z0-9-]+(?:\.[a-z0-9-]+)+/[0-9A-Za-z./?=_-]*"), _url),
    "year": CellType(_years, _year),
    "integer": CellType(_fixed("0|[1-9][0-9]{0,17}"), _integer),
    "number": CellType(_fixed(r"0|[1-9][0-9]{0,17}"), _number),
    "date": CellType(lambda today: r"20(?:0[0-9]|1[0-9])-(?:0[1-9]|1[0-2])", _date),
    "column": CellType(_fixed("[a-z_]{9,}"), _no_trouble),
}
