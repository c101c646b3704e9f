"""Entries compared with what their sources state, from a stored table: no network is needed.

Such a table has the role ``source_records``: a row for each identifier of an entry. An empty cell
states nothing. An entry without a row is not compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook
from corpus.model.dates import PartialDate, parse_date
from corpus.model.finding import Finding, Rule
from corpus.model.identifiers import ascii_text, identities, normal_title
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]

#: The prefix of DOIs that arXiv assigns.
_ARXIV_DOI = "10.48550/"
_HOSTS_OF_IDENTIFIERS = frozenset({"arxiv.org", "aclanthology.org", "doi.org", "openreview.net"})
_WITHDRAWN = "withdrawn"
_STATED = ("title", "authors", "first_version", "doi", "venue", "status")


class SourceRecord(NamedTuple):
    """One row of the table; what it does not state is empty.

    `named` are the identities in its identifier, such as ``arxiv:2508.03680``; none for an
    address. `place` tells a message where it is.
    """

    key: str
    identifier: str
    named: frozenset[str]
    stated: Mapping[str, str]
    place: str
    line: int


class ComparedRow(NamedTuple):
    """A row of pool or bibliography about an entry, with the columns that are compared."""

    sheet: ColumnarTable
    position: int

    def cell(self, role: str) -> tuple[str, str] | None:
        """Return name and cell of the column with a role or, where none has it, a type."""
        column = self.sheet.spec.by_role(role)
        if column is None:
            for other in self.sheet.spec.columns:
                if other.type == role:
                    column = other
                    break
        if column is None:
            return None
        return column.name, self.sheet.cell(column.name, self.position)

    def finding(self, rule: Rule, column: str, value: str, **places: Any) -> Finding:
        """Return a finding in a column of the row."""
        return rule.at(self.sheet.file, self.sheet.line(self.position), column, value, **places)


def source_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Compare pool and bibliography with the source records, where the corpus has some."""
    found: list[Finding] = []
    if book.pool.name not in sheets:
        return found
    pool = sheets[book.pool.name]
    meant = _corrected_cells(sheets, book)
    for table in sheets.values():
        if table.spec.role != "source_records" or not len(table):
            continue
        records = _records(table)
        found += _identifier_findings(table, records)
        by_key: dict[str, list[SourceRecord]] = defaultdict(list)
        for record in records:
            by_key[record.key].append(record)
        for row in _rows_about(pool, by_key):
            key = pool.cell(book.pool.key[0], row.position)
            found += _entry_findings(row, by_key[key], key, meant)
        for sheet in sheets.values():
            if sheet.spec.role != "bibliography":
                continue
            reference = sheet.spec.reference_to(book.pool)
            if reference is None:
                continue
            for row in _rows_about(sheet, by_key, reference.name):
                key = sheet.cell(reference.name, row.position)
                found += _bibliography_findings(row, by_key[key], key, meant)
    return found


def _records(table: ColumnarTable) -> list[SourceRecord]:
    spec = table.spec
    key, identifier = spec.by_role("key"), spec.by_role("identifier")
    if key is None or identifier is None:
        return []
    columns = {}
    for role in _STATED:
        column = spec.by_role(role)
        if column is not None:
            columns[role] = table.columns[column.name].to_pylist()
    keys = table.columns[key.name].to_pylist()
    found = []
    for position, name in enumerate(table.columns[identifier.name].to_pylist()):
        stated = {role: cells[position] for role, cells in columns.items()}
        line = table.line(position)
        place = f"{table.file}:{line} ({name})"
        named = frozenset() if "://" in name else identities(name.removeprefix("DOI:"))
        found.append(SourceRecord(keys[position], name, named, stated, place, line))
    return found


def _identifier_findings(table: ColumnarTable, records: Sequence[SourceRecord]) -> list[Finding]:
    """Find identifiers of no known form, of two entries, and DOIs of another arXiv identifier."""
    identifier = table.spec.by_role("identifier")
    if identifier is None:
        return []
    holder: dict[str, str] = {}
    found = []
    for record in records:
        advice = ""
        names = record.named or {record.identifier}
        for name in names:
            if holder.setdefault(name, record.key) != record.key:
                advice = f"is also that of {holder[name]}"
        if not record.named and "://" not in record.identifier:
            advice = "is not an identifier"
        doi = identities(record.stated.get("doi", ""))
        same_kind = {name for name in doi if _kind(name) in map(_kind, record.named)}
        if same_kind and not same_kind & record.named:
            advice = f"has the DOI of {min(same_kind)}"
        if advice:
            found.append(
                rules.RECORD_IDENTIFIER.at(
                    table.file, record.line, identifier.name, record.identifier, advice=advice
                )
            )
    return found


def _kind(identity: str) -> str:
    return identity.partition(":")[0]


def _rows_about(
    sheet: ColumnarTable, keys: Mapping[str, Any], column: str = ""
) -> Iterator[ComparedRow]:
    for position, key in enumerate(sheet.columns[column or sheet.spec.key[0]].to_pylist()):
        if key in keys:
            yield ComparedRow(sheet, position)


def _corrected_cells(sheets: Sheets, book: Codebook) -> dict[tuple[str, str], str]:
    """Return the cells that corrections set on purpose: (key, column) -> value."""
    found: dict[tuple[str, str], str] = {}
    for sheet in sheets.values():
        if sheet.spec.role != "corrections":
            continue
        columns = [sheet.spec.reference_to(book.pool)]
        columns += [sheet.spec.by_role(role) for role in ("column", "after")]
        names = [column.name for column in columns if column is not None]
        if len(names) == len(columns):
            cells = (sheet.columns[name].to_pylist() for name in names)
            for key, column_name, after in zip(*cells, strict=True):
                found[key, column_name] = after
    return found


def _stating(records: Sequence[SourceRecord], role: str) -> list[SourceRecord]:
    return [record for record in records if record.stated.get(role)]


def _entry_findings(
    row: ComparedRow,
    records: Sequence[SourceRecord],
    key: str,
    meant: Mapping[tuple[str, str], str],
) -> Iterator[Finding]:
    for role, rule in (("title", rules.SOURCE_TITLE), ("venue", rules.SOURCE_VENUE)):
        yield from _text_findings(row, records, key, meant, role, rule)
    yield from _first_author_findings(row, records, key, meant)
    yield from _arxiv_findings(row, records)
    yield from _address_findings(row, records)
    # A corpus without a bibliography has these columns in the pool.
    yield from _doi_findings(row, records)
    for record in records:
        if record.stated.get("status") == _WITHDRAWN:
            column = row.sheet.spec.key[0]
            yield row.finding(rules.WITHDRAWN, column, key, other=record.place)


def _text_findings(
    row: ComparedRow,
    records: Sequence[SourceRecord],
    key: str,
    meant: Mapping[tuple[str, str], str],
    role: str,
    rule: Rule,
) -> Iterator[Finding]:
    compared = row.cell(role)
    stating = _stating(records, role)
    if compared is None or not stating:
        return
    column, cell = compared
    # Most cells are exactly what a source states, and looking at letters takes time.
    if cell in {record.stated[role] for record in stating}:
        return
    wanted = {normal_title(record.stated[role]) for record in stating}
    # C201 reports an empty cell.
    if not cell or normal_title(cell) in wanted or meant.get((key, column)) == cell:
        return
    record = stating[0]
    yield row.finding(rule, column, cell, other=record.place, advice=repr(record.stated[role]))


def _first_author_findings(
    row: ComparedRow,
    records: Sequence[SourceRecord],
    key: str,
    meant: Mapping[tuple[str, str], str],
) -> Iterator[Finding]:
    compared = row.cell("first_author")
    stating = _stating(records, "authors")
    if compared is None or not stating:
        return
    column, cell = compared
    first = stating[0].stated["authors"].split(";")[0]
    if (
        cell
        and cell != first
        and _person(cell) != _person(first)
        and meant.get((key, column)) != cell
    ):
        advice = f"the first author is {first!r}, here {cell!r}"
        place = stating[0].place
        yield row.finding(rules.SOURCE_AUTHORS, column, cell, other=place, advice=advice)


def _arxiv_findings(row: ComparedRow, records: Sequence[SourceRecord]) -> Iterator[Finding]:
    compared = row.cell("arxiv")
    if compared is None:
        return
    column, cell = compared
    about = [record for record in records if any(_kind(name) == "arxiv" for name in record.named)]
    for record in about[:1]:
        names = {name for other in about for name in other.named}
        if f"arxiv:{cell}" not in names:
            shown = record.identifier
            yield row.finding(
                rules.SOURCE_IDENTIFIER, column, cell, other=record.place, advice=shown
            )


def _address_findings(row: ComparedRow, records: Sequence[SourceRecord]) -> Iterator[Finding]:
    """Compare identifiers in addresses with those of their kind, else the addresses themselves."""
    compared = row.cell("url")
    if compared is None or not compared[1]:
        return
    column, cell = compared
    by_kind: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name in record.named:
            by_kind[_kind(name)].add(name)
    for name in sorted(identities(*cell.split(" ; "))):
        known = by_kind.get(_kind(name), set())
        # C307 compares arXiv addresses with the entry's identifier.
        if known and name not in known and _kind(name) != "arxiv":
            place = records[0].place
            yield row.finding(rules.SOURCE_ADDRESS, column, name, other=place, advice=min(known))
    addresses = {record.identifier for record in records if "://" in record.identifier}
    for address in cell.split(" ; "):
        if identities(address):
            continue
        # On such a host, an address without an identifier breaks off or has a wrong character.
        is_broken = _host(address) in _HOSTS_OF_IDENTIFIERS
        if is_broken or (addresses and address not in addresses):
            advice = min(addresses, default=records[0].identifier)
            yield row.finding(
                rules.SOURCE_ADDRESS, column, address, other=records[0].place, advice=advice
            )


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:  # C207 reports it
        return ""


def _bibliography_findings(
    row: ComparedRow,
    records: Sequence[SourceRecord],
    key: str,
    meant: Mapping[tuple[str, str], str],
) -> Iterator[Finding]:
    yield from _author_findings(row, records, key, meant)
    yield from _doi_findings(row, records)
    yield from _date_findings(row, records)


def _doi_findings(row: ComparedRow, records: Sequence[SourceRecord]) -> Iterator[Finding]:
    compared = row.cell("doi")
    stating = _stating(records, "doi")
    if compared is None or not stating:
        return
    column, cell = compared
    published = [r for r in stating if not r.stated["doi"].casefold().startswith(_ARXIV_DOI)]
    expected = published or stating
    if cell.casefold() in {record.stated["doi"].casefold() for record in expected}:
        return
    record = expected[0]
    advice = record.stated["doi"]
    yield row.finding(rules.SOURCE_DOI, column, cell, other=record.place, advice=advice)


def _date_findings(row: ComparedRow, records: Sequence[SourceRecord]) -> Iterator[Finding]:
    compared = row.cell("date")
    dated = []
    for record in _stating(records, "first_version"):
        try:
            dated.append((parse_date(record.stated["first_version"]), record))
        except ValueError:  # C211 reports it
            continue
    if compared is None or not dated:
        return
    column, cell = compared
    try:
        public = parse_date(cell)
    except ValueError:
        return
    # Of two that begin together, the more exact one tells more.
    oldest, record = min(dated, key=lambda item: _last_day(item[0]))
    if public.start <= _last_day(oldest) and oldest.start <= _last_day(public):
        return
    advice = record.stated["first_version"]
    yield row.finding(rules.SOURCE_DATE, column, cell, other=record.place, advice=advice)


def _last_day(given: PartialDate) -> date:
    """Return the last day that a date can mean."""
    start = given.start
    if given.precision == "year":
        return date(start.year, 12, 31)
    if given.precision == "month":
        first_of_next = (start.replace(day=28) + timedelta(days=4)).replace(day=1)
        return first_of_next - timedelta(days=1)
    return start


def _author_findings(
    row: ComparedRow,
    records: Sequence[SourceRecord],
    key: str,
    meant: Mapping[tuple[str, str], str],
) -> Iterator[Finding]:
    compared = row.cell("authors")
    stating = _stating(records, "authors")
    if compared is None or not stating or not compared[1]:
        return
    column, cell = compared
    record = stating[0]
    if cell == record.stated["authors"]:
        return
    written = [_person(name) for name in cell.split(";")]
    corrected = {_person(after) for (entry, _), after in meant.items() if entry == key}
    stated = [_person(name) for name in record.stated["authors"].split(";")]
    # The pool's first author may be corrected; the list then begins with that name.
    if written[0] in corrected:
        stated[0] = written[0]
    if written != stated:
        advice = _difference(written, stated)
        yield row.finding(rules.SOURCE_AUTHORS, column, cell, other=record.place, advice=advice)


#: Family and given name, each in comparable form.
Person = tuple[str, str]


def _person(name: str) -> Person:
    family, _, given = name.partition(",")
    return _letters(family), _letters(given)


def _letters(text: str) -> str:
    """Return the words of a name in ASCII; what has no ASCII form is compared as it is."""
    plain = ascii_text(text) or text.casefold()
    if any(ord(character) > 0x24F and character.isalpha() for character in text):
        plain = text.casefold()
    return normal_title(plain)


def _difference(written: Sequence[Person], stated: Sequence[Person]) -> str:
    """Return what differs between two lists of authors, in words."""
    family, given = written[-1]
    if "etal" in family + given or family in ("others", "et al"):
        return "names are left out behind 'et al.'"
    if sorted(written) == sorted(stated):
        return "the order differs"
    for person in written:
        turned = (person[1], person[0])
        if person not in stated and turned in stated:
            return f"family and given name of {' '.join(person)} are swapped"
    missing = [person for person in stated if person not in written]
    added = [person for person in written if person not in stated]
    if missing and added:
        return f"{' '.join(added[0])} is written for {' '.join(missing[0])}"
    if missing:
        return f"{' '.join(missing[0])} is missing"
    if added:
        return f"{' '.join(added[0])} is not an author there"
    return "a name appears twice"
