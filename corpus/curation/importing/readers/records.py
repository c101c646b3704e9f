"""What a foreign file holds: records whose cells are one text or several."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.curation.importing.source_count import Counted
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.table import MAX_CELL, MAX_COLUMNS

NOT_THE_FORMAT = Rule(
    "I104",
    "not a valid {format}: {problem}",
    "fix it there, or name the format with --format",
    title="Not in the format that was expected",
    reason="The file cannot be split into records.",
)
SKIPPED = Rule(
    "I106",
    "an entry cannot be read: {problem}",
    "fix it in the source and add it with `corpus add`",
    WARNING,
    title="Entry skipped",
    reason="A malformed entry is left out, the others are imported.",
)
TOO_WIDE = Rule(
    "I108",
    "the records need {found} columns, more than the {limit} that a table may have",
    "export fewer columns; transpose a file with one record per column first",
    title="Too many columns to import",
    reason="A table of works has some dozens of columns.",
)
NOT_SUPPORTED = Rule(
    "I109",
    "this is {what}, which is not read",
    "{how}",
    title="Format that is not read",
    reason="Every reference manager and database exports a format that is read.",
)
FIELD_LEFT_OUT = Rule(
    "I112",
    "a field of an entry cannot be read: {problem}",
    "fix it in the source, or write the cell into the new pool",
    WARNING,
    title="Field left out",
    reason="The rest of the entry is imported: it is worth more than nothing.",
)


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
    """Why lines are not a record, the first of them and the one behind (0: the next record).

    A reader that counts no lines gives the number of works, and the text that has identifiers.
    """

    reason: str
    line: int = 0
    end: int = 0
    number: int = 0
    text: str = ""


class Records:
    """All records of a file, as a reader finds them.

    Parameters
    ----------
    format_ : str
        What the file is read as, such as ``CSV``.
    shown : str
        Its name in findings.
    rows : iterable of (int, dict)
        Records by place, which are added.

    Attributes
    ----------
    columns : dict of str to None
        All columns, in order of first appearance.
    rows : list of ImportedRecord
        Cells that are empty are left out.
    findings : list of Finding
        Warnings: entries that were skipped, rows of another length.
    remarks : list of str
        What was guessed on the way (encoding, separator, sheet).
    left_out : list of LeftOut
        What was passed over, with reasons.
    counted : tuple of (sequence of Counted, mapping of str to int)
        What looks like a work by a count that is not the reader's; every different identifier by
        that count, and its line.
    """

    def __init__(self, format_: str, shown: str, rows: Iterable[tuple[int, Cells]] = ()) -> None:
        self.format = format_
        self.shown = shown
        self.columns: dict[str, None] = {}
        self.rows: list[ImportedRecord] = []
        self.findings: list[Finding] = []
        self.remarks: list[str] = []
        self.left_out: list[LeftOut] = []
        self.counted: tuple[Sequence[Counted], Mapping[str, int]] = ((), {})
        for place, cells in rows:
            self.add(place, cells)

    def add(self, place: int, cells: Cells) -> None:
        """Add a record: plain texts without empty cells, and decisions in notes as columns.

        One that has too long a cell is left out and named (I106), one without cells passed over.
        """
        self.columns |= dict.fromkeys(cells)
        found: Cells = {}
        for column, cell in cells.items():
            texts = tuple(filter(None, map(plain, texts_of(cell))))
            parts: Cells = {column: texts}
            if isinstance(cell, str):
                parts = _parts_of_cell(column, "".join(texts))
            for name, part in filled_cells(parts).items():
                add_cell(found, name, part)
        for name, cell in found.items():
            if len("; ".join(texts_of(cell))) > MAX_CELL:
                problem = f"{name[:80]!r} has more than {MAX_CELL:,} characters"
                self.warn(SKIPPED, place, "", problem, name)
                return
        if found:
            self.columns |= dict.fromkeys(found)
            self.rows.append(ImportedRecord(place, found))

    def warn(self, rule: Rule, line: int, value: str, problem: str, column: str = "") -> None:
        """Name what a reader cannot read."""
        self.findings.append(rule.at(self.shown, line, column[:80], value, problem=problem))


def filled_in(rows: Iterable[ImportedRecord], column: str) -> list[Cell]:
    """Return the filled cells of a column."""
    return [row.cells[column] for row in rows if column in row.cells]


_PART = re.compile(r"(?<!\s)\s*+(RAYYAN-[A-Z-]{1,40}|USER-NOTES)\s*+:\s*+")
#: Decisions are written by reader: {"Ann"=>"Included"}.
_BY_READER = re.compile(r'"[^"]*"\s*=>\s*"([^"]*)"')
_COVIDENCE = re.compile(r"\bExclusion reason: (?P<reason>[^;|]{1,200})[;|]? *", re.IGNORECASE)


def _parts_of_cell(column: str, cell: str) -> Cells:
    """Return the cells that a cell is made of, by the names of their columns.

    Rayyan's notes are ``inclusion``, ``labels``, ``exclusion reasons`` and the rest; of Covidence's
    the exclusion reason is a column.
    """
    before, *parts = _PART.split(cell)
    cells: Cells = {column: cell}
    if parts:
        cells[column] = before.strip(" |")
    reason = _COVIDENCE.search(cell)
    if column == "Notes" and reason:
        cells[column] = cell.replace(reason[0], "").strip()
        cells["exclusion reason"] = reason["reason"].strip()
    for name, value in zip(parts[::2], parts[1::2], strict=True):
        text = value.strip(" |")
        label = name.removeprefix("RAYYAN-").replace("-", " ").lower()
        decisions = dict.fromkeys(_BY_READER.findall(text)) or map(str.strip, text.split(","))
        cells[label] = tuple(filter(None, decisions))
        if name == "USER-NOTES":
            cells[label] = text
    return cells


def refuse_wide(columns: int, shown: str, line: int = 0) -> None:
    """Raise CorpusError I108 for more columns than a table may have."""
    if columns > MAX_COLUMNS:
        found, limit = f"{columns:,}", f"{MAX_COLUMNS:,}"
        raise TOO_WIDE.error(shown, line, found=found, limit=limit)


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
