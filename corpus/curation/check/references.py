"""Rules between tables: references, copies of tags, corrections, bibliography, protocol."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.finding import Finding, Rule
from corpus.model.identifiers import arxiv_month, ascii_text, find_arxiv, parse_arxiv
from corpus.model.suggestions import closest
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]

#: Roles of an exclusion log, and the section of the protocol that declares their values.
PROTOCOL_SECTIONS = {"source": "sources", "query_family": "query_families", "stage": "stages"}

_NOT_A_LETTER = re.compile("[^a-z]+")


class KeyedPool:
    """The pool, asked for cells of the entries that the rows of another table refer to.

    Parameters
    ----------
    sheet : ColumnarTable
        The pool.
    positions : mapping of str to int
        The position of each entry by its key.
    """

    def __init__(self, sheet: ColumnarTable, positions: Mapping[str, int]) -> None:
        self.sheet = sheet
        self.positions = positions

    def entries(self, side: ColumnarTable) -> list[int | None]:
        """Return the position of the entry of each row of `side`; None where it has none."""
        reference = side.spec.reference_to(self.sheet.spec)
        if reference is None:
            return [None] * len(side)
        return [self.positions.get(key) for key in side.columns[reference.name].to_pylist()]

    def cells(self, name: str, side: ColumnarTable) -> list[str | None]:
        """Return the cells in column `name` for each row of `side`; None where it has no entry."""
        cells = self.sheet.columns[name].to_pylist()
        found: list[str | None] = []
        for entry in self.entries(side):
            found.append(None if entry is None else cells[entry])
        return found


def reference_findings(
    sheets: Sheets, book: Codebook, documents: Mapping[str, Mapping[str, Any]]
) -> list[Finding]:
    """Check the tables of a corpus against each other and against the protocol."""
    found: list[Finding] = []
    keys = {name: _key_positions(sheets[name]) for name in _referred(sheets, book)}
    for sheet in sheets.values():
        for column in sheet.spec.columns:
            if column.references in sheets:
                target = sheets[column.references]
                found += _dangling(sheet, column, target, keys[column.references])
    if book.pool.name in sheets:
        pool = KeyedPool(sheets[book.pool.name], keys.get(book.pool.name, {}))
        for sheet in sheets.values():
            found += _mirrors(sheet, pool, book)
            if sheet.spec.role == "corrections":
                found += _corrections(sheet, pool)
            if sheet.spec.role == "bibliography":
                found += _bibliography(sheet, pool)
            elif sheet.spec.complete:
                found += _entries_without_row(sheet, pool, rules.NO_ROW)
            if sheet is pool.sheet or sheet.spec.role == "bibliography":
                found += _arxiv_dois(sheet, pool)
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            found += _protocol(sheet, documents.get("protocol", {}))
            found += _records_without_reason(sheet, sheets)
            key = sheet.spec.key[0]
            for position, record in enumerate(sheet.columns[key].to_pylist()):
                if record.startswith(rules.UNNUMBERED):
                    place = (sheet.file, sheet.line(position), key, record)
                    found.append(rules.NO_NUMBER.at(*place))
    found += _spellings_of_persons(sheets, book)
    return found


def _referred(sheets: Sheets, book: Codebook) -> set[str]:
    """Return the tables whose keys are looked up: indexing a large pool in vain takes time."""
    named: set[str] = set()
    for sheet in sheets.values():
        named.update(column.references for column in sheet.spec.columns)
        if sheet.spec.role == "bibliography" or sheet.spec.complete:
            named.add(book.pool.name)
    return named & sheets.keys()


def _key_positions(sheet: ColumnarTable) -> dict[str, int]:
    """Return the first position of each key; none of a composite key: nothing refers to it."""
    if len(sheet.spec.key) != 1:
        return {}
    found: dict[str, int] = {}
    for position, key in enumerate(sheet.columns[sheet.spec.key[0]].to_pylist()):
        found.setdefault(key, position)
    return found


def _dangling(
    sheet: ColumnarTable, column: Column, target: ColumnarTable, keys: Mapping[str, int]
) -> list[Finding]:
    """A ref must name a key of the target, a column reference one of its columns."""
    known: Collection[str] = keys.keys()
    if column.type == "column":
        known = target.spec.header
    found = []
    for position, cell in enumerate(sheet.columns[column.name].to_pylist()):
        if cell and cell not in known:
            advice = _reference_advice(cell, known)
            place = (sheet.file, sheet.line(position), column.name, cell)
            found.append(rules.DANGLING.at(*place, other=target.file, advice=advice))
    return found


def _reference_advice(cell: str, known: Iterable[str]) -> str:
    nearest = closest(cell, known)
    if not nearest:
        return "add the row there first, or remove this one"
    if " ".join(nearest[0].split()) == cell:
        return f"it has stray whitespace there: {nearest[0]!r}"
    return f"did you mean {nearest[0]!r}?"


def _mirrors(sheet: ColumnarTable, pool: KeyedPool, book: Codebook) -> list[Finding]:
    """Compare copies with the pool, except where its value is not declared: it has a finding."""
    found = []
    for column in sheet.spec.columns:
        if not column.mirrors:
            continue
        original = pool.sheet.spec.column(column.mirrors)
        cells = sheet.columns[column.name].to_pylist()
        others = pool.cells(column.mirrors, sheet)
        for position, (cell, other) in enumerate(zip(cells, others, strict=True)):
            if other is None or other == cell or not _is_declared(other, original, book):
                continue
            places: dict[str, Any] = {"other": other, "mirrors": column.mirrors}
            line = sheet.line(position)
            found.append(rules.MIRROR.at(sheet.file, line, column.name, cell, **places))
    return found


def _is_declared(cell: str, column: Column, book: Codebook) -> bool:
    """Whether a cell has declared terms only; always true for a column without vocabulary."""
    if column.type != "term":
        return True
    declared = book.vocabulary_of(column).ids
    return bool(cell) and set(column.values(cell)).issubset(declared)


def _corrections(sheet: ColumnarTable, pool: KeyedPool) -> list[Finding]:
    """Check that the pool has the value to which a correction changed a cell."""
    which = sheet.spec.by_role("column")
    after = sheet.spec.by_role("after")
    before = sheet.spec.by_role("before")
    if which is None or after is None:
        return []
    found = []
    for position, entry in enumerate(pool.entries(sheet)):
        name = sheet.cell(which.name, position)
        if entry is None or name not in pool.sheet.spec.header:
            continue
        corrected = sheet.cell(after.name, position)
        if before is not None and sheet.cell(before.name, position) == corrected:
            line = sheet.line(position)
            found.append(rules.EMPTY_CORRECTION.at(sheet.file, line, after.name, corrected))
        other = pool.sheet.cell(name, entry)
        if other != corrected:
            line = sheet.line(position)
            found.append(rules.CORRECTION.at(sheet.file, line, name, corrected, other=repr(other)))
    return found


def _bibliography(sheet: ColumnarTable, pool: KeyedPool) -> list[Finding]:
    """Every entry needs a row, whose authors and date agree with the pool."""
    found = _entries_without_row(sheet, pool, rules.NO_BIBLIOGRAPHY)
    first_author = pool.sheet.spec.by_role("first_author")
    authors = sheet.spec.by_role("authors")
    if first_author is not None and authors is not None:
        for position, other in enumerate(pool.cells(first_author.name, sheet)):
            if other is not None:
                found += _first_author(sheet, position, authors.name, other)
    arxiv = next((c for c in pool.sheet.spec.columns if c.type == "arxiv"), None)
    dated = sheet.spec.by_role("date")
    if arxiv is not None and dated is not None:
        for position, identifier in enumerate(pool.cells(arxiv.name, sheet)):
            if identifier:
                found += _first_public(sheet, position, dated.name, identifier)
    return found


def _entries_without_row(sheet: ColumnarTable, pool: KeyedPool, rule: Rule) -> list[Finding]:
    entries = pool.sheet
    key = sheet.spec.reference_to(entries.spec) or sheet.spec.by_role("key")
    if key is None:
        return []
    described = set(sheet.columns[key.name].to_pylist())
    found = []
    for entry, position in pool.positions.items():
        if entry not in described:
            line = entries.line(position)
            place = (entries.file, line, entries.spec.key[0], entry)
            found.append(rule.at(*place, other=sheet.file, key=entry, table=sheet.spec.name))
    return found


def _first_author(sheet: ColumnarTable, position: int, column: str, other: str) -> list[Finding]:
    """Compare family names only; given names are often shortened."""
    first = sheet.cell(column, position).split(";")[0]
    if _family(first) == _family(other):
        return []
    return [rules.AUTHORS.at(sheet.file, sheet.line(position), column, first, other=repr(other))]


def _family(name: str) -> str:
    return name.split(",")[0].strip().casefold()


def _first_public(
    sheet: ColumnarTable, position: int, column: str, identifier: str
) -> list[Finding]:
    """A work is public no later than the month of its arXiv identifier."""
    cell = sheet.cell(column, position)
    try:
        public = parse_date(cell)
        month = arxiv_month(parse_arxiv(identifier))
    except ValueError:
        return []
    if public.start.replace(day=1) <= month:
        return []
    line = sheet.line(position)
    return [rules.FIRST_PUBLIC.at(sheet.file, line, column, cell, other=f"{month:%B %Y}")]


def _protocol(sheet: ColumnarTable, protocol: Mapping[str, Any]) -> list[Finding]:
    """Sources, query families and stages of the log must be those that the protocol declares."""
    found: list[Finding] = []
    for role, section in PROTOCOL_SECTIONS.items():
        column = sheet.spec.by_role(role)
        items = protocol.get(section)
        if column is not None and isinstance(items, list):
            declared = []
            for item in items:
                if isinstance(item, dict) and "id" in item:
                    declared.append(str(item["id"]))
            found += _unplanned(sheet, column.name, declared)
    return found


def _unplanned(sheet: ColumnarTable, column: str, declared: list[str]) -> list[Finding]:
    found = []
    for position, cell in enumerate(sheet.columns[column].to_pylist()):
        if not cell or cell in declared:
            continue
        nearest = closest(cell, declared)
        if nearest:
            advice = f"did you mean {nearest[0]!r}?"
        else:
            advice = f"declared: {', '.join(declared)}"
        place = (sheet.file, sheet.line(position), column, cell)
        found.append(rules.PROTOCOL.at(*place, advice=advice))
    return found


def _arxiv_dois(sheet: ColumnarTable, pool: KeyedPool) -> list[Finding]:
    """A DOI that arXiv assigned must be that of the entry's arXiv identifier."""
    arxiv = _first_of_type(pool.sheet, "arxiv")
    doi = _first_of_type(sheet, "doi")
    if arxiv is None or doi is None:
        return []
    if sheet is pool.sheet:
        identifiers = sheet.columns[arxiv.name].to_pylist()
    else:
        identifiers = pool.cells(arxiv.name, sheet)
    found = []
    for position, cell in enumerate(sheet.columns[doi.name].to_pylist()):
        named = find_arxiv(cell)
        identifier = identifiers[position]
        # Without an entry, C401 reports the row.
        if named is None or identifier is None or identifier == named:
            continue
        other = f"no {arxiv.name}"
        if identifier:
            other = f"arXiv:{identifier}"
        place = (sheet.file, sheet.line(position), doi.name, cell)
        found.append(rules.ARXIV_DOI.at(*place, advice=named, other=other))
    return found


def _first_of_type(sheet: ColumnarTable, kind: str) -> Column | None:
    for column in sheet.spec.columns:
        if column.type == kind:
            return column
    return None


def _records_without_reason(log: ColumnarTable, sheets: Sheets) -> list[Finding]:
    """Where a table of the role `reasons` codes the exclusions, each of them must have a row."""
    found: list[Finding] = []
    for sheet in sheets.values():
        reference = sheet.spec.reference_to(log.spec)
        if sheet.spec.role != "reasons" or reference is None:
            continue
        coded = set(sheet.columns[reference.name].to_pylist())
        key = log.spec.key[0]
        for position, record in enumerate(log.columns[key].to_pylist()):
            if record not in coded:
                line = log.line(position)
                found.append(rules.NO_REASON.at(log.file, line, key, record, other=sheet.file))
    return found


def _spellings_of_persons(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Find the names that differ from a more frequent one in order, accents or punctuation only."""
    columns: list[tuple[ColumnarTable, Column]] = []
    for sheet in sheets.values():
        if sheet.spec.name == book.pool.name or sheet.spec.role == "bibliography":
            for column in sheet.spec.columns:
                if column.type in ("name", "names"):
                    columns.append((sheet, column))
    times: Counter[str] = Counter()
    for sheet, column in columns:
        for cell in sheet.columns[column.name].to_pylist():
            times.update(_names(cell))
    rarer = _rarer_spellings(times)
    found = []
    if rarer:
        for sheet, column in columns:
            for position, cell in enumerate(sheet.columns[column.name].to_pylist()):
                for name in _names(cell):
                    if name in rarer:
                        place = (sheet.file, sheet.line(position), column.name, name)
                        found.append(rules.SAME_PERSON.at(*place, other=repr(rarer[name])))
    return found


def _names(cell: str) -> list[str]:
    # C215 reports an accent that is a character of its own.
    composed = unicodedata.normalize("NFC", cell)
    return [name.strip() for name in composed.split(";") if name.strip()]


def _rarer_spellings(times: Mapping[str, int]) -> dict[str, str]:
    """Return the spellings of a person that are not the most frequent one, each with that one."""
    of_person: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in times:
        words = _NOT_A_LETTER.sub(" ", ascii_text(name)).split()
        # One word is an organisation or a single-name person: nothing there can change places.
        if len(words) > 1:
            of_person[tuple(sorted(words))].append(name)
    rarer: dict[str, str] = {}
    for spellings in of_person.values():
        most_frequent = min(spellings, key=lambda name: (-times[name], name))
        for name in spellings:
            if name != most_frequent:
                rarer[name] = most_frequent
    return rarer
