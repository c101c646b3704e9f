"""Checks between tables: references, copies of tags, corrections, bibliography."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.codebook import Column
from corpus.model.finding import TO_DO, WARNING, closest
from corpus.model.identifiers import ascii_text, find_arxiv
from corpus.tables.sheet import ColumnarTable

#: How the name of an excluded record begins that has no number yet.
UNNUMBERED = "new-"
_NOT_A_LETTER = re.compile("[^a-z]+")


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
    side: ColumnarTable, column: Column | None, pool: ColumnarTable | None, own: Column | None
) -> Iterator[tuple[int, str, str, str]]:
    """Yield each row of `side` about an entry: its position, column, cell, the cell of the entry.

    `column` is of `side` and `own` of the pool; where one of them is None, nothing is compared.
    """
    if pool is not None and column is not None and own is not None:
        cells, others = side.cells(column.name), pool.cells(own.name)
        for position, entry in _entries(side, pool):
            yield position, column.name, cells[position], others[entry]


@rule("C401", "{column} {value} is not in {other}", hint="{advice}")
def dangling(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Reference to a missing row.

    The key was renamed on one side only, or the row is missing.

    >>> broken("reasons", {"nr": "X11"})
    reasons.csv: nr 'X11' is not in dropped.csv
    """
    for column in sheet.spec.columns:
        target = tables.sheets.get(column.references)
        if target is None:
            continue
        known: Collection[str] = target.spec.header
        if column.type != "column":
            known = target.positions.keys()
        for position, cell in enumerate(sheet.cells(column.name)):
            if cell and cell not in known:
                advice = "add the row there first, or remove this one"
                for nearest in closest(cell, known):
                    # With stray whitespace there, following it would break this table as well.
                    if nearest.strip() != cell:
                        advice = f"did you mean {nearest!r}?"
                yield at(position, column.name, other=target.file, advice=advice)


@rule(
    "C406",
    "{column} is {value}, the pool has {other}",
    hint=(
        "judge the row again; if the judgement still applies: "
        "`corpus edit KEY --set {mirrors}={other} --set {column}={other}`"
    ),
)
def mirror(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Copied tag that differs.

    The row judges another tag than the pool has.

    >>> broken("judged", {"judged_depth": "rock"})
    judged.csv: judged_depth is 'rock', the pool has surface
    """
    for column in sheet.spec.columns:
        if column.mirrors:
            original = tables.book.pool.column(column.mirrors)
            terms = tables.book.terms_of(original)
            for position, name, cell, other in _pairs(sheet, column, tables.pool, original):
                # An undeclared value of the pool has a finding of its own.
                known = not terms or (other and {*original.values(other)} <= {*terms})
                if other != cell and known:
                    yield at(position, name, other=other, mirrors=column.mirrors)


@rule(
    "C417",
    "{column} is {value} before and after",
    hint="write the published value, or remove the row",
)
def empty_correction(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Correction that changes nothing.

    A correction is a difference from the published snapshot.

    >>> broken("corrected", {"before": "surface"})
    corrected.csv: after is 'surface' before and after
    """
    before, after = sheet.spec.by_role("before"), sheet.spec.by_role("after")
    for position, _, _, corrected in _corrections(sheet, tables):
        if before and after and sheet.cell(before.name, position) == corrected:
            yield at(position, after.name)


@rule(
    "C405",
    "the correction sets {column} to {value}, the pool has {other}",
    hint="make both the same",
)
def correction(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Correction that the pool contradicts.

    The corrections tell readers where the pool differs from its published snapshot.

    >>> broken("corrected", {"after": "none"})
    corrected.csv: the correction sets depth to 'none', the pool has 'surface'
    """
    for position, column, cell, corrected in _corrections(sheet, tables):
        if cell != corrected:
            yield at(position, column, corrected, other=repr(cell))


def _corrections(sheet: ColumnarTable, tables: Tables) -> Iterator[tuple[int, str, str, str]]:
    """Yield each correction of an entry: its position, column and cell of the pool, new value."""
    which, after = sheet.spec.by_role("column"), sheet.spec.by_role("after")
    pool = tables.pool
    if pool is None or which is None or after is None or sheet.spec.role != "corrections":
        return
    for position, entry in _entries(sheet, pool):
        name = sheet.cell(which.name, position)
        if name in pool.spec.header:
            yield position, name, pool.cell(name, entry), sheet.cell(after.name, position)


@rule("C402", "{value} has no row in {other}", hint="add a row with authors and first public date")
def no_bibliography(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Entry without bibliography.

    Exports and the timeline need authors and a date for every entry.

    >>> broken("papers", None)
    sensors.csv: 'ada' has no row in papers.csv
    """
    if sheet is tables.pool:
        for other in tables.by_role("bibliography"):
            yield from _without_row(sheet, other, _entry_column(other, tables))


@rule(
    "C418",
    "{value} has no row in {other} yet",
    hint="add it: corpus edit {key} --set {table}.COLUMN=VALUE",
    severity=TO_DO,
)
def no_row(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Entry without a row in a complete table.

    The codebook declares the table as complete. Only a release waits for the row.

    >>> broken("judged", None)
    sensors.csv: 'ada' has no row in judged.csv yet
    """
    for other in tables.sheets.values() if sheet is tables.pool else ():
        if other.spec.complete and other.spec.role != "bibliography":
            yield from _without_row(sheet, other, _entry_column(other, tables))


@rule(
    "C413",
    "{value} has no row in {other}",
    hint="add a row with the reason that decides",
    severity=WARNING,
)
def no_reason(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Excluded record without a coded reason.

    Counts of reasons would leave the record out.

    >>> broken("reasons", None)
    dropped.csv: 'X1' has no row in reasons.csv
    """
    for reasons in tables.by_role("reasons") if sheet.spec.role == "exclusions" else ():
        yield from _without_row(sheet, reasons, reasons.spec.reference_to(sheet.spec))


@rule(
    "C419",
    "{value} gets its number after the merge",
    hint="on the default branch: corpus number",
    severity=TO_DO,
)
def no_number(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Excluded record without a number.

    Two branches would take the same number, so the default branch numbers records, with every
    row that refers to them.

    >>> broken("dropped", {"nr": "new-fen2020"})
    dropped.csv: 'new-fen2020' gets its number after the merge
    """
    for name, position in sheet.positions.items() if sheet.spec.role == "exclusions" else ():
        if name.startswith(UNNUMBERED):
            yield at(position, sheet.spec.key[0])


def _entry_column(sheet: ColumnarTable, tables: Tables) -> Column | None:
    return sheet.spec.reference_to(tables.book.pool) or sheet.spec.by_role("key")


def _without_row(
    described: ColumnarTable, sheet: ColumnarTable, column: Column | None
) -> Iterator[Place]:
    """Find the rows of a table, by their keys, that no row of another one is about."""
    if column is None:
        return
    known = set(sheet.cells(column.name))
    for key, position in described.positions.items():
        if key not in known:
            words = {"other": sheet.file, "key": key, "table": sheet.spec.name}
            yield at(position, described.spec.key[0], **words)


@rule(
    "C412",
    "the DOI is that of arXiv:{advice}, the entry has {other}",
    hint="write the same identifier in both",
)
def arxiv_doi(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """arXiv DOI and identifier disagree.

    The DOI of arXiv is the identifier with a prefix.

    >>> broken("papers", {"doi": "10.48550/arXiv.2011.00011"})
    papers.csv: the DOI is that of arXiv:2011.00011, the entry has arXiv:2011.00010
    """
    doi = sheet.spec.by_type("doi")
    # A table of candidates has both in a row of its own, as the pool may.
    described = [sheet]
    if sheet.spec.role == "bibliography" and tables.pool is not None:
        described.append(tables.pool)
    for other in described:
        arxiv = other.spec.by_type("arxiv")
        # Without an entry, C401 reports the row.
        for position, name, cell, identifier in _pairs(sheet, doi, other, arxiv):
            named = find_arxiv(cell)
            if arxiv and named and identifier != named:
                entry = f"arXiv:{identifier}" if identifier else f"no {arxiv.name}"
                yield at(position, name, advice=named, other=entry)


@rule("C414", "{value} is also written {other}", hint="write the name in one way", severity=WARNING)
def same_person(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """One person, two spellings.

    Indexes list the two as two persons. Names are compared by their words, without order,
    accents and punctuation.

    >>> broken("sensors", {}, {"author": "Ann Ward"})
    sensors.csv: 'Ann Ward' is also written 'Ward, Ann'
    """
    written = _person_columns(sheet, tables)
    if not written:
        return
    times: Counter[str] = Counter()
    for other in tables.sheets.values():
        for column in _person_columns(other, tables):
            for cell, number in Counter(other.cells(column)).items():
                for name in person_names(cell):
                    times[name] += number
    rarer = rarer_spellings(times)
    for column in written if rarer else ():
        for position, cell in enumerate(sheet.cells(column)):
            for name in person_names(cell):
                if name in rarer:
                    yield at(position, column, name, other=repr(rarer[name]))


def _person_columns(sheet: ColumnarTable, tables: Tables) -> list[str]:
    """Return the columns of names of pool and bibliography; other tables repeat them."""
    if sheet is not tables.pool and sheet.spec.role != "bibliography":
        return []
    return [column.name for column in sheet.spec.columns if column.type in ("name", "names")]


def person_names(cell: str) -> list[str]:
    """Return the names in a cell, composed."""
    # C215 reports an accent that is a character of its own.
    composed = unicodedata.normalize("NFC", cell)
    return [name.strip() for name in composed.split(";") if name.strip()]


def rarer_spellings(times: Mapping[str, int]) -> dict[str, str]:
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
