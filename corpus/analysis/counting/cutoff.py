"""What is dated after the cutoff: entries by first publication, records by screening."""

from collections.abc import Iterable

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.dates import AFTER, place
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Table
from corpus.printing.grid import plural

_EXCLUSIONS = "exclusions"
_DATED = ("pool", "bibliography", _EXCLUSIONS)


def dated_tables(book: Codebook) -> list[TableSpec]:
    """Return the tables whose rows have the date of an entry or of an excluded record."""
    found = []
    for role in _DATED:
        found += [spec for spec in book.by_role(role) if spec.by_role("date")]
    return found


def later_rows(tables: Iterable[Table], day: str) -> list[LocatedRow]:
    """Return the rows of these tables that are certainly dated after a day."""
    found = []
    for table in tables:
        for row, cell in zip(table.placed(), table.role_column("date"), strict=True):
            if place(cell, "", day) == AFTER:
                found.append(row)
    return found


def as_of(book: Codebook, tables: Iterable[Table], words: str = "as of ") -> str:
    """Return the cutoff in words for print, or how much is later; empty without a cutoff.

    A corpus that grew after its cutoff is not as of that day.
    """
    cutoff = book.corpus["cutoff"]
    if not cutoff:
        return ""
    later = later_rows(tables, cutoff)
    if not later:
        return words + cutoff
    records = sum(row.table.spec.role == _EXCLUSIONS for row in later)
    entries = len(later) - records
    counted = []
    if entries:
        counted.append(f"{entries} {book.corpus['entry' if entries == 1 else 'entries']}")
    if records:
        counted.append(plural(records, "exclusion"))
    return f"{' and '.join(counted)} dated after the cutoff of {cutoff}"


def as_of_study(study: Study, words: str = "as of ") -> str:
    """Return the same for a study."""
    tables = [study.tables[spec.name] for spec in dated_tables(study.codebook)]
    return as_of(study.codebook, tables, words)
