"""Checks of the rows of one table: cells that belong together, order and canonical form."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pyarrow.compute as pc

from corpus.analysis.bibliography.works import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.codebook import TODO
from corpus.model.finding import TO_DO, WARNING, Finding
from corpus.model.identifiers import (
    arxiv_month,
    arxiv_page,
    begun_doi,
    identities,
    parse_arxiv,
    split_addresses,
)
from corpus.tables.arrays import repeated_values, string, strings
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import row_order_findings
from corpus.tables.writing.writer import differing_findings

#: A prefix of a DOI and behind it, up to whitespace, nothing, an ellipsis or what `find_doi` leaves
#: out at the end.
_MAY_BREAK_OFF = r"10\.[0-9]{4,9}/(?:\s|$|[.,;)]|[^\s]*(?:\.\.|[^!-~\s]))"
_FOUR_DIGITS = re.compile("[0-9]{4}")
_YEAR = r"\b(?:19|20)[0-9]{2}\b"
#: Roles of columns in which every row is described in words of its own.
_OWN_WORDS = ("summary", "notes", "reason")
#: Tables whose rows are decided by few rules, so that many have the same reason.
_BY_RULE = ("coverage", "screening", "accepted", "accepted_claims")
#: A shorter text can be true of two works without being copied.
LEAST_LETTERS = 45
#: How many years after its preprint a work is usually published.
_YEARS_TO_PUBLISH = 3


def form_findings(sheet: ColumnarTable) -> list[Finding]:
    """Find what `corpus fmt` would write in another way: the order of rows, needless quoting.

    A table that is so large that it was read by columns has no text: `corpus fmt --check` asks.
    """
    name, *others = sheet.spec.key
    cells = sheet.columns[name]
    found: list[Finding] = []
    # Most tables are sorted by one column, and then Arrow sees it at once.
    if others or not pc.all(pc.less_equal(cells[:-1], cells[1:])).as_py():
        keys = list(sheet.rows(*map(sheet.spec.column, sheet.spec.key)))
        found += row_order_findings(keys, sheet.spec, sheet.file, sheet.line)
    if sheet.table is not None:
        found += differing_findings(sheet.table, sheet.table.rows)
    return found


@rule(
    "C302",
    "{column} is {value}, but where {when} it must be {advice}",
    hint="change one of the cells; reason in the codebook: {reason}",
)
def agreement(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Contradicting cells.

    The codebook declares which terms belong together.

    >>> broken("sensors", {"depth": "none"})
    sensors.csv: senses is 'water', but where depth is none it must be heat
    """
    for declared in tables.book.consistency_rules:
        if (declared.table or tables.book.pool.name) != sheet.spec.name:
            continue
        applies = _rows_with_all(sheet, declared.when)
        conditions = (f"{name} is {' or '.join(terms)}" for name, terms in declared.when.items())
        words = {"when": " and ".join(conditions), "reason": declared.reason}
        for name, terms in declared.then.items():
            wrong = applies & ~_rows_with(all, sheet, name, [*terms, TODO])
            column = sheet.spec.column(name)
            for position in np.flatnonzero(wrong).tolist():
                # An undeclared term has a finding of its own.
                values = set(column.values(sheet.cell(name, position)))
                if column.type != "term" or values <= set(tables.book.terms_of(column)):
                    yield at(position, name, advice=" or ".join(terms), **words)


@rule(
    "C311",
    "{column} is {value} where {when}",
    hint="change one of the cells, or the codebook: it declares that {reason}",
)
def impossible(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Cells that are impossible together.

    Impossible combinations are left out where gaps are counted.

    >>> broken("sensors", {"depth": "rock"})
    sensors.csv: depth is 'rock' where senses is water
    """
    book = tables.book
    columns: dict[str, str] = {}
    for column in sheet.spec.term_columns:
        # Outside the pool, a column has an axis where it repeats it, or where its role names it.
        axis = column.mirrors or column.role
        if sheet.spec.name == book.pool.name:
            axis = column.name
        columns.setdefault(axis, column.name)
    for declared in book.impossible:
        if not columns.keys() >= declared.cells.keys():
            continue
        wanted = {columns[axis]: terms for axis, terms in declared.cells.items()}
        first, *others = wanted
        for position in np.flatnonzero(_rows_with_all(sheet, wanted)).tolist():
            when = " and ".join(f"{name} is {sheet.cell(name, position)}" for name in others)
            yield at(position, first, when=when, reason=declared.reason)


@rule(
    "C223",
    "still to be filled in {value}: {cells}",
    hint="corpus edit {key} --set COLUMN=VALUE",
    severity=TO_DO,
)
def open_cell(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Cells are still to be filled.

    An entry counts for no term until it has one, and a release waits for it.

    >>> broken("sensors", {"depth": "TODO", "notes": "TODO"})
    sensors.csv: still to be filled in 'ada': depth, notes
    """
    open_: dict[int, list[str]] = {}
    for name in sheet.spec.header:
        for position in sheet.where(pc.equal(sheet.columns[name], string(TODO))):
            open_.setdefault(position, []).append(name)
    for position, names in open_.items():
        key, cells = sheet.key(position), ", ".join(names)
        yield at(position, sheet.spec.key[0], key, cells=cells, key=key)


@rule(
    "C312",
    "{value} differs from {other} by capital letters only",
    hint="rename one of the two: `corpus edit KEY --set key=NEW`",
)
def key_case(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Keys that differ only by case.

    File systems and BibTeX take them for one.

    >>> broken("sensors", {}, {"sensor": "ADA"})
    sensors.csv: 'ADA' differs from 'ada' by capital letters only
    """
    # C301 reports equal keys.
    name, *others = sheet.spec.key
    first: dict[str, str] = {}
    keys = sheet.columns[name]
    if others or pc.all(pc.equal(keys, pc.utf8_lower(keys))).as_py():
        return
    for position, key in enumerate(sheet.cells(name)):
        other = first.setdefault(key.lower(), key)
        if other != key:
            yield at(position, name, other=repr(other))


def _rows_with_all(sheet: ColumnarTable, wanted: Mapping[str, Sequence[str]]) -> Any:
    """Mark the rows that have one of the terms in each of some columns."""
    return reduce(np.logical_and, [_rows_with(any, sheet, *column) for column in wanted.items()])


def _rows_with(
    some: Callable[[Iterable[bool]], bool], sheet: ColumnarTable, name: str, terms: Sequence[str]
) -> Any:
    """Mark the rows of which any, or all, of the values in a cell are among some terms."""
    column = sheet.spec.column(name)
    cells, codes = sheet.coded(name)
    # A cell without a value is its own: it is empty, or open.
    passes = [some(value in terms for value in column.values(cell) or (cell,)) for cell in cells]
    return np.array(passes, bool)[codes]


@rule(
    "C306",
    "the identifier was assigned in {advice}, the year is {year}",
    hint="check both: few works are dated before their preprint, or over three years later",
    severity=WARNING,
)
def arxiv_year(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """arXiv identifier and year disagree.

    The identifier's month is a fact; a year far from it is often an error.

    >>> broken("sensors", {"arxiv": "1511.00010"})
    sensors.csv: the identifier was assigned in November 2015, the year is 2020
    """
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
            yield at(position, arxiv.name, advice=f"{month:%B %Y}", year=text)


@rule(
    "C307", "the address names {advice}, the identifier is {other}", hint="correct one of the two"
)
def identifier_address(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Identifier and address disagree.

    Two identifiers of one kind in one row are two works.

    >>> broken("sensors", {"url": "https://arxiv.org/abs/2011.00011"})
    sensors.csv: the address names arxiv:2011.00011, the identifier is 2011.00010
    """
    for column in sheet.spec.columns:
        # What has another type is compared by its own checks.
        if column.type != "arxiv" and (column.role, column.type) != ("identifier", "text"):
            continue
        cells = sheet.columns[column.name]
        number = pc.replace_substring(cells, "arXiv:", "")
        own = pc.binary_join_element_wise(string(arxiv_page("")), number, string(""))
        # This finds arXiv.org as well.
        part = "iv.org/" if column.type == "arxiv" else "."
        for url in sheet.url_columns:
            # Most rows have the very address of their identifier.
            addresses = sheet.columns[url]
            doubtful = pc.and_(pc.not_equal(addresses, own), pc.not_equal(cells, string("")))
            for position in sheet.where(pc.and_(doubtful, pc.match_substring(addresses, part))):
                cell = sheet.cell(column.name, position)
                identifier, named = identities(cell), identities(sheet.cell(url, position))
                kinds = {name.partition(":")[0] for name in identifier}
                others = [name for name in named if name.partition(":")[0] in kinds]
                if others and not identifier & named:
                    yield at(position, url, advice=min(others), other=cell)


@rule(
    "C317",
    "the text is also that of {other}: {value}",
    hint="describe each work in words of its own",
    severity=WARNING,
)
def copied(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """The same text in two rows.

    A text that fits two works was most likely left behind when a row was copied.

    >>> broken("sensors", {"notes": "Moss grows where water stays for all the year."},
    ...        {"notes": "Moss grows where water stays for all the year."})
    sensors.csv: the text is also that of ada: 'Moss grows where water stays for all the year.'
    """
    for column in sheet.spec.columns if sheet.spec.role not in _BY_RULE else ():
        if column.role not in _OWN_WORDS or column.type != "text":
            continue
        repeated = set(repeated_values(sheet.columns[column.name]).to_pylist())
        first: dict[str, int] = {}
        for position, cell in enumerate(sheet.cells(column.name)) if repeated else ():
            if cell in repeated and len(cell) >= LEAST_LETTERS:
                holder = first.setdefault(cell, position)
                if holder != position:
                    yield at(position, column.name, other=sheet.key(holder))


@rule(
    "C220",
    "{column} {value} begins a DOI ({advice}) that is not complete",
    hint="write the whole DOI, or another address",
)
def incomplete_doi(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Incomplete DOI.

    It leads nowhere, and no duplicate is found by it.

    >>> broken("dropped", {"page": "https://doi.org/10.1234/..."})
    dropped.csv: page 'https://doi.org/10.1234/...' begins a DOI (10.1234/...) that is not complete
    """
    for column in sheet.spec.columns:
        if column.type != "url" and column.role != "identifier":
            continue
        cells = sheet.columns[column.name]
        for position in sheet.where(pc.match_substring_regex(cells, _MAY_BREAK_OFF)):
            for part in split_addresses(sheet.cell(column.name, position)):
                begun = begun_doi(part)
                if begun:
                    yield at(position, column.name, advice=begun)


@rule(
    "C310",
    "the year is {value}, the venue is {venue}",
    hint="write the year of the venue",
    severity=WARNING,
)
def venue_year(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Year and venue disagree.

    Printed, such a reference contradicts itself.

    >>> broken("sensors", {"venue": "Proceedings of SOILS 2019"})
    sensors.csv: the year is '2020', the venue is Proceedings of SOILS 2019
    """
    settings = tables.book.settings.get("venues", {})
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
        yield at(position, year.name, venue=sheet.cell(venue.name, position))
