"""What a foreign file holds: records whose cells are one text or several."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.source_count import Counted
from corpus.model.finding import Finding
from corpus.model.table import MAX_COLUMNS

#: One text, or several where the source itself keeps them apart (a JSON list, BibTeX authors).
Cell = str | tuple[str, ...]
#: The cells of a record, by column.
Cells = dict[str, Cell]


def texts_of(cell: Cell) -> tuple[str, ...]:
    """Return the texts of a cell."""
    if isinstance(cell, str):
        return (cell,)
    return cell


def single_texts(cells: Iterable[Cell]) -> list[str]:
    """Return the cells that are one text, of which some may be several in the source."""
    return [cell for cell in cells if isinstance(cell, str)]


def filled_cells(cells: Cells) -> Cells:
    """Return a record without its empty cells."""
    return {name: cell for name, cell in cells.items() if cell}


class ImportedRecord(NamedTuple):
    """One record; `place` is its line, row or number in the source, counted from 1."""

    place: int
    cells: Cells


class LeftOut(NamedTuple):
    """Lines that are not a record, the one behind the last (0: the next record), and why.

    A reader that counts no lines gives the number of works, and the text that has identifiers.
    """

    line: int
    end: int
    reason: str
    number: int = 0
    text: str = ""


class Records(NamedTuple):
    """All records of a file.

    Attributes
    ----------
    format : str
        What the file was read as, such as ``CSV``.
    columns : tuple of str
        All columns, in order of first appearance.
    rows : list of ImportedRecord
        Cells that are empty are left out.
    findings : list of Finding
        Warnings: entries that were skipped, rows of another length.
    remarks : list of str
        What was guessed on the way (encoding, separator, sheet).
    left_out : sequence of LeftOut
        What was passed over, with reasons.
    counted : tuple of Counted
        What looks like a work by a count that is not the reader's.
    identifiers : mapping of str to int
        Every different identifier by that count, and its line.
    """

    format: str
    columns: tuple[str, ...]
    rows: list[ImportedRecord]
    findings: list[Finding]
    remarks: list[str]
    left_out: Sequence[LeftOut] = ()
    counted: tuple[Counted, ...] = ()
    identifiers: Mapping[str, int] = MappingProxyType({})

    def column(self, name: str) -> list[Cell]:
        """Return the filled cells of a column."""
        return [row.cells[name] for row in self.rows if row.cells.get(name)]


def gather(
    name: str,
    rows: Iterable[ImportedRecord],
    findings: list[Finding] | None = None,
    remarks: list[str] | None = None,
    left_out: Sequence[LeftOut] = (),
) -> Records:
    """Make :class:`Records` of plain texts, columns in order, without empty cells and records."""
    kept = []
    columns: dict[str, None] = {}
    for row in rows:
        columns.update(dict.fromkeys(row.cells))
        filled: Cells = {}
        for column, cell in row.cells.items():
            texts = tuple(filter(None, map(plain, texts_of(cell))))
            if texts and isinstance(cell, str):
                filled[column] = texts[0]
            elif texts:
                filled[column] = texts
        if filled:
            kept.append(ImportedRecord(row.place, filled))
    return Records(name, tuple(columns), kept, findings or [], remarks or [], left_out)


def refuse_wide(columns: int, shown: str, line: int = 0) -> None:
    """Raise CorpusError I108 for more columns than a table may have."""
    if columns > MAX_COLUMNS:
        found, limit = f"{columns:,}", f"{MAX_COLUMNS:,}"
        raise rules.TOO_WIDE.error(shown, line, found=found, limit=limit)


def column_names(header: Iterable[str]) -> list[str]:
    """Return a name of its own for each cell of a header; empty and repeated ones get a number.

    Examples
    --------
    >>> column_names(["year", "", "year", "year 3"])
    ['year', 'column 2', 'year 3', 'year 3 4']
    """
    names: dict[str, None] = {}
    for number, cell in enumerate(header, 1):
        name = " ".join(cell.split()) or f"column {number}"
        unique = name
        # What a number makes may be the name of another column, whose cells it would replace.
        while unique in names:
            unique = f"{name} {number}"
            number += 1
        names[unique] = None
    return list(names)


def add_cell(cells: Cells, name: str, cell: Cell) -> None:
    """Add a cell to a record; one that is there already, under the same name, is kept before it."""
    if name in cells:
        cell = (*texts_of(cells[name]), *texts_of(cell))
    cells[name] = cell


def plain(text: str) -> str:
    """Put a text on one line, NFC, without control, bidi and zero-width characters.

    Examples
    --------
    >>> plain(" Peat\\u00a0and\\n moss\\u202e ")
    'Peat and moss'
    """
    if not text.isprintable():  # seldom
        kept = [
            each for each in text if each.isspace() or unicodedata.category(each) not in _DROPPED
        ]
        text = "".join(kept)
    return unicodedata.normalize("NFC", " ".join(text.split()))


#: Control characters, characters of format (bidi, zero width), surrogates, private, unassigned.
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")
