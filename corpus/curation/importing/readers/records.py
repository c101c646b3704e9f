"""What a foreign file holds: records whose cells are one text or several."""

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corpus.curation.importing.names import (
    abstract_rank,
    date_readings,
    field_by_name,
    is_abstract,
    name_rank,
    written_year,
)
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.joiners import joiner_places
from corpus.model.table import MAX_CELL, MAX_COLUMNS
from corpus.tables.cells import SHEET_ERROR

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


#: Fields of which a work has one, whatever program wrote it.
_SINGLE = ("title", "authors", "venue", "doi")


def by_rank(cells: Cells) -> Cells:
    """Return a record in which each bibliographic field has one name: the first filled one counts.

    Programs repeat a field under several names, and leave it out under others. What differs from
    the first one stays under its own name. Addresses are gathered; a date is taken from a field of
    the year that has one.

    Examples
    --------
    >>> by_rank({"T2": "", "journal": "LNCS", "booktitle": "Proc. of Fens", "year": "2016/10/19"})
    {'journal': 'LNCS', 'venue': 'Proc. of Fens', 'year': '2016/10/19'}
    """
    found = filled_cells(cells)
    for role in _SINGLE:
        _take_first(found, role, _named(found, role))
    _take_first(found, "abstract", sorted(filter(is_abstract, found), key=abstract_rank))
    links: list[str] = []
    for name in _named(found, "url"):
        links += texts_of(found.pop(name))
    if links:
        found["url"] = tuple(dict.fromkeys(links)) if len(links) > 1 else links[0]
    dated = [name for name in _named(found, "year") if _year_of(found[name])]
    year = _year_of(found[dated[0]]) if dated else ""
    for name in dated[1:]:
        days = date_readings(" ".join(texts_of(found[name])))
        if _year_of(found[name]) == year and (len(days) != 1 or len(days[0]) == 4):
            del found[name]
        elif _year_of(found[name]) == year and "date" not in found:
            found["date"] = found.pop(name)
    _take_first(found, "year", dated[:1])
    return found


def _named(cells: Cells, role: str) -> list[str]:
    """Return the columns of a record that mean a field, the most usual name first."""
    return sorted((name for name in cells if field_by_name(name) == role), key=name_rank)


def _take_first(cells: Cells, role: str, names: Sequence[str]) -> None:
    """Put the first of some cells under the name of its role; drop those that repeat it."""
    if not names:
        return
    first = cells.pop(names[0])
    for name in names[1:]:
        if _folded(cells[name]) == _folded(first):
            del cells[name]
    cells[role] = first


def _folded(cell: Cell) -> list[str]:
    return [" ".join(text.casefold().split()) for text in texts_of(cell)]


def _year_of(cell: Cell) -> str:
    return written_year(" ".join(texts_of(cell)))


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
    ranked : bool
        Whether the names of fields are those of a program; see :func:`by_rank`.

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
    counted : tuple of (int, mapping of str to int)
        Records by a count that is not the reader's; every different identifier by that count, and
        its line.
    """

    def __init__(
        self, format_: str, shown: str, rows: Iterable[tuple[int, Cells]] = (), ranked: bool = False
    ) -> None:
        self.format = format_
        self.shown = shown
        self.ranked = ranked
        self.columns: dict[str, None] = {}
        self.rows: list[ImportedRecord] = []
        self.findings: list[Finding] = []
        self.remarks: list[str] = []
        self.left_out: list[LeftOut] = []
        #: By place: what each reader decided, where the file names readers (Rayyan).
        self.decisions: dict[int, dict[str, str]] = {}
        #: Invisible character that was left out -> where it was: line and column.
        self.invisible: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        #: Cells of a sheet that are a formula.
        self.formulas: Sequence[str] = ()
        self.counted: tuple[int, Mapping[str, int]] = (0, {})
        #: Of a workbook: the name of the sheet, and every sheet that has records, by name.
        self.sheet = ""
        self.sheets: dict[str, Records] = {}
        for place, cells in rows:
            self.add(place, cells)

    def add(self, place: int, cells: Cells) -> None:
        """Add a record: plain texts without empty cells, and decisions in notes as columns.

        A cell that is too long is cut and named (I112), a record without cells passed over.
        """
        if self.ranked:
            cells = by_rank(cells)
        self.columns |= dict.fromkeys(cells)
        found: Cells = {}
        for column, cell in cells.items():
            texts = tuple(filter(None, (self._text(place, column, one) for one in texts_of(cell))))
            parts: Cells = {column: texts}
            for text in texts:
                if _INCLUSION in text:
                    inclusion = text.partition(_INCLUSION)[2].partition("}")[0]
                    self.decisions[place] = dict(_BY_READER.findall(inclusion))
            if isinstance(cell, str):
                parts = _parts_of_cell(column, "".join(texts))
            for name, part in filled_cells(parts).items():
                add_cell(found, name, part)
        for name, cell in found.items():
            found[name] = self._cut(place, name, cell)
        if found:
            self.columns |= dict.fromkeys(found)
            self.rows.append(ImportedRecord(place, found))

    def _text(self, place: int, column: str, text: str) -> str:
        """Return a text of a cell without what is not text: markup, what nobody sees, errors."""
        if text.startswith("#") and _SHEET_ERROR.fullmatch(text.strip()):
            self.warn(FIELD_LEFT_OUT, place, text, "a formula has failed there", column)
            return ""
        if text == _NO_ABSTRACT:
            return ""
        settled = plain(without_markup(text))
        if not text.isprintable():
            for character in set(_INVISIBLE.findall(text)).difference(settled):
                self.invisible[character].append((place, column))
        return settled

    def _cut(self, place: int, column: str, cell: Cell) -> Cell:
        """Return a cell no longer than a table may hold; of a list, the first texts."""
        text = "; ".join(texts_of(cell))
        if len(text) <= MAX_CELL:
            return cell
        problem = f"only its first {MAX_CELL:,} characters are taken"
        self.warn(FIELD_LEFT_OUT, place, text[:80], problem, column)
        is_list = field_by_name(column) == "authors"
        if isinstance(cell, str) and not is_list:
            return text[:MAX_CELL]
        kept = text[: MAX_CELL - 10].rpartition(";")[0] or text[:MAX_CELL]
        return (*kept.split("; "), *["et al."] * is_list)

    def of_sheet(self, name: str) -> "Records":
        """Return the records of a sheet of the workbook, which tell of the others."""
        chosen = self.sheets[name]
        chosen.sheets = self.sheets
        chosen.remarks.insert(0, f"read sheet {name!r}")
        others = ", ".join(repr(title) for title in self.sheets if title != name)
        if others:
            chosen.remarks.append(f"beside it: {others}; name one with --sheet or --excluded-from")
        return chosen

    def with_remarks(self) -> "Records":
        """Return the records with the remarks on all of them."""
        if self.invisible:
            places = sorted(self.invisible.items())
            codes = ", ".join(f"U+{ord(each):04X} ({len(found)})" for each, found in places)
            self.remarks.append(f"invisible characters are left out: {codes}")
        return self

    def warn(self, rule: Rule, line: int, value: str, problem: str, column: str = "") -> None:
        """Name what a reader cannot read."""
        self.findings.append(self.at(rule, line, column, value, problem=problem))

    def at(
        self, rule: Rule, line: int, column: str = "", value: str = "", **places: Any
    ) -> Finding:
        """Make the finding of a rule at a line, or at the cell of a sheet: ``f.xlsx:Pool!C14``."""
        file = self.shown
        if self.sheet and line:
            # Commands that read no workbook do not wait for this.
            from openpyxl.utils.cell import get_column_letter

            number = [*self.columns].index(column) + 1 if column in self.columns else 1
            file, line = f"{file}:{self.sheet}!{get_column_letter(number)}{line}", 0
        return rule.at(file, line, column[:80], value, **places)


def filled_in(rows: Iterable[ImportedRecord], column: str) -> list[Cell]:
    """Return the filled cells of a column."""
    return [row.cells[column] for row in rows if column in row.cells]


_SHEET_ERROR = re.compile(SHEET_ERROR)
#: As Scopus writes it.
_NO_ABSTRACT = "[No abstract available]"
#: Joiners and marks of direction, of which some texts consist in part.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]")
_PART = re.compile(r"(?<!\s)\s*+(RAYYAN-[A-Z-]{1,40}|USER-NOTES)\s*+:\s*+")
#: Decisions are written by reader: {"Ann"=>"Included"}.
_BY_READER = re.compile(r'"([^"]*)"\s*=>\s*"([^"]*)"')
_INCLUSION = "RAYYAN-INCLUSION"
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
        by_reader = [decision for _, decision in _BY_READER.findall(text)]
        decisions = dict.fromkeys(by_reader) or map(str.strip, text.split(","))
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


#: Elements that publishers and services put into titles and abstracts (HTML, JATS, MathML); those
#: of a block are between words.
_INLINE = (
    "i|b|u|s|em|strong|sub|sup|inf|sc|scp|small|tt|font|span|a|code|italic|bold|underline"
    "|mml:[a-z]+|math|m[inos]|mrow|mtext|msu[bp]|msubsup"
)
_BLOCK = "p|br|div|title|sec|list|list-item|li|ul|ol|h[1-6]|table|tr|td|th"
_TAGS = re.compile(
    rf"(?P<inline></?(?:jats:)?(?:{_INLINE})(?:\s[^<>]{{0,300}})?/?>)"
    rf"|</?(?:jats:)?(?:{_BLOCK})(?:\s[^<>]{{0,300}})?/?>|<!--.{{0,300}}?-->",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:amp;)?#?[A-Za-z0-9]{2,31};")


def without_markup(text: str) -> str:
    """Return a text without the markup of titles and abstracts, entities as what they mean.

    Examples
    --------
    >>> without_markup("CO<sub>2</sub> &amp; <i>Sphagnum</i><br/>p &lt; 0.05")
    'CO2 & Sphagnum p < 0.05'
    """
    if "&" in text:
        # Some services encode twice: "&amp;lt;".
        text = _ENTITY.sub(lambda match: html.unescape(html.unescape(match[0])), text)
    if "<" in text:
        text = _TAGS.sub(lambda match: "" if match["inline"] else " ", text)
    return text


def plain(text: str) -> str:
    """Put a text on one line, NFC, without control, bidi and zero-width characters.

    Joiners stay where scripts and emoji need them.

    Examples
    --------
    >>> plain(" Peat\\u00a0and\\n moss\\u202e ")
    'Peat and moss'
    """
    if not text.isprintable():  # seldom
        kept = joiner_places(text)
        text = "".join(
            each
            for place, each in enumerate(text)
            if each.isspace() or place in kept or unicodedata.category(each) not in _DROPPED
        )
    return unicodedata.normalize("NFC", " ".join(text.split()))


#: Control characters, characters of format (bidi, zero width), surrogates, private, unassigned.
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")
