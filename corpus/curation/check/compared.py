"""What the codebook declares about rows that a reader has to compare: four optional sections.

``[prose]`` has words that speak of everything, so a claim has to test them. A row that names a
claim, in a column with the role ``claim`` or ``open_while``, is tested by it::

    [prose]
    absolute = ["only", "nobody", "the one"]
    columns = { directions = ["gap"] }

``[same_file]`` has for tables the column that names files, the one with the answer, and which
answers seldom go together for one entry and one file::

    [same_file]
    decisions = { place = "place", answer = "grade", apart = ["dedicated", "trained"] }

``[repeated]`` and ``[printed]`` have tables that state the same about one entry: whoever changes
one of them has to change the other::

    [repeated]
    statements = { column = "text", table = "limits", value = "number" }

    [printed]
    printed_tags = { ledger = "differences", printed = "here", published = "there" }
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress

from corpus.analysis.claims.releases import opened_releases
from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.codebook import Texts
from corpus.model.documents.section import Section, valid_settings
from corpus.model.finding import WARNING, CorpusError
from corpus.model.table import Row
from corpus.printing.numerals import NUMBER, parse_number, with_plain_digits
from corpus.tables.location import RELEASES_FOLDER
from corpus.tables.reader import parse_table
from corpus.tables.sheet import ColumnarTable

_CLAIM_ROLES = ("claim", "open_while")
_NUMBER = re.compile(rf"(?!\b(?:19|20)[0-9]{{2}}\b){NUMBER}", re.IGNORECASE)  # but years
#: What a ledger calls an empty cell.
_EMPTY = "dash"
#: A name with an extension; digits alone do not count, as in an arXiv identifier.
_FILE = re.compile(r"\b[\w./-]*\w\.[a-z][a-z0-9]+\b")


#: A table, its columns of entry, file and answer, and the answers.
Compared = tuple[str, str, str, str, Texts]


def read_prose(section: Section) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """Read ``[prose]``: the words, and the columns by table. Mistakes are in its findings."""
    words = section.strings("absolute", ())
    declared = section.section("columns", required=False)
    columns = {}
    for name in declared:
        if declared.reference("table", name, name, known=section.book.tables, is_key=True):
            columns[name] = declared.columns(name, section.book.tables[name])
    section.finish()
    return words, columns


@rule(
    "C430",
    "{column} contains {advice}, and the row names no claim that tests it",
    hint="write what was examined, or name the claim",
    severity=WARNING,
)
def absolute_word(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Absolute word without a claim.

    "Nobody", "the one" or "none" in a summary speak of everything, and nothing fails when a new
    row makes them wrong. The codebook declares words and columns under `[prose]`.

    >>> broken("sensors", {"notes": "The only one in peat."})
    sensors.csv: notes contains 'only', and the row names no claim that tests it
    """
    # The check of the codebook reports a mistake there.
    words, columns = valid_settings(tables.book, "prose", read_prose) or ((), {})
    if not words:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    claims = [column.name for role in _CLAIM_ROLES if (column := sheet.spec.by_role(role))]
    for name in columns.get(sheet.spec.name, ()):
        for position, cell in enumerate(sheet.cells(name)):
            word = pattern.search(cell)
            if word and not any(sheet.cell(claim, position) for claim in claims):
                yield at(position, name, advice=repr(word[0]))


def read_same_file(section: Section) -> list[Compared]:
    """Read ``[same_file]``; mistakes are in its findings."""
    found = []
    for name, child in section.children().items():
        if not section.reference("table", name, name, known=section.book.tables, is_key=True):
            continue
        table, pool = section.book.tables[name], section.book.pool
        entry = table.reference_to(pool)
        if entry is None:
            section.mistake(name, f"table {name} has no column of type 'ref' into {pool.name}")
        place, answer = child.column("place", table), child.term_column("answer", table)
        apart = child.terms("apart", answer)
        child.finish()
        if entry and place and answer:
            found.append((name, entry.name, place.name, answer.name, apart))
    return found


@rule(
    "C437",
    "{column} is {value}, but {other} from the same {advice}",
    hint="read the file again by one rule for both rows, or accept the warning with what differs",
    severity=WARNING,
)
def two_answers(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Two answers from one file.

    A cost that pays for one decision often pays for another; whoever graded the rows on two days
    did not see both. The codebook declares the answers under `[same_file]`.

    >>> broken("read", {}, {"answer": "rock"})
    read.csv: answer is 'rock', but roots, ada has surface from the same soil.py
    """
    # The check of the codebook reports a mistake there.
    declared = valid_settings(tables.book, "same_file", read_same_file)
    for table, entry, place, answer, apart in declared or ():
        if table != sheet.spec.name:
            continue
        read: dict[tuple[str, str], list[int]] = defaultdict(list)
        answers, entries, places = map(sheet.cells, (answer, entry, place))
        for position, own in enumerate(answers):
            files = dict.fromkeys(_FILE.findall(places[position])) if own in apart else {}
            differing: dict[int, list[str]] = defaultdict(list)
            for file in files:
                earlier = read[entries[position], file]
                for other in [one for one in earlier if answers[one] != own][:1]:
                    differing[other].append(file)
                earlier.append(position)
            for other, shared in differing.items():
                words = f"{sheet.key(other)} has {answers[other]}"
                yield at(position, answer, other=words, advice=", ".join(shared))


def read_repeated(section: Section) -> dict[str, Texts]:
    """Read ``[repeated]``: table -> column of sentences, other table, its column of numbers."""
    found: dict[str, Texts] = {}
    for name, child in section.children().items():
        if section.reference("table", name, name, known=section.book.tables, is_key=True):
            column = child.column("column", section.book.tables[name])
            other = child.evidence_table("table")
            value = child.column("value", other)
            if column and other and value:
                found[name] = (column.name, other.name, value.name)
        child.finish()
    return found


def read_printed(section: Section) -> dict[str, tuple[str, str, str, Mapping[str, Texts]]]:
    """Read ``[printed]``: table -> the ledger, its columns of both values, which of its rows."""
    found: dict[str, tuple[str, str, str, Mapping[str, Texts]]] = {}
    for name, child in section.children().items():
        is_known = section.reference("table", name, name, known=section.book.tables, is_key=True)
        ledger = child.evidence_table("ledger")
        printed, published = child.column("printed", ledger), child.column("published", ledger)
        where = child.filters("where", ledger)
        if is_known and ledger and printed and published:
            found[name] = (ledger.name, printed.name, published.name, where)
        child.finish()
    return found


def _published(tables: Tables) -> dict[str, Row]:
    """Return the rows of the pool as it was first released, by key; none without a release."""
    pool = tables.book.pool
    with suppress(CorpusError):  # the check of releases reports it
        for release in opened_releases(tables.opener, ""):
            file = f"{RELEASES_FOLDER}/{release.id}/{pool.file}"
            return dict(parse_table(tables.opener(file) or b"", pool, file).named_rows())
    return {}


def _entries(sheet: ColumnarTable, tables: Tables) -> list[str]:
    """Return the key of the entry that each row is about."""
    column = sheet.spec.reference_to(tables.book.pool)
    return sheet.cells(column.name) if column else [""] * len(sheet)


@rule(
    "C452",
    "{column} has the number {advice}, which {other} does not have for this entry",
    hint="read the source again and correct one of them",
    severity=WARNING,
)
def number_elsewhere(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Number in a sentence that its table does not have.

    The codebook declares both tables under `[repeated]`. A number that was changed in one of them
    is wrong in the other, or was not to be changed. Only entries with numbers there are compared.

    >>> broken("read", {"place": "Up to 1,200 m in soil.py"}, {"place": "Up to 12 m in mud.py"})
    read.csv: place has the number 12, which reach.csv does not have for this entry
    """
    # The check of the codebook reports a mistake there.
    declared = (valid_settings(tables.book, "repeated", read_repeated) or {}).get(sheet.spec.name)
    if declared is None or declared[1] not in tables.sheets:
        return
    column, name, value = declared
    other = tables.sheets[name]
    known: dict[str, set[str]] = defaultdict(set)
    for entry, cell in zip(_entries(other, tables), other.cells(value), strict=True):
        known[entry].add(cell.replace(",", "").removesuffix(".0"))
    for position, (entry, cell) in enumerate(
        zip(_entries(sheet, tables), sheet.cells(column), strict=True)
    ):
        for text in _NUMBER.findall(with_plain_digits(cell)) if entry in known else ():
            if str(parse_number(text)) not in known[entry]:
                yield at(position, column, advice=text, other=other.spec.file)


@rule(
    "C453",
    "{value} differs from what was published ({advice}); {other} has {told}",
    hint="read the printed text again, and correct one of the tables",
)
def printed_otherwise(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Printed cells that differ otherwise than the ledger tells.

    The codebook declares under `[printed]` a table of what a text prints, in columns that are
    called as those of the pool, and a ledger of the differences: `reward NA; credit dash` in one
    column, `reward shared; credit agent` in the other. Published is the first release, or without
    one the pool; what was corrected counts as it was before.

    >>> broken("printed", {"depth": "surface"})
    printed.csv: 'ada' differs from what was published (surface, not rock); told.csv has nothing
    """
    declared = (valid_settings(tables.book, "printed", read_printed) or {}).get(sheet.spec.name)
    pool = tables.pool
    if declared is None or pool is None or declared[0] not in tables.sheets:
        return
    ledger = tables.sheets[declared[0]]
    told: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for position, entry in enumerate(_entries(ledger, tables)):
        if all(ledger.cell(name, position) in values for name, values in declared[3].items()):
            cells = (ledger.cell(name, position).split(";") for name in declared[1:3])
            words = [[part.split()[-1] for part in parts if part.strip()] for parts in cells]
            told[entry].update(zip(*words, strict=False))
    released = _published(tables)
    corrected: dict[tuple[str, str], str] = {}
    for log in tables.by_role("corrections"):
        rows = log.by_rows().by_role_cells()
        for entry, logged in zip(_entries(log, tables), rows, strict=True):
            corrected[entry, logged.get("column", "")] = logged.get("before", "")
    columns = [column.name for column in sheet.spec.columns if column.type in ("term", "year")]
    columns = [name for name in columns if name in pool.spec.header]
    for position, entry in enumerate(_entries(sheet, tables)):
        if entry not in pool.positions:
            continue
        differing = set()
        for name in columns:
            cell = sheet.cell(name, position)
            was = pool.cell(name, pool.positions[entry])
            if entry in released:
                was = released[entry][pool.spec.position(name)]
            was = corrected.get((entry, name), was)
            if cell != was:
                differing.add((cell or _EMPTY, was or _EMPTY))
        if differing != told[entry]:
            both = []
            for pairs in (differing, told[entry]):
                told_words = [f"{printed}, not {was}" for printed, was in sorted(pairs)]
                both.append("; ".join(told_words) or "nothing")
            yield at(position, "", entry, advice=both[0], other=ledger.spec.file, told=both[1])
