"""One foreign record placed into the columns of a new pool; what does not fit is reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from corpus.curation.importing.kinds import joint, split_cell
from corpus.curation.importing.loose_dates import find_year, read_date
from corpus.curation.importing.outcome import Unplaced
from corpus.curation.importing.persons import are_uncertain, is_cut, split_authors
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.pool.settling import contradictions, settled_cell
from corpus.curation.importing.readers.records import Cell, ImportedRecord, plain, texts_of
from corpus.curation.importing.variants import ABSENT
from corpus.model.identifiers import find_arxiv, find_doi, parse_arxiv

_ADDRESS = re.compile(r"https?://[^\s<>\"]+|(?<![\w/])(?:www\.|doi\.org/|arxiv\.org/)[^\s<>\"]+")
#: Columns whose texts may name other works.
_OTHER_WORKS = re.compile(r"abstract|summary|reference|citation|cited|related", re.IGNORECASE)
#: A cell of so many characters may name other works.
_SHORT = 300
#: What may be around a DOI: a resolver or the site of a publisher, and the mark of PubMed.
_BEFORE_DOI = re.compile(r"(?:(?<!\S)\S*/|doi:?\s*)$", re.IGNORECASE)
_AFTER_DOI = re.compile(r"^(?:\s*\[doi\]|[/?#]\S*)", re.IGNORECASE)
#: An identifier that a spreadsheet took for a number.
_CUT_ARXIV = re.compile(r"[0-9]{4}\.[0-9]+")
_IN_NOTES = "kept in the notes"
#: Columns that are filled from what is found in other cells.
_SOUGHT = ("arxiv_id", "doi", "year", "url")


class Placing:
    """Places the cells of one record.

    Parameters
    ----------
    record : ImportedRecord
        The record.
    types : mapping of str to str
        Column of the new pool -> its type; columns with a vocabulary have none.
    today : date
        What is later is in the future.

    Attributes
    ----------
    cells : dict of str to str
        Column of the new pool -> cell.
    unplaced : list of Unplaced
        What did not fit.
    found : list of str
        What was found in other cells: columns and their new values.
    """

    def __init__(self, record: ImportedRecord, types: Mapping[str, str], today: date) -> None:
        self.record = record
        self.cells: dict[str, str] = {}
        self.unplaced: list[Unplaced] = []
        self.found: list[str] = []
        self._types = types
        self._today = today
        self._notes: list[str] = []
        #: Dates without a year, as Web of Science has them: "JUL 1".
        self._yearless: list[tuple[ColumnPlan, str]] = []

    def place(self, plan: ColumnPlan) -> None:
        """Put one source cell into its column."""
        cell = self.record.cells.get(plan.source)
        if not cell or not plan.name:
            return
        if not plan.is_axis and isinstance(cell, str) and cell.casefold() in ABSENT:
            self.unplaced.append(
                Unplaced(self.record.place, plan.source, cell, "it has no content", "left empty")
            )
        elif plan.is_axis:
            self.cells[plan.name] = _terms(plan, cell)
        elif plan.role in _FIELDS:
            self._place_field(plan, cell)
        elif plan.role == "notes":
            self._notes.insert(0, _joined(cell))
        elif plan.kind.name == "year":
            self._year(plan, cell)
        elif plan.kind.name == "date":
            self._date(plan, cell)
        elif plan.kind.name == "url":
            self._url(plan, cell)
        else:
            text = _joined(cell, plan.separator)
            if plan.kind.name == "text":
                text = _undashed(text)
            self.cells[plan.name] = text

    def _place_field(self, plan: ColumnPlan, cell: Cell) -> None:
        """Fill a bibliographic column; where two source columns are one, the first one wins."""
        earlier = self.cells.pop(plan.name, "")
        _FIELDS[plan.role](self, plan, cell)
        if not earlier:
            return
        other = self.cells.get(plan.name, earlier)
        self.cells[plan.name] = earlier
        if other != earlier:
            self._keep(plan, _joined(cell), f"the {plan.name} is {earlier!r} already")

    def finish(self) -> dict[str, str]:
        """Settle the cells, look for what is missing in what is there, and return all of them."""
        for plan, text in self._yearless:
            day = read_date(f"{text} {self.cells.get('year', '')}")
            if day:
                self.cells.setdefault(plan.name, day)
            else:
                self._keep(plan, text, "it is not a date")
        self._settle(list(self.cells))
        words = self._words()
        self._seek("arxiv_id", map(find_arxiv, words))
        self._seek("doi", map(find_doi, words))
        if not self.cells.get("year"):
            day = self.cells.get("first_public", "")
            self._seek("year", [day[:4] or find_year(self.cells.get("venue", ""))])
        # A book has no other venue; where there is one, the publisher is a column of its own.
        publisher = self.record.cells.get("publisher") or self.record.cells.get("Publisher", "")
        if publisher:
            self._seek("venue", [plain(_joined(publisher))])
            self._settle(["venue"])
        self._seek("url", [self._address()])
        self._settle(_SOUGHT)
        for column, reason in contradictions(self.cells).items():
            self._send_to_notes(column, self.cells.pop(column), reason)
        if self._notes:
            self.cells["notes"] = "; ".join(filter(None, self._notes))
            self._settle(["notes"])
        return {column: cell for column, cell in self.cells.items() if cell}

    def _words(self) -> list[str]:
        """Return the words of the short cells that tell of this work, not of others."""
        words = []
        for name in ("url", "venue"):
            words += self.cells.get(name, "").split()
        for name, cell in self.record.cells.items():
            is_short = isinstance(cell, str) and len(cell) < _SHORT
            if is_short and not _OTHER_WORKS.search(name):
                words += str(cell).split()
        return words

    def _settle(self, columns: Sequence[str]) -> None:
        """Fix the cells that the checks would refuse; a cell with another form becomes a note."""
        for column in columns:
            cell = self.cells.get(column, "")
            type_ = self._types.get(column)
            if not cell or type_ is None:
                continue  # terms have identifiers of the codebook
            settled = settled_cell(cell, type_, self._today)
            self.cells[column] = settled.cell
            if not settled.problem:
                continue
            if settled.is_lost and column != "notes":
                self._send_to_notes(column, cell, settled.problem)
                continue
            fate = "left empty"
            if settled.cell:
                fate = f"written as {settled.cell}"
            place = self.record.place
            self.unplaced.append(Unplaced(place, column, cell, settled.problem, fate))

    def _send_to_notes(self, column: str, value: str, problem: str) -> None:
        self._notes.append(f"{column}: {value}")
        self.unplaced.append(Unplaced(self.record.place, column, value, problem, _IN_NOTES))

    def _address(self) -> str:
        """Return the address that an identifier gives."""
        if self.cells.get("arxiv_id"):
            return f"https://arxiv.org/abs/{self.cells['arxiv_id']}"
        if self.cells.get("doi"):
            return f"https://doi.org/{self.cells['doi']}"
        return ""

    def _seek(self, column: str, found: Iterable[str | None]) -> None:
        """Fill an empty column by what was found, where all finds agree."""
        different = set(filter(None, found))
        if not self.cells.get(column) and len(different) == 1:
            (text,) = different
            self.cells[column] = text
            self.found.append(f"{column} {text.removeprefix('https://')}")

    def _keep(self, plan: ColumnPlan, value: str, problem: str) -> None:
        """Keep what does not fit in the notes, with the name of its column."""
        self._send_to_notes(plan.source, value, problem)

    def _text(self, plan: ColumnPlan, cell: Cell) -> None:
        self.cells[plan.name] = _undashed(_joined(cell))

    def _authors(self, plan: ColumnPlan, cell: Cell) -> None:
        names = split_authors(cell, plan.comma_is_inside)
        self.cells[plan.name] = "; ".join(names)
        if is_cut(cell):
            self._keep(plan, _joined(cell), "the list of authors is cut")
        elif are_uncertain(cell):
            self._keep(plan, _joined(cell), "it is not certain which names belong together")

    def _year(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell).rstrip("/")  # RIS ends dates so
        day = read_date(text)
        year = day[:4] or find_year(text)
        if year:
            self.cells[plan.name] = year
        if len(day) > 4 and plan.role and self.cells.setdefault("first_public", day) == day:
            return
        if not year:
            self._keep(plan, text, "it names no year")
        elif year != text:
            self._keep(plan, text, f"only the year {year} was taken")

    def _date(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell)
        day = read_date(text)
        year = find_year(text)
        if day:
            self.cells[plan.name] = day
        elif year:
            self.cells[plan.name] = year
            self._keep(plan, text, f"only the year {year} is certain")
        else:
            self._yearless.append((plan, text))

    def _doi(self, plan: ColumnPlan, cell: Cell) -> None:
        # Of several DOIs the first is taken; one at a time, since a DOI may have a semicolon.
        for text in texts_of(cell):
            doi = find_doi(text)
            if doi is None:
                self._keep(plan, text, "it is not a DOI")
                continue
            # Case has no meaning in a DOI; the source's is kept.
            before, found, after = _around(text, doi)
            taken = self.cells.setdefault(plan.name, found)
            if taken.casefold() != doi:
                self._keep(plan, text, f"the DOI is {taken} already")
            elif re.search(r"\w", _BEFORE_DOI.sub("", before) + _AFTER_DOI.sub("", after)):
                self._keep(plan, text, "there is more than a DOI in it")

    def _arxiv(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell)
        arxiv = find_arxiv(text)
        if arxiv is not None:
            self.cells[plan.name] = arxiv
            _, _, after = _around(text, arxiv)
            others = set(map(find_arxiv, re.split(r"[\s,;]+", after))) - {None, arxiv}
            if others:
                self._keep(plan, text, "there is more than one identifier in it")
        elif _CUT_ARXIV.fullmatch(text):
            self._restored(plan, text)
        else:
            self._keep(plan, text, "it is not an arXiv identifier")

    def _restored(self, plan: ColumnPlan, text: str) -> None:
        """Take an identifier that a spreadsheet took for a number, without the zeros at its end."""
        try:
            arxiv = parse_arxiv(text.ljust(10, "0"))
        except ValueError:
            self._keep(plan, text, "it is not an arXiv identifier")
            return
        self.cells[plan.name] = arxiv
        problem, fate = "zeros at its end are lost", f"taken as {arxiv}; compare the title"
        self.unplaced.append(Unplaced(self.record.place, plan.source, text, problem, fate))

    def _url(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell, " ")
        full: dict[str, None] = {}
        for address in _ADDRESS.findall(text):
            bare = address.rstrip(".,;)")
            if not bare.startswith("http"):
                bare = f"https://{bare}"
            full[bare] = None
        if full:
            self.cells[plan.name] = " ; ".join(full)
        if not _ADDRESS.sub(" ", text).strip(" ;,|."):
            return
        if full:
            self._keep(plan, text, "there is more than addresses in it")
        else:
            self._keep(plan, text, "it is not an address")


_FIELDS = {
    "title": Placing._text,
    "key": Placing._text,
    "first_author": Placing._authors,
    "affiliation": Placing._text,
    "venue": Placing._text,
    "summary": Placing._text,
    "authors": Placing._authors,
    "year": Placing._year,
    "date": Placing._date,
    "doi": Placing._doi,
    "arxiv": Placing._arxiv,
    "url": Placing._url,
}


def _terms(plan: ColumnPlan, cell: Cell) -> str:
    by_spelling = {}
    for term in plan.terms:
        by_spelling.update(dict.fromkeys(term.spellings, term.id))
    values = split_cell(cell, plan.kind.separators)
    ids = dict.fromkeys(by_spelling[value] for value in values)
    order = [term.id for term in plan.terms]
    return plan.separator.join(sorted(ids, key=order.index))


def _undashed(text: str) -> str:
    """Replace the hyphen that starts a list by a dash: a spreadsheet would read a formula."""
    if text.startswith("-"):
        return f"– {text[1:].lstrip()}"
    return text


def _joined(cell: Cell, separator: str = "") -> str:
    """Return a cell as one text; without a separator by one that none of its texts holds."""
    if isinstance(cell, str):
        return cell
    return (separator or joint(cell)).join(cell)


def _around(text: str, identifier: str) -> tuple[str, str, str]:
    """Return what is before an identifier, the identifier as it is written, and what is after."""
    start = text.casefold().find(identifier.casefold())
    if start < 0:  # written otherwise, such as with an escaped slash
        return "", identifier, ""
    end = start + len(identifier)
    return text[:start], text[start:end], text[end:]
