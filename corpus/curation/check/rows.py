"""Rules about rows: unique keys, cells that belong together, order and canonical form."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pyarrow.compute as pc

from corpus.analysis.bibliography.works import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check import check_rules as rules
from corpus.model.codebook import TODO, Codebook, ConsistencyRule
from corpus.model.finding import Finding
from corpus.model.identifiers import (
    arxiv_month,
    arxiv_page,
    begun_doi,
    identities,
    parse_arxiv,
    split_addresses,
)
from corpus.tables import table_rules as file_rules
from corpus.tables.sheet import ColumnarTable, string, strings
from corpus.tables.terms import row_order_findings

# A carriage return is in no file that can be read.
_QUOTE, _COMMA, _NEWLINE = b'",\n'
#: A prefix of a DOI and behind it, up to whitespace, nothing, an ellipsis or what `find_doi` leaves
#: out at the end.
_MAY_BREAK_OFF = r"10\.[0-9]{4,9}/(?:\s|$|[.,;)]|[^\s]*(?:\.\.|[^!-~\s]))"
_FOUR_DIGITS = re.compile("[0-9]{4}")
_YEAR = r"\b(?:19|20)[0-9]{2}\b"
#: How many years after its preprint a work is usually published.
_YEARS_TO_PUBLISH = 3


def row_findings(sheet: ColumnarTable, book: Codebook) -> list[Finding]:
    """Check the rows of one table against each other and against the codebook's rules."""
    found = [*_order_findings(sheet), *_canonical_form(sheet)]
    # Many releases of Arrow crash when they look for the rows of a mask without any.
    if not len(sheet):
        return found
    found += _arxiv_years(sheet)
    found += _identifiers_and_addresses(sheet)
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


def _order_findings(sheet: ColumnarTable) -> list[Finding]:
    """Find the first row out of order: `corpus fmt` sorts all of them."""
    name, *others = sheet.spec.key
    cells = sheet.columns[name]
    # Most tables are sorted by one column, and then Arrow sees it at once.
    if not others and pc.all(pc.less_equal(cells[:-1], cells[1:])).as_py():
        return []
    keys = list(sheet.rows(*map(sheet.spec.column, sheet.spec.key)))
    return row_order_findings(keys, sheet.spec, sheet.file, sheet.line)


def _canonical_form(sheet: ColumnarTable) -> Iterator[Finding]:
    """Compare the file's size with that of its canonical form: needless quoting makes it longer.

    Writing the canonical text of 100,000 rows would take as long as all other checks.
    """
    if sheet.size is None:
        return
    size = len(",".join(sheet.spec.header)) + 1 + len(sheet) * len(sheet.spec.columns)
    for column in sheet.columns.columns:
        size += pc.sum(pc.binary_length(column)).as_py() or 0
        for chunk in column.chunks:
            size += _quotation_marks(chunk)
    if len(sheet.spec.columns) == 1:
        # An empty cell alone on its line is quoted, since the line would be empty.
        size += 2 * (pc.sum(pc.equal(sheet.columns.column(0), string(""))).as_py() or 0)
    if size != sheet.size:
        what = "quotation marks that are not needed"
        yield file_rules.NOT_CANONICAL.at(sheet.file, what=what)


def _quotation_marks(chunk: Any) -> int:
    """Count the quotation marks that the cells of a column need.

    Two around each cell with a delimiter in it, and one more for each quotation mark inside.
    """
    text = chunk.buffers()[2]
    if not text:
        return 0
    offsets = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, chunk.offset * 4)
    start, end = int(offsets[0]), int(offsets[-1])
    content = np.frombuffer(text, np.uint8)[start:end]
    is_quote = content == _QUOTE
    delimiters = np.flatnonzero(is_quote | (content == _COMMA) | (content == _NEWLINE))
    cells = np.searchsorted(offsets, delimiters + start, "right")
    # The delimiters of one cell follow each other.
    quoted = np.count_nonzero(np.diff(cells, prepend=0))
    return int(2 * quoted + np.count_nonzero(is_quote))


def _contradictions(
    sheet: ColumnarTable, rule: ConsistencyRule, book: Codebook
) -> Iterator[Finding]:
    """Find the rows that match a rule's condition and not what it demands.

    An undeclared term is not reported here: it has a finding of its own.
    """
    applies = _rows_with_all(sheet, rule.when)
    conditions = [f"{name} is {' or '.join(terms)}" for name, terms in rule.when.items()]
    for name, terms in rule.then.items():
        wrong = pc.and_(applies, pc.invert(_rows_with(all, sheet, name, [*terms, TODO])))
        column = sheet.spec.column(name)
        for position in sheet.where(wrong):
            values = set(column.values(sheet.cell(name, position)))
            if column.type != "term" or values <= set(book.vocabulary_of(column).ids):
                yield sheet.finding(
                    rules.AGREEMENT,
                    position,
                    name,
                    when=" and ".join(conditions),
                    advice=" or ".join(terms),
                    reason=rule.reason,
                )


def _impossible(sheet: ColumnarTable, book: Codebook) -> Iterator[Finding]:
    """Find rows with terms that the codebook calls impossible together, in whatever table.

    Outside the pool, a column has an axis where it repeats it, or where its role names it.
    """
    columns: dict[str, str] = {}
    for column in sheet.spec.term_columns:
        axis = column.mirrors or column.role
        if sheet.spec.name == book.pool.name:
            axis = column.name
        columns.setdefault(axis, column.name)
    for rule in book.impossible:
        if not columns.keys() >= rule.cells.keys():
            continue
        wanted = {columns[axis]: terms for axis, terms in rule.cells.items()}
        first, *others = wanted
        for position in sheet.where(_rows_with_all(sheet, wanted)):
            when = " and ".join(f"{name} is {sheet.cell(name, position)}" for name in others)
            yield sheet.finding(rules.IMPOSSIBLE, position, first, when=when, reason=rule.reason)


def _open_cells(sheet: ColumnarTable) -> Iterator[Finding]:
    """Find the rows with cells that somebody has still to fill."""
    open_: dict[int, list[str]] = {}
    for name in sheet.spec.header:
        for position in sheet.where(pc.equal(sheet.columns[name], string(TODO))):
            open_.setdefault(position, []).append(name)
    for position, names in open_.items():
        key, cells = sheet.key(position), ", ".join(names)
        yield sheet.finding(rules.OPEN_CELL, position, sheet.spec.key[0], key, cells=cells, key=key)


def _keys_by_case(sheet: ColumnarTable) -> Iterator[Finding]:
    """Find keys that are one where capital letters do not count; C301 reports equal ones."""
    name, *others = sheet.spec.key
    first: dict[str, str] = {}
    keys = sheet.columns[name]
    if others or pc.all(pc.equal(keys, pc.utf8_lower(keys))).as_py():
        return
    for position, key in enumerate(sheet.cells(name)):
        other = first.setdefault(key.lower(), key)
        if other != key:
            yield sheet.finding(rules.KEY_CASE, position, name, other=repr(other))


def _capital_titles(sheet: ColumnarTable) -> Iterator[Finding]:
    """Find titles without small letters; one or two words may be an acronym."""
    column = sheet.spec.by_role("title")
    if column is None:
        return
    titles = sheet.columns[column.name]
    for position in sheet.where(pc.equal(titles, pc.utf8_upper(titles))):
        words = re.findall(r"[^\W\d_]{2,}", sheet.cell(column.name, position))
        if len(words) > 2 and any(word != word.lower() for word in words):
            yield sheet.finding(rules.CAPITALS, position, column.name)


def _rows_with_all(sheet: ColumnarTable, wanted: Mapping[str, Sequence[str]]) -> Any:
    """Mark the rows that have one of the terms in each of some columns."""
    return reduce(pc.and_, [_rows_with(any, sheet, *column) for column in wanted.items()])


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


def _arxiv_years(sheet: ColumnarTable) -> Iterator[Finding]:
    """Check an arXiv identifier against the year of its row."""
    arxiv, year = sheet.spec.by_type("arxiv"), sheet.spec.by_type("year")
    if arxiv is None or year is None:
        return
    cells = sheet.columns[arxiv.name]
    # Most works have the very year of their identifier.
    first_digits = pc.utf8_slice_codeunits(cells, 0, 2)
    assigned = pc.binary_join_element_wise(string("20"), first_digits, string(""))
    is_other = pc.not_equal(sheet.columns[year.name], assigned)
    for position in sheet.where(pc.and_(is_other, pc.not_equal(cells, string("")))):
        text = sheet.cell(year.name, position)
        try:
            month = arxiv_month(parse_arxiv(sheet.cell(arxiv.name, position)))
        except ValueError:
            continue
        # C208 reports anything else.
        is_year = _FOUR_DIGITS.fullmatch(text)
        if is_year and not month.year <= int(text) <= month.year + _YEARS_TO_PUBLISH:
            advice = f"{month:%B %Y}"
            yield sheet.finding(rules.ARXIV_YEAR, position, arxiv.name, advice=advice, year=text)


def _identifiers_and_addresses(sheet: ColumnarTable) -> Iterator[Finding]:
    """Check arXiv identifiers, and identifiers of any kind, against the addresses of their row."""
    for column in sheet.spec.columns:
        is_arxiv = column.type == "arxiv"
        # What has another type is compared by its own checks.
        if not is_arxiv and (column.role != "identifier" or column.type != "text"):
            continue
        cells = sheet.columns[column.name]
        number = pc.replace_substring(cells, "arXiv:", "")
        own = pc.binary_join_element_wise(string(arxiv_page("")), number, string(""))
        is_filled = pc.not_equal(cells, string(""))
        for url in sheet.url_columns:
            addresses = sheet.columns[url]
            # Most rows have the very address of their identifier.
            doubtful = pc.and_(pc.not_equal(addresses, own), is_filled)
            if is_arxiv:
                # This finds arXiv.org as well.
                doubtful = pc.and_(doubtful, pc.match_substring(addresses, "iv.org/"))
            for position in sheet.where(doubtful):
                cell = sheet.cell(column.name, position)
                identifier = identities(cell)
                named = identities(sheet.cell(url, position))
                kinds = {name.partition(":")[0] for name in identifier}
                others = [name for name in named if name.partition(":")[0] in kinds]
                if not others or identifier & named:
                    continue
                if not is_arxiv:
                    rule = rules.IDENTIFIER_ADDRESS
                    yield sheet.finding(rule, position, column.name, advice=min(others))
                # C204 reports what is not an identifier alone.
                elif f"arxiv:{cell}" in identifier:
                    advice = min(others).removeprefix("arxiv:")
                    yield sheet.finding(rules.ARXIV_URL, position, url, advice=advice, other=cell)


def _incomplete_dois(sheet: ColumnarTable) -> Iterator[Finding]:
    """Find the addresses and identifiers that begin a DOI and break off.

    This is not a rule of one cell's form: such an address has the form of an address, and most
    cells of a large table are never looked at one by one.
    """
    for column in sheet.spec.columns:
        if column.type != "url" and column.role != "identifier":
            continue
        cells = sheet.columns[column.name]
        for position in sheet.where(pc.match_substring_regex(cells, _MAY_BREAK_OFF)):
            for part in split_addresses(sheet.cell(column.name, position)):
                begun = begun_doi(part)
                if begun:
                    yield sheet.finding(rules.INCOMPLETE_DOI, position, column.name, advice=begun)


def _venue_years(sheet: ColumnarTable, settings: Mapping[str, Any]) -> Iterator[Finding]:
    """Find the published works whose venue names another year than their row."""
    venue = sheet.spec.by_role("venue")
    year = sheet.spec.by_role("year")
    if venue is None or year is None:
        return
    venues = sheet.columns[venue.name]
    # Years are digits, so the first space ends the year.
    pairs = pc.binary_join_element_wise(sheet.columns[year.name], venues, string(" "))
    dated = pc.match_substring_regex(venues, _YEAR)
    contradicting = []
    for pair in pc.unique(pairs.filter(dated)).to_pylist():
        given, _, name = pair.partition(" ")
        # C208 reports another form of year; preprints and submissions have no venue.
        if re.fullmatch(_YEAR, given) and given not in re.findall(_YEAR, name):
            if venue_kind(name, settings) in (ARTICLE, PROCEEDINGS):
                contradicting.append(pair)
    for position in sheet.where(pc.is_in(pairs, strings(contradicting))):
        name = sheet.cell(venue.name, position)
        yield sheet.finding(rules.VENUE_YEAR, position, year.name, venue=name)
