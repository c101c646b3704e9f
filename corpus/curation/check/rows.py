"""Rules about rows: unique keys, cells that belong together, order and canonical form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow.compute as pc

from corpus.analysis.bibliography.venues import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check import check_rules as rules
from corpus.model.codebook import TODO, Codebook, Column, ConsistencyRule
from corpus.model.finding import Finding
from corpus.model.identifiers import (
    arxiv_month,
    arxiv_page,
    begun_doi,
    find_arxiv,
    identities,
    parse_arxiv,
    split_addresses,
)
from corpus.model.table import Table
from corpus.tables import table_rules as file_rules
from corpus.tables.arrow_values import all_true, string, strings
from corpus.tables.reader import unique_key_findings
from corpus.tables.sheet import ColumnarTable

# A carriage return is in no file that can be read.
_DELIMITERS = (b",", b'"', b"\n")
_IS_DELIMITER = bytes(bytes([byte]) in _DELIMITERS for byte in range(256))
#: A prefix of a DOI and behind it, up to whitespace, nothing, an ellipsis or what `find_doi` leaves
#: out at the end.
_MAY_BREAK_OFF = r"10\.[0-9]{4,9}/(?:\s|$|[.,;)]|[^\s]*(?:\.\.|[^!-~\s]))"
_PLAIN_ARXIV = r"^(?:1[5-9]|2[0-9])[01][0-9]\."
_YEAR = r"\b(?:19|20)[0-9]{2}\b"
#: How many years after its preprint a work is usually published.
_YEARS_TO_PUBLISH = 3


def row_findings(sheet: ColumnarTable, book: Codebook) -> list[Finding]:
    """Check the rows of one table against each other and against the codebook's rules."""
    found = [*_duplicate_keys(sheet), *_first_out_of_order(sheet), *_canonical_form(sheet)]
    # Many releases of Arrow crash when they look for the rows of a mask without any.
    if not len(sheet):
        return found
    found += _arxiv(sheet)
    found += _identifier_and_address(sheet)
    found += _incomplete_dois(sheet)
    found += _venue_years(sheet, book.settings.get("venues", {}))
    found += _keys_by_case(sheet)
    found += _capital_titles(sheet)
    found += _impossible(sheet, book)
    found += _open_cells(sheet)
    for rule in book.consistency_rules:
        if (rule.table or book.pool.name) == sheet.spec.name:
            found += _contradictions(sheet, rule, book)
    return found


def _key_columns(sheet: ColumnarTable) -> list[Any]:
    return [sheet.columns[name] for name in sheet.spec.key]


def _duplicate_keys(sheet: ColumnarTable) -> list[Finding]:
    """Look for a duplicate with Arrow; only where there is one, go row by row."""
    columns = _key_columns(sheet)
    keys = columns[0]
    if len(columns) > 1:
        keys = pc.binary_join_element_wise(*columns, string("\x1f"))
    if _rise(keys, pc.less) or pc.count_distinct(keys).as_py() == len(keys):
        return []
    spec = sheet.spec._replace(columns=tuple(map(sheet.spec.column, sheet.spec.key)))
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    lines = [sheet.line(position) for position in range(len(sheet))]
    return unique_key_findings(Table(spec, sheet.file, rows, lines))


def _first_out_of_order(sheet: ColumnarTable) -> list[Finding]:
    """Name the first row that comes too late; `corpus fmt` sorts all of them."""
    columns = _key_columns(sheet)
    if len(columns) == 1 and _rise(columns[0], pc.less_equal):
        return []
    keys = list(zip(*(column.to_pylist() for column in columns), strict=True))
    for position in range(1, len(keys)):
        previous, key = keys[position - 1], keys[position]
        if previous > key:
            other = ", ".join(previous)
            column = sheet.spec.key[0]
            line = sheet.line(position)
            return [file_rules.ROW_ORDER.at(sheet.file, line, column, ", ".join(key), other=other)]
    return []


def _rise(keys: Any, compare: Callable[[Any, Any], Any]) -> bool:
    """Whether each key compares with the next one as wanted."""
    if len(keys) < 2:
        return True
    return bool(pc.all(compare(keys.slice(0, len(keys) - 1), keys.slice(1))).as_py())


def _canonical_form(sheet: ColumnarTable) -> list[Finding]:
    """Compare the file's size with that of its canonical form: needless quoting makes it longer.

    Writing the canonical text of 100,000 rows would take as long as all other checks.
    """
    if sheet.size is None:
        return []
    header = len(",".join(sheet.spec.header)) + 1
    delimiters = len(sheet) * len(sheet.spec.columns)
    size = header + delimiters
    for column in sheet.columns.columns:
        size += pc.sum(pc.binary_length(column)).as_py() or 0
        for chunk in column.chunks:
            size += _quotation_marks(chunk)
    if len(sheet.spec.columns) == 1:
        # An empty cell alone on its line is quoted, since the line would be empty.
        size += 2 * (pc.sum(pc.equal(sheet.columns.column(0), string(""))).as_py() or 0)
    if size == sheet.size:
        return []
    return [file_rules.NOT_CANONICAL.at(sheet.file, what="quotation marks that are not needed")]


def _quotation_marks(chunk: Any) -> int:
    """Count the quotation marks that the cells of a column need.

    Two around each cell with a delimiter in it, and one more for each quotation mark inside.
    """
    text = chunk.buffers()[2]
    content = text.to_pybytes() if text else b""
    if not any(delimiter in content for delimiter in _DELIMITERS):
        return 0
    offsets = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, chunk.offset * 4)
    start, end = int(offsets[0]), int(offsets[-1])
    is_delimiter = np.frombuffer(_IS_DELIMITER, np.bool_)[np.frombuffer(content, np.uint8)]
    delimiters = np.flatnonzero(is_delimiter[start:end]) + start
    cells = np.searchsorted(offsets, delimiters, "right")
    return 2 * len(np.unique(cells)) + content.count(b'"', start, end)


def _contradictions(sheet: ColumnarTable, rule: ConsistencyRule, book: Codebook) -> list[Finding]:
    """Find the rows that match a rule's condition and not what it demands.

    An undeclared term is not reported here: it has a finding of its own.
    """
    applies = all_true(len(sheet))
    conditions = []
    for name, terms in rule.when.items():
        applies = pc.and_(applies, _rows_with(any, sheet, name, terms))
        conditions.append(f"{name} is {' or '.join(terms)}")
    found = []
    for name, terms in rule.then.items():
        wrong = pc.and_(applies, pc.invert(_rows_with(all, sheet, name, [*terms, TODO])))
        places: dict[str, Any] = {
            "when": " and ".join(conditions),
            "advice": " or ".join(terms),
            "reason": rule.reason,
        }
        column = sheet.spec.column(name)
        for position in pc.indices_nonzero(wrong).to_pylist():
            cell = sheet.cell(name, position)
            if column.type == "term":
                if not set(column.values(cell)) <= set(book.vocabulary_of(column).ids):
                    continue
            found.append(rules.AGREEMENT.at(sheet.file, sheet.line(position), name, cell, **places))
    return found


def _impossible(sheet: ColumnarTable, book: Codebook) -> list[Finding]:
    """Find rows with terms that the codebook calls impossible together, in whatever table.

    Outside the pool, a column has an axis where it repeats it, or where its role names it.
    """
    columns: dict[str, Column] = {}
    for column in sheet.spec.columns:
        axis = column.mirrors or column.role
        if sheet.spec.name == book.pool.name:
            axis = column.name
        if column.type == "term":
            columns.setdefault(axis, column)
    found = []
    for rule in book.impossible:
        if not rule.cells or not columns.keys() >= rule.cells.keys():
            continue
        has_all = all_true(len(sheet))
        conditions = []
        for axis, terms in rule.cells.items():
            name = columns[axis].name
            has_all = pc.and_(has_all, _rows_with(any, sheet, name, terms))
            conditions.append(name)
        first, *others = conditions
        for position in pc.indices_nonzero(has_all).to_pylist():
            cells = [f"{name} is {sheet.cell(name, position)}" for name in others]
            places: dict[str, Any] = {"when": " and ".join(cells), "reason": rule.reason}
            line = sheet.line(position)
            value = sheet.cell(first, position)
            found.append(rules.IMPOSSIBLE.at(sheet.file, line, first, value, **places))
    return found


def _open_cells(sheet: ColumnarTable) -> list[Finding]:
    """Find the rows with cells that somebody has still to fill."""
    open_: dict[int, list[str]] = {}
    for name in sheet.spec.header:
        for position in pc.indices_nonzero(pc.equal(sheet.columns[name], string(TODO))).to_pylist():
            open_.setdefault(position, []).append(name)
    found = []
    for position, names in open_.items():
        key = sheet.key(position)
        place = (sheet.file, sheet.line(position), sheet.spec.key[0], key)
        found.append(rules.OPEN_CELL.at(*place, cells=", ".join(names), key=key))
    return found


def _keys_by_case(sheet: ColumnarTable) -> list[Finding]:
    """Find keys that are one where capital letters do not count; C301 reports equal ones."""
    if len(sheet.spec.key) != 1:
        return []
    name = sheet.spec.key[0]
    lower = pc.utf8_lower(sheet.columns[name])
    if pc.count_distinct(lower).as_py() == len(sheet):
        return []
    first: dict[str, str] = {}
    found = []
    for position, key in enumerate(sheet.columns[name].to_pylist()):
        other = first.setdefault(key.lower(), key)
        if other != key:
            line = sheet.line(position)
            found.append(rules.KEY_CASE.at(sheet.file, line, name, key, other=repr(other)))
    return found


def _capital_titles(sheet: ColumnarTable) -> list[Finding]:
    """Find titles without small letters; one or two words may be an acronym."""
    column = sheet.spec.by_role("title")
    if column is None:
        return []
    titles = sheet.columns[column.name]
    capital = pc.equal(titles, pc.utf8_upper(titles))
    found = []
    for position in pc.indices_nonzero(capital).to_pylist():
        title = sheet.cell(column.name, position)
        words = re.findall(r"[^\W\d_]{2,}", title)
        if len(words) > 2 and any(word != word.lower() for word in words):
            line = sheet.line(position)
            found.append(rules.CAPITALS.at(sheet.file, line, column.name, title))
    return found


def _rows_with(
    some: Callable[[Iterable[bool]], bool], sheet: ColumnarTable, name: str, terms: Sequence[str]
) -> Any:
    """Mark the rows of which any, or all, of the values in a cell are among some terms."""
    column = sheet.spec.column(name)
    cells = sheet.columns[name]
    if not column.separator:
        return pc.is_in(cells, strings(terms))
    passing = []
    for cell in pc.unique(cells).to_pylist():
        values = column.values(cell) or ("",)
        if some(value in terms for value in values):
            passing.append(cell)
    return pc.is_in(cells, strings(passing))


def _arxiv(sheet: ColumnarTable) -> list[Finding]:
    """Check an arXiv identifier against the year and the addresses of its row."""
    by_type: dict[str, list[Column]] = {}
    for column in sheet.spec.columns:
        by_type.setdefault(column.type, []).append(column)
    if "arxiv" not in by_type:
        return []
    arxiv = by_type["arxiv"][0]
    year = by_type.get("year", [None])[0]
    urls = by_type.get("url", [])
    cells = sheet.columns[arxiv.name]
    found = []
    for position in pc.indices_nonzero(_doubtful(sheet, cells, year, urls)).to_pylist():
        try:
            identifier = parse_arxiv(cells[position].as_py())
        except ValueError:
            continue
        if year is not None:
            found += _arxiv_year(sheet, position, arxiv, year, identifier)
        for url in urls:
            found += _arxiv_address(sheet, position, url, identifier)
    return found


def _arxiv_year(
    sheet: ColumnarTable, position: int, arxiv: Column, year: Column, identifier: Any
) -> list[Finding]:
    text = sheet.cell(year.name, position)
    # C208 reports anything else.
    if len(text) != 4 or not text.isascii() or not text.isdigit():
        return []
    month = arxiv_month(identifier)
    if month.year <= int(text) <= month.year + _YEARS_TO_PUBLISH:
        return []
    line = sheet.line(position)
    places: dict[str, Any] = {"advice": f"{month:%B %Y}", "year": text}
    return [rules.ARXIV_YEAR.at(sheet.file, line, arxiv.name, identifier, **places)]


def _arxiv_address(
    sheet: ColumnarTable, position: int, url: Column, identifier: str
) -> list[Finding]:
    cell = sheet.cell(url.name, position)
    named = set()
    for address in split_addresses(cell):
        found = find_arxiv(address)
        if found and "arxiv.org/" in address.casefold():
            named.add(found)
    if not named or identifier in named:
        return []
    line = sheet.line(position)
    places: dict[str, Any] = {"advice": min(named), "other": identifier}
    return [rules.ARXIV_URL.at(sheet.file, line, url.name, cell, **places)]


def _doubtful(sheet: ColumnarTable, cells: Any, year: Column | None, urls: Sequence[Column]) -> Any:
    """Mark the rows to look at: most have the very address and year of their identifier."""
    plain = pc.match_substring_regex(cells, _PLAIN_ARXIV)
    for url in urls:
        addresses = sheet.columns[url.name]
        own = pc.equal(addresses, _arxiv_addresses(cells))
        # "iv.org/" finds arXiv.org as well.
        elsewhere = pc.invert(pc.match_substring(addresses, "iv.org/"))
        plain = pc.and_(plain, pc.or_(own, elsewhere))
    if year is not None:
        first_digits = pc.utf8_slice_codeunits(cells, 0, 2)
        assigned = pc.binary_join_element_wise(string("20"), first_digits, string(""))
        plain = pc.and_(plain, pc.equal(sheet.columns[year.name], assigned))
    return pc.and_(pc.not_equal(cells, string("")), pc.invert(plain))


def _arxiv_addresses(identifiers: Any) -> Any:
    return pc.binary_join_element_wise(string(arxiv_page("")), identifiers, string(""))


def _identifier_and_address(sheet: ColumnarTable) -> list[Finding]:
    """Check a column of identifiers of any kind against the addresses of its row."""
    column = sheet.spec.by_role("identifier")
    urls = [other for other in sheet.spec.columns if other.type == "url"]
    # What has a type of its own is compared with it.
    if column is None or column.type != "text" or not urls:
        return []
    cells = sheet.columns[column.name]
    number = pc.replace_substring(cells, "arXiv:", "")
    own = _arxiv_addresses(number)
    found = []
    for url in urls:
        doubtful = pc.and_(
            pc.not_equal(sheet.columns[url.name], own), pc.not_equal(cells, string(""))
        )
        for position in pc.indices_nonzero(doubtful).to_pylist():
            cell = cells[position].as_py()
            other = _other_identity(cell, sheet.cell(url.name, position))
            if other:
                line = sheet.line(position)
                places: dict[str, Any] = {"advice": other}
                found.append(
                    rules.IDENTIFIER_ADDRESS.at(sheet.file, line, column.name, cell, **places)
                )
    return found


def _other_identity(identifier: str, address: str) -> str:
    """Return an identity of the address where the identifier is another one of its kind."""
    own = identities(identifier)
    named = identities(address)
    if own & named:
        return ""
    kinds = {name.partition(":")[0] for name in own}
    others = [name for name in named if name.partition(":")[0] in kinds]
    return min(others, default="")


def _incomplete_dois(sheet: ColumnarTable) -> list[Finding]:
    """Find the addresses and identifiers that begin a DOI and break off.

    This is not a rule of one cell's form: such an address has the form of an address, and most
    cells of a large table are never looked at one by one.
    """
    found = []
    for column in sheet.spec.columns:
        if column.type != "url" and column.role != "identifier":
            continue
        cells = sheet.columns[column.name]
        promising = pc.match_substring_regex(cells, _MAY_BREAK_OFF)
        for position in pc.indices_nonzero(promising).to_pylist():
            cell = cells[position].as_py()
            for part in split_addresses(cell):
                begun = begun_doi(part)
                if begun:
                    line = sheet.line(position)
                    found.append(
                        rules.INCOMPLETE_DOI.at(sheet.file, line, column.name, cell, advice=begun)
                    )
    return found


def _venue_years(sheet: ColumnarTable, settings: Mapping[str, Any]) -> list[Finding]:
    """Find the published works whose venue names another year than their row."""
    venue = sheet.spec.by_role("venue")
    year = sheet.spec.by_role("year")
    if venue is None or year is None:
        return []
    venues = sheet.columns[venue.name]
    # Years are digits, so the first space ends the year.
    pairs = pc.binary_join_element_wise(sheet.columns[year.name], venues, string(" "))
    dated = pc.match_substring_regex(venues, _YEAR)
    contradicting = []
    for pair in pc.unique(pairs.filter(dated)).to_pylist():
        given, _, name = pair.partition(" ")
        if _is_published_in_another_year(given, name, settings):
            contradicting.append(pair)
    found = []
    wrong = pc.is_in(pairs, strings(contradicting))
    for position in pc.indices_nonzero(wrong).to_pylist():
        cell = sheet.cell(year.name, position)
        line = sheet.line(position)
        name = sheet.cell(venue.name, position)
        found.append(rules.VENUE_YEAR.at(sheet.file, line, year.name, cell, venue=name))
    return found


def _is_published_in_another_year(year: str, venue: str, settings: Mapping[str, Any]) -> bool:
    """Whether a venue is one, not a preprint or a submission, and names other years only."""
    # C208 reports a year that is none.
    if re.fullmatch(_YEAR, year) is None or year in re.findall(_YEAR, venue):
        return False
    return venue_kind(venue, settings) in (ARTICLE, PROCEEDINGS)
