"""Rules between tables: references, copies of tags, corrections, bibliography."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.finding import Finding, Rule, closest
from corpus.model.identifiers import arxiv_month, ascii_text, find_arxiv, parse_arxiv
from corpus.tables.sheet import ColumnarTable, Sheets

_NOT_A_LETTER = re.compile("[^a-z]+")


def reference_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Check the tables of a corpus against each other."""
    found: list[Finding] = []
    pool = sheets.get(book.pool.name)
    for sheet in sheets.values():
        role = sheet.spec.role
        for column in sheet.spec.columns:
            if column.references in sheets:
                found += _dangling(sheet, column, sheets[column.references])
        if pool is not None:
            found += _mirrors(sheet, pool, book)
            key = sheet.spec.reference_to(book.pool) or sheet.spec.by_role("key")
            if role == "bibliography":
                found += _bibliography(sheet, pool)
                found += _without_row(pool, sheet, key, rules.NO_BIBLIOGRAPHY)
            elif sheet.spec.complete:
                found += _without_row(pool, sheet, key, rules.NO_ROW)
            if role == "corrections":
                found += _corrections(sheet, pool)
            if sheet is pool or role == "bibliography":
                found += _arxiv_dois(sheet, pool)
        if role == "exclusions":
            # Where a table codes why records are excluded, each of them must have a row there.
            for reasons in sheets.values():
                if reasons.spec.role == "reasons":
                    record = reasons.spec.reference_to(sheet.spec)
                    found += _without_row(sheet, reasons, record, rules.NO_REASON)
            for name, position in sheet.positions.items():
                if name.startswith(rules.UNNUMBERED):
                    found.append(sheet.finding(rules.NO_NUMBER, position, sheet.spec.key[0]))
    found += _spellings_of_persons(sheets, book)
    return found


def _entries(side: ColumnarTable, pool: ColumnarTable) -> Iterator[tuple[int, int]]:
    """Yield the position of each row of `side` that is about an entry, and of the entry."""
    reference = side.spec.reference_to(pool.spec)
    if side is pool:
        yield from enumerate(range(len(pool)))
    elif reference is not None:
        for position, key in enumerate(side.cells(reference.name)):
            if key in pool.positions:
                yield position, pool.positions[key]


def _pairs(
    side: ColumnarTable, column: Column | None, pool: ColumnarTable, own: Column | None
) -> Iterator[tuple[int, str, str]]:
    """Yield each row of `side` about an entry: its position, its cell, the cell of the entry.

    `column` is of `side` and `own` of the pool; where one of them is None, nothing is compared.
    """
    if column is not None and own is not None:
        cells, others = side.cells(column.name), pool.cells(own.name)
        for position, entry in _entries(side, pool):
            yield position, cells[position], others[entry]


def _dangling(sheet: ColumnarTable, column: Column, target: ColumnarTable) -> Iterator[Finding]:
    """A ref must name a key of the target, a column reference one of its columns."""
    known: Collection[str] = target.spec.header
    if column.type != "column":
        known = target.positions.keys()
    for position, cell in enumerate(sheet.cells(column.name)):
        if cell and cell not in known:
            advice = _reference_advice(cell, known)
            yield sheet.finding(
                rules.DANGLING, position, column.name, other=target.file, advice=advice
            )


def _reference_advice(cell: str, known: Iterable[str]) -> str:
    nearest = closest(cell, known)
    if not nearest:
        return "add the row there first, or remove this one"
    if " ".join(nearest[0].split()) == cell:
        return f"it has stray whitespace there: {nearest[0]!r}"
    return f"did you mean {nearest[0]!r}?"


def _mirrors(sheet: ColumnarTable, pool: ColumnarTable, book: Codebook) -> Iterator[Finding]:
    """Compare copies with the pool, except where its value is not declared: it has a finding."""
    for column in sheet.spec.columns:
        if not column.mirrors:
            continue
        original = pool.spec.column(column.mirrors)
        for position, cell, other in _pairs(sheet, column, pool, original):
            if other != cell and _is_declared(other, original, book):
                yield sheet.finding(
                    rules.MIRROR, position, column.name, other=other, mirrors=column.mirrors
                )


def _is_declared(cell: str, column: Column, book: Codebook) -> bool:
    """Whether a cell has declared terms only; always true for a column without vocabulary."""
    if column.type != "term":
        return True
    return bool(cell) and set(column.values(cell)).issubset(book.terms_of(column))


def _corrections(sheet: ColumnarTable, pool: ColumnarTable) -> Iterator[Finding]:
    """Check that the pool has the value to which a correction changed a cell."""
    which, after, before = map(sheet.spec.by_role, ("column", "after", "before"))
    if which is None or after is None:
        return
    for position, entry in _entries(sheet, pool):
        name = sheet.cell(which.name, position)
        if name not in pool.spec.header:
            continue
        corrected = sheet.cell(after.name, position)
        if before is not None and sheet.cell(before.name, position) == corrected:
            yield sheet.finding(rules.EMPTY_CORRECTION, position, after.name)
        other = pool.cell(name, entry)
        if other != corrected:
            yield sheet.finding(rules.CORRECTION, position, name, corrected, other=repr(other))


def _bibliography(sheet: ColumnarTable, pool: ColumnarTable) -> Iterator[Finding]:
    """The authors and the date of a row must agree with the pool."""
    authors, dated = sheet.spec.by_role("authors"), sheet.spec.by_role("date")
    for position, cell, other in _pairs(sheet, authors, pool, pool.spec.by_role("first_author")):
        first = cell.split(";")[0]
        # Family names only: given names are often shortened.
        if authors is not None and _family(first) != _family(other):
            yield sheet.finding(rules.AUTHORS, position, authors.name, first, other=repr(other))
    for position, cell, identifier in _pairs(sheet, dated, pool, pool.spec.by_type("arxiv")):
        try:
            public, month = parse_date(cell), arxiv_month(parse_arxiv(identifier))
        except ValueError:
            continue
        # A work is public no later than the month of its identifier.
        if dated is not None and public.start.replace(day=1) > month:
            yield sheet.finding(rules.FIRST_PUBLIC, position, dated.name, other=f"{month:%B %Y}")


def _family(name: str) -> str:
    return name.split(",")[0].strip().casefold()


def _without_row(
    described: ColumnarTable, sheet: ColumnarTable, column: Column | None, rule: Rule
) -> Iterator[Finding]:
    """Find the rows of a table, by their keys, that no row of another one is about."""
    if column is None:
        return
    known = set(sheet.cells(column.name))
    for key, position in described.positions.items():
        if key not in known:
            yield described.finding(
                rule,
                position,
                described.spec.key[0],
                other=sheet.file,
                key=key,
                table=sheet.spec.name,
            )


def _arxiv_dois(sheet: ColumnarTable, pool: ColumnarTable) -> Iterator[Finding]:
    """A DOI that arXiv assigned must be that of the entry's arXiv identifier."""
    arxiv, doi = pool.spec.by_type("arxiv"), sheet.spec.by_type("doi")
    if arxiv is None or doi is None:
        return
    # Without an entry, C401 reports the row.
    for position, cell, identifier in _pairs(sheet, doi, pool, arxiv):
        named = find_arxiv(cell)
        if named and identifier != named:
            other = f"no {arxiv.name}"
            if identifier:
                other = f"arXiv:{identifier}"
            yield sheet.finding(rules.ARXIV_DOI, position, doi.name, advice=named, other=other)


def _spellings_of_persons(sheets: Sheets, book: Codebook) -> Iterator[Finding]:
    """Find the names that differ from a more frequent one in order, accents or punctuation only."""
    columns = []
    times: Counter[str] = Counter()
    for sheet in sheets.values():
        if sheet.spec.name == book.pool.name or sheet.spec.role == "bibliography":
            for column in sheet.spec.columns:
                if column.type in ("name", "names"):
                    columns.append((sheet, column.name))
                    for cell, number in Counter(sheet.cells(column.name)).items():
                        for name in _person_names(cell):
                            times[name] += number
    rarer = _rarer_spellings(times)
    if not rarer:
        return
    for sheet, written in columns:
        for position, cell in enumerate(sheet.cells(written)):
            for name in _person_names(cell):
                if name in rarer:
                    other = repr(rarer[name])
                    yield sheet.finding(rules.SAME_PERSON, position, written, name, other=other)


def _person_names(cell: str) -> list[str]:
    # C215 reports an accent that is a character of its own.
    composed = unicodedata.normalize("NFC", cell)
    return [name.strip() for name in composed.split(";") if name.strip()]


def _rarer_spellings(times: Mapping[str, int]) -> dict[str, str]:
    """Return the spellings of a person that are not the most frequent one, each with that one."""
    of_person = defaultdict(list)
    for name in times:
        words = _NOT_A_LETTER.sub(" ", ascii_text(name)).split()
        # One word is an organisation or a single-name person: nothing there can change places.
        if len(words) > 1:
            of_person[tuple(sorted(words))].append(name)
    rarer = {}
    for spellings in of_person.values():
        most_frequent = min(spellings, key=lambda name: (-times[name], name))
        for name in spellings:
            if name != most_frequent:
                rarer[name] = most_frequent
    return rarer
