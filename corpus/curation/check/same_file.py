"""Rows of one entry that answer two ways from one file: a reader compares what they quote.

The optional section ``[same_file]`` of codebook.toml declares for tables the column that names
files, the one with the answer, and which answers seldom go together::

    [same_file]
    decisions = { place = "place", answer = "grade", apart = ["dedicated", "trained"] }
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.codebook import Texts
from corpus.model.documents.section import Section, valid_settings
from corpus.model.finding import WARNING
from corpus.tables.sheet import ColumnarTable

#: A name with an extension; digits alone do not count, as in an arXiv identifier.
_FILE = re.compile(r"\b[\w./-]*\w\.[a-z][a-z0-9]+\b")


#: A table, its columns of entry, file and answer, and the answers.
Compared = tuple[str, str, str, str, Texts]


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
    for table, *columns, apart in declared or ():
        if table == sheet.spec.name:
            yield from _differing(sheet, columns, apart)


def _differing(sheet: ColumnarTable, columns: list[str], apart: Texts) -> Iterator[Place]:
    """Yield each row that differs from an earlier one of its entry, with the files of both."""
    read: dict[tuple[str, str], list[int]] = defaultdict(list)
    entries, places, answers = map(sheet.cells, columns)
    for position, (entry, place) in enumerate(zip(entries, places, strict=True)):
        if answers[position] not in apart:
            continue
        differing: dict[int, list[str]] = defaultdict(list)
        for file in dict.fromkeys(_FILE.findall(place)):
            earlier = read[entry, file]
            for other in earlier:
                if answers[other] != answers[position]:
                    differing[other].append(file)
                    break
            earlier.append(position)
        for other, files in differing.items():
            answer = f"{sheet.key(other)} has {answers[other]}"
            yield at(position, columns[-1], other=answer, advice=", ".join(files))
