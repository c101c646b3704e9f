"""Works compared with what their sources state, from a stored table: no network is needed.

Such a table has the role ``source_records``: a row for each identifier of an entry or of an
excluded record, whichever its key refers to. An empty cell states nothing. What has no row is not
compared.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest

from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import ascii_text, identities, normal_title, split_addresses
from corpus.tables.sheet import ColumnarTable, Sheets

SOURCE_TITLE = Rule(
    "C420",
    "the title is {value}, {other} states {advice}",
    "correct the title, or add a correction",
    WARNING,
    title="Title differs from the source",
    reason="Titles are compared without case, accents, punctuation and whitespace; one "
    "of an entry's source records must state the title.",
)
SOURCE_AUTHORS = Rule(
    "C421",
    "{other} states other authors: {advice}",
    "correct the names, or add a correction",
    WARNING,
    title="Authors differ from the source",
    reason="Names are compared in order, without case, accents and punctuation.",
)
SOURCE_DOI = Rule(
    "C422",
    "the DOI is {value}, {other} states {advice}",
    "correct the DOI, or add the source record that states it",
    title="DOI that no source states",
    reason="A valid DOI can be that of another work. The DOI of the published version "
    "is preferred.",
)
SOURCE_IDENTIFIER = Rule(
    "C423",
    "the identifier is {value}, {other} is about {advice}",
    "correct the identifier, or add its source record",
    title="Identifier of another work",
    reason="One wrong digit leads to another work.",
)
SOURCE_ADDRESS = Rule(
    "C424",
    "the address leads to {value}, {other} is about {advice}",
    "correct the address, or add its source record",
    WARNING,
    title="Address of another work",
    reason="A reader follows the address first.",
)
SOURCE_DATE = Rule(
    "C425",
    "first public {value}, but {other} states {advice}",
    "correct the date, or add a record of an older version",
    WARNING,
    title="Date differs from the source",
    reason="Dates are compared as exactly as both are given; the oldest source record counts.",
)
DATE_ORDER = Rule(
    "C448",
    "{column} {value} is before {other} {advice}",
    "correct the wrong one of the two dates",
    title="Dates of a source record in the wrong order",
    reason="A first version comes before the last one, and neither is read before it is there.",
)
SOURCE_VENUE = Rule(
    "C426",
    "the venue is {value}, {other} states {advice}",
    "correct the venue, or add a correction",
    WARNING,
    title="Venue differs from the source",
    reason="Of several source records, one must state the venue.",
)
WITHDRAWN = Rule(
    "C427",
    "{other} states that {value} was withdrawn",
    "decide whether the entry stays; then accept the warning with the reason: "
    "`corpus check --explain C427` shows how",
    WARNING,
    title="Withdrawn work",
    reason="It cannot be evidence for what it claimed.",
)
RECORD_IDENTIFIER = Rule(
    "C428",
    "{value} {advice}",
    "write arXiv:, DOI:, OpenReview: or ACL: and the identifier, or an address",
    title="Source record with a wrong identifier",
    reason="A source record is about one identifier of one entry.",
)
VENUE_SOURCE = Rule(
    "C429",
    "the venue is {value}, but the record was read from {other}, which is of {advice}",
    "write where the venue was read (role venue_from)",
    WARNING,
    title="Venue later than what it was read from",
    reason="One place serves all cells of a source record. A listing of 2025-05 has authors and "
    "date, but not that a work was at NeurIPS 2025, which was announced in September. `announced` "
    "in the codebook tells the month; for other venues it is January.",
)


#: The prefix of DOIs that arXiv assigns.
_ARXIV_DOI = "10.48550/"
#: Role of a column with an identifier -> how the identities begin that it may hold.
_IDENTIFYING = {"arxiv": "arxiv:", "identifier": ""}
#: A host all of whose addresses of works hold an identifier.
_IDENTIFYING_HOST = re.compile(
    r"https?://(?:www\.)?(?:arxiv\.org|aclanthology\.org|doi\.org|openreview\.net)/", re.I
)
_WITHDRAWN = "withdrawn"
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_MONTH = re.compile(r"\b(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])\b")
_ARXIV_MONTH = re.compile(r"arXiv:([0-9]{2})(0[1-9]|1[0-2])\.")


#: Family and given name, each in comparable form.
Person = tuple[str, str]
#: The last letter of the Latin alphabet with accents; what is beyond has no ASCII form.
_LAST_LATIN = 0x24F


@dataclass(frozen=True, eq=False)
class SourceRecord:
    """One row of the table.

    Attributes
    ----------
    table : ColumnarTable
        The table.
    position : int
        Where it is there.
    stated : mapping of str to str
        Its cells by role.
    named : frozenset of str
        The identities in its identifier, such as ``arxiv:2508.03680``; an address is compared as it
        is.
    """

    table: ColumnarTable
    position: int
    stated: Mapping[str, str]
    named: frozenset[str]

    @property
    def identifier(self) -> str:
        """Identifier or address that the source has the work under."""
        return self.stated["identifier"]


#: Key and column of the cells that corrections set on purpose -> the value.
Meant = Mapping[tuple[str, str], str]


@dataclass(frozen=True, eq=False)
class ComparedRow:
    """A row of pool, exclusion log or bibliography about a work, and what is stated about it.

    `meant` are the corrected cells of all entries.
    """

    sheet: ColumnarTable
    position: int
    key: str
    records: Sequence[SourceRecord]
    meant: Meant

    @property
    def names(self) -> frozenset[str]:
        """The identities of all its records, and their addresses."""
        return frozenset().union(*(record.named for record in self.records))

    def cell(self, role: str) -> tuple[str, str] | None:
        """Return name and cell of the column with a role or, where none has it, a type."""
        column = self.sheet.spec.by_role(role) or self.sheet.spec.by_type(role)
        if column is None:
            return None
        return column.name, self.sheet.cell(column.name, self.position)

    def compared(
        self, role: str, stated: str = ""
    ) -> Iterator[tuple[str, str, list[SourceRecord]]]:
        """Yield name and cell of the column with a role, and the records that state something.

        It is `stated`, or what the role is called; nothing where one of them is missing, or where a
        correction set the cell.
        """
        found = self.cell(role)
        stating = [record for record in self.records if record.stated.get(stated or role)]
        if found is not None and stating and self.meant.get((self.key, found[0])) != found[1]:
            yield (*found, stating)

    def finding(
        self, rule: Rule, column: str, value: str, record: SourceRecord, advice: str = ""
    ) -> Finding:
        """Return a finding in a column of the row, against a record."""
        place = f"{record.table.file}:{record.table.line(record.position)} ({record.identifier})"
        return self.sheet.finding(rule, self.position, column, value, other=place, advice=advice)


def source_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Compare pool, log and bibliography with the source records, where the corpus has some."""
    found: list[Finding] = []
    meant = {}
    for sheet in sheets.values():
        if sheet.spec.role == "corrections":
            columns = map(sheet.spec.by_role, ("column", "after"))
            for key, column, after in sheet.rows(sheet.spec.reference_to(book.pool), *columns):
                meant[key, column] = after
    for table in sheets.values():
        key_column, identifier = map(table.spec.by_role, ("key", "identifier"))
        if table.spec.role != "source_records" or key_column is None or identifier is None:
            continue
        described = sheets.get(key_column.references)
        if described is None:
            continue
        records = list(_records(table))
        found += _identifier_findings(table, identifier.name, records)
        found += _venue_source_findings(records, book)
        found += _order_findings(records)
        by_key = defaultdict(list)
        for record in records:
            by_key[record.stated["key"]].append(record)
        for sheet in sheets.values():
            if sheet is described:
                column, compare = described.spec.key[0], _work_findings
            elif sheet.spec.role == "bibliography":
                reference = sheet.spec.reference_to(described.spec)
                if reference is None:
                    continue
                column, compare = reference.name, _bibliography_findings
            else:
                continue
            for position, key in enumerate(sheet.cells(column)):
                if key in by_key:
                    found += compare(ComparedRow(sheet, position, key, by_key[key], meant))
    return found


def _records(table: ColumnarTable) -> Iterator[SourceRecord]:
    for position, row in enumerate(table.rows(*table.spec.columns)):
        stated = table.spec.by_role_cells(row)
        name = stated["identifier"]
        # An address has no identity, even where it holds an identifier.
        named = frozenset({name}) if "://" in name else identities(name.removeprefix("DOI:"))
        yield SourceRecord(table, position, stated, named)


def _identifier_findings(
    table: ColumnarTable, column: str, records: Sequence[SourceRecord]
) -> Iterator[Finding]:
    """Find identifiers of no known form, and of two entries."""
    holder: dict[str, str] = {}
    for record in records:
        advice = "" if record.named else "is not an identifier"
        key = record.stated["key"]
        for name in record.named:
            if holder.setdefault(name, key) != key:
                advice = f"is also that of {holder[name]}"
        if advice:
            yield table.finding(RECORD_IDENTIFIER, record.position, column, advice=advice)


def _venue_source_findings(records: Sequence[SourceRecord], book: Codebook) -> Iterator[Finding]:
    """Find venues that were announced after the month of what the record was read from.

    A listing or an identifier of arXiv is of the month of the first version.
    """
    announced = book.settings.get("venues", {}).get("announced", {})
    for record in records:
        venue, source = record.stated.get("venue", ""), record.stated.get("evidence", "")
        year, column = _YEAR.search(venue), record.table.spec.by_role("venue")
        if column is None or year is None or record.stated.get("venue_from"):
            continue
        first = f"{year[0]}-{announced.get(venue[: year.start()].strip(), '01')}"
        dated, identifier = _MONTH.search(source), _ARXIV_MONTH.match(record.identifier)
        month = dated[0] if dated else ""
        if not month and identifier and "arXiv" in source:
            month = f"20{identifier[1]}-{identifier[2]}"
        if month and month < first:
            words = {"other": repr(source), "advice": month}
            yield record.table.finding(VENUE_SOURCE, record.position, column.name, venue, **words)


def _order_findings(records: Sequence[SourceRecord]) -> Iterator[Finding]:
    """Find dates of a record that are before an earlier one, as exactly as both are given."""
    for record in records:
        table = record.table
        earlier = None
        for role in ("first_version", "last_version", "read_on"):
            column = table.spec.by_role(role)
            try:
                day = parse_date(record.stated.get(role, ""))
            except ValueError:  # empty, or C210 reports it
                continue
            if column is not None and earlier is not None and day.end < earlier[1].start:
                words = {"other": earlier[0], "advice": earlier[1].text}
                yield table.finding(DATE_ORDER, record.position, column.name, **words)
            earlier = (role, day)


def _work_findings(row: ComparedRow) -> Iterator[Finding]:
    for role, rule in (("title", SOURCE_TITLE), ("venue", SOURCE_VENUE)):
        for column, cell, stating in row.compared(role):
            stated = [record.stated[role] for record in stating]
            # C201 reports an empty cell. Most are exactly what a source states, and looking at
            # letters takes time.
            if cell and cell not in stated and normal_title(cell) not in map(normal_title, stated):
                yield row.finding(rule, column, cell, stating[0], repr(stated[0]))
    for column, cell, stating in row.compared("first_author", "authors"):
        if cell:
            yield from _author_findings(row, column, cell, stating[0], 1)
    for role, start in _IDENTIFYING.items():
        compared = row.cell(role)
        about = []
        for record in row.records:
            names = [name for name in record.named if name.startswith(start)]
            if names and "://" not in record.identifier:
                about.append(record)
        if compared and about:
            column, cell = compared
            given = {f"arxiv:{cell}"} if role == "arxiv" else identities(cell.removeprefix("DOI:"))
            if not given & row.names:
                yield row.finding(SOURCE_IDENTIFIER, column, cell, about[0], about[0].identifier)
    yield from _address_findings(row)
    # A corpus without a bibliography has this column in the pool.
    yield from _doi_findings(row)
    for record in row.records:
        if record.stated.get("status") == _WITHDRAWN:
            yield row.finding(WITHDRAWN, row.sheet.spec.key[0], row.key, record)


def _bibliography_findings(row: ComparedRow) -> Iterator[Finding]:
    for column, cell, stating in row.compared("authors"):
        if cell:
            yield from _author_findings(row, column, cell, stating[0])
    yield from _doi_findings(row)
    yield from _date_findings(row)


def _author_findings(
    row: ComparedRow, column: str, cell: str, record: SourceRecord, most: int | None = None
) -> Iterator[Finding]:
    """Compare authors, or the first `most` of them, in order."""
    if cell == record.stated["authors"]:
        return
    written, stated = persons(cell), persons(record.stated["authors"])
    corrected = {person(after) for (entry, _), after in row.meant.items() if entry == row.key}
    # The pool's first author may be corrected; the list then begins with that name.
    if written[0] in corrected:
        stated[0] = written[0]
    pairs = zip_longest(written[:most], stated[:most], fillvalue=("nobody", ""))
    for number, (name, other) in enumerate(pairs, 1):
        if name != other:
            advice = f"author {number} is {' '.join(other).strip()}, here {' '.join(name).strip()}"
            yield row.finding(SOURCE_AUTHORS, column, cell, record, advice)
            return


def _address_findings(row: ComparedRow) -> Iterator[Finding]:
    """Compare each address with the identifiers and addresses of its kind."""
    column, cell = row.cell("url") or ("", "")
    for address in filter(None, split_addresses(cell)):
        named = identities(address) or {address}
        # C307 and C318 compare arXiv addresses with the identifier.
        kinds = {name.partition(":")[0] for name in named} - {"arxiv"}
        stated = sorted(name for name in row.names if name.partition(":")[0] in kinds)
        # On such a host, an address without an identifier breaks off or has a wrong character.
        if address in named and _IDENTIFYING_HOST.match(address):
            stated = stated or [row.records[0].identifier]
        if stated and not named & row.names:
            yield row.finding(SOURCE_ADDRESS, column, address, row.records[0], stated[0])


def _doi_findings(row: ComparedRow) -> Iterator[Finding]:
    for column, cell, stating in row.compared("doi"):
        # The DOI of a published version is preferred to the one that arXiv assigned.
        published = [
            record
            for record in stating
            if not record.stated["doi"].casefold().startswith(_ARXIV_DOI)
        ]
        expected = published or stating
        if cell.casefold() not in {record.stated["doi"].casefold() for record in expected}:
            record = expected[0]
            yield row.finding(SOURCE_DOI, column, cell, record, record.stated["doi"])


def _date_findings(row: ComparedRow) -> Iterator[Finding]:
    for column, cell, stating in row.compared("date", "first_version"):
        dated = []
        for record in stating:
            # C210 reports another form.
            with suppress(ValueError):
                dated.append((parse_date(record.stated["first_version"]), record))
        try:
            public = parse_date(cell)
            # Of two that begin together, the more exact one tells more.
            oldest, record = min(dated, key=lambda item: item[0].end)
        except ValueError:
            continue
        if public.start > oldest.end or oldest.start > public.end:
            yield row.finding(SOURCE_DATE, column, cell, record, oldest.text)


def persons(cell: str) -> list[Person]:
    """Return the names in a cell, in its order.

    Examples
    --------
    >>> persons("Łoś-Ørsted, Ann; Bog Team")
    [('losorsted', 'ann'), ('bogteam', '')]
    """
    return list(map(person, cell.split(";")))


def person(name: str) -> Person:
    """Return a name that is written ``Family, Given``; an organisation has no given name."""
    family, _, given = name.partition(",")
    return name_letters(family), name_letters(given)


def name_letters(text: str) -> str:
    """Return the letters of a name in ASCII; a name in another script is compared as it is.

    Examples
    --------
    >>> name_letters("Ørsted-Weiß"), name_letters("李") == name_letters("王")
    ('orstedweiss', False)
    """
    plain = ascii_text(text) or text.casefold()
    if any(ord(character) > _LAST_LATIN and character.isalpha() for character in text):
        plain = text.casefold()
    return normal_title(plain)
