"""One foreign record placed into the columns of a new pool; what does not fit is reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from corpus.curation.importing.kinds import ABSENT, joint, split_cell
from corpus.curation.importing.loose_dates import find_year, read_date
from corpus.curation.importing.outcome import Unplaced
from corpus.curation.importing.persons import are_uncertain, is_cut, split_authors
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.pool.settling import settled_cell
from corpus.curation.importing.readers.records import Cell, ImportedRecord, plain, texts_of
from corpus.model.identifiers import ADDRESS_JOINT, arxiv_page, doi_page, find_arxiv, find_doi

_ADDRESS = re.compile(r"https?://[^\s<>\"]+|(?<![\w/])(?:www\.|doi\.org/|arxiv\.org/)[^\s<>\"]+")
#: Columns whose texts may name other works.
_OTHER_WORKS = re.compile(r"abstract|summary|reference|citation|cited|related", re.IGNORECASE)
#: A cell of so many characters may name other works.
_SHORT = 300
#: What may be around a DOI: a resolver or the site of a publisher, and the mark of PubMed.
_AROUND_DOI = re.compile(r"(?<!\S)[^\s/]*+/\S*|[?#]\S*|\bdoi\b", re.IGNORECASE)
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
        """Put one source cell into its column; where two source columns are one, the first wins."""
        cell = self.record.cells.get(plan.source)
        if not cell or not plan.name:
            return
        text = _joined(cell, plan.separator)
        if plan.is_axis:
            self.cells[plan.name] = _terms(plan, cell)
        elif text.casefold() in ABSENT:
            self._report(plan.source, text, "it has no content", "left empty")
        elif plan.role == "notes":
            self._notes.insert(0, text)
        else:
            earlier = self.cells.pop(plan.name, "")
            _BY_TYPE.get(plan.kind.name, Placing._text)(self, plan, cell)
            other = self.cells.get(plan.name, earlier)
            if earlier:
                self.cells[plan.name] = earlier
            if earlier and other != earlier:
                self._keep(plan.source, text, f"the {plan.name} is {earlier!r} already")

    def finish(self) -> dict[str, str]:
        """Settle the cells, look for what is missing in what is there, and return all of them."""
        for plan, text in self._yearless:
            day = read_date(f"{text} {self.cells.get('year', '')}")
            if day:
                self.cells.setdefault(plan.name, day)
            else:
                self._keep(plan.source, text, "it is not a date")
        self._settle(list(self.cells))
        words = self._words()
        self._seek("arxiv_id", map(find_arxiv, words))
        self._seek("doi", map(find_doi, words))
        if not self.cells.get("year"):
            day = self.cells.get("first_public", "")
            self._seek("year", [day[:4] or find_year(self.cells.get("venue", ""))])
        # A book has no other venue; where there is one, the publisher is a column of its own.
        publisher = self.record.cells.get("publisher") or self.record.cells.get("Publisher", "")
        self._seek("venue", [plain(_joined(publisher))])
        if self.cells.get("arxiv_id"):
            self._seek("url", [arxiv_page(self.cells["arxiv_id"])])
        elif self.cells.get("doi"):
            self._seek("url", [doi_page(self.cells["doi"])])
        self._settle(["venue", *_SOUGHT])
        self.cells["notes"] = "; ".join(filter(None, self._notes))
        self._settle(["notes"])
        return {column: cell for column, cell in self.cells.items() if cell}

    def _words(self) -> list[str]:
        """Return the words of the short cells that tell of this work, not of others."""
        words = [*self.cells.get("url", "").split(), *self.cells.get("venue", "").split()]
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
            if settled.is_lost and column != "notes":
                self._keep(column, cell, settled.problem)
            elif settled.problem:
                fate = "left empty"
                if settled.cell:
                    fate = f"written as {settled.cell}"
                self._report(column, cell, settled.problem, fate)

    def _report(self, column: str, value: str, problem: str, fate: str) -> None:
        self.unplaced.append(Unplaced(self.record.place, column, value, problem, fate))

    def _keep(self, column: str, value: str, problem: str) -> None:
        """Keep what does not fit in the notes, with the name of its column."""
        self._notes.append(f"{column}: {value}")
        self._report(column, value, problem, "kept in the notes")

    def _seek(self, column: str, found: Iterable[str | None]) -> None:
        """Fill an empty column by what was found, where all finds agree."""
        different = set(filter(None, found))
        if not self.cells.get(column) and len(different) == 1:
            self.cells[column] = different.pop()
            self.found.append(f"{column} {self.cells[column].removeprefix('https://')}")

    def _text(self, plan: ColumnPlan, cell: Cell) -> None:
        self.cells[plan.name] = _joined(cell, plan.separator)

    def _authors(self, plan: ColumnPlan, cell: Cell) -> None:
        self.cells[plan.name] = "; ".join(split_authors(cell, plan.comma_is_inside))
        if is_cut(cell):
            self._keep(plan.source, _joined(cell), "the list of authors is cut")
        elif are_uncertain(cell):
            problem = "it is not certain which names belong together"
            self._keep(plan.source, _joined(cell), problem)

    def _year(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell).rstrip("/")  # RIS ends dates so
        day = read_date(text)
        year = day[:4] or find_year(text)
        self.cells[plan.name] = year
        if len(day) > 4 and plan.role and self.cells.setdefault("first_public", day) == day:
            return
        if not year:
            self._keep(plan.source, text, "it names no year")
        elif year != text:
            self._keep(plan.source, text, f"only the year {year} was taken")

    def _date(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell)
        day = read_date(text)
        year = day or find_year(text)
        if not year:
            self._yearless.append((plan, text))
            return
        self.cells[plan.name] = year
        if not day:
            self._keep(plan.source, text, f"only the year {year} is certain")

    def _doi(self, plan: ColumnPlan, cell: Cell) -> None:
        # Of several DOIs the first is taken; one at a time, since a DOI may have a semicolon.
        for text in texts_of(cell):
            doi = find_doi(text)
            if doi is None:
                self._keep(plan.source, text, "it is not a DOI")
                continue
            # Case has no meaning in a DOI; the source's is kept.
            start = text.casefold().find(doi)
            found = text[start : start + len(doi)]
            if start < 0:  # written otherwise, such as with an escaped slash
                found = doi
            taken = self.cells.setdefault(plan.name, found)
            if taken.casefold() != doi:
                self._keep(plan.source, text, f"the DOI is {taken} already")
            elif re.search(r"\w", _AROUND_DOI.sub("", text.replace(found, ""))):
                self._keep(plan.source, text, "there is more than a DOI in it")

    def _arxiv(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell)
        found = {find_arxiv(text), *map(find_arxiv, re.split(r"[\s,;]+", text))} - {None}
        if not found:
            self._keep(plan.source, text, "it is not an arXiv identifier")
            return
        self.cells[plan.name] = find_arxiv(text) or str(min(filter(None, found)))
        if len(found) > 1:
            self._keep(plan.source, text, "there is more than one identifier in it")

    def _url(self, plan: ColumnPlan, cell: Cell) -> None:
        text = _joined(cell, " ")
        full: dict[str, None] = {}
        for address in _ADDRESS.findall(text):
            bare = address.rstrip(".,;)")
            if not bare.startswith("http"):
                bare = f"https://{bare}"
            full[bare] = None
        self.cells[plan.name] = ADDRESS_JOINT.join(full)
        if _ADDRESS.sub(" ", text).strip(" ;,|."):
            problem = "it is not an address"
            if full:
                problem = "there is more than addresses in it"
            self._keep(plan.source, text, problem)


_BY_TYPE = {
    "names": Placing._authors,
    "name": Placing._authors,
    "year": Placing._year,
    "date": Placing._date,
    "doi": Placing._doi,
    "arxiv": Placing._arxiv,
    "url": Placing._url,
}


def _terms(plan: ColumnPlan, cell: Cell) -> str:
    values = set(split_cell(cell, plan.kind.separator))
    found = [term.id for term in plan.terms if not values.isdisjoint(term.spellings)]
    return plan.separator.join(found)


def _joined(cell: Cell, separator: str = "") -> str:
    """Return a cell as one text; without a separator by one that none of its texts holds."""
    if isinstance(cell, str):
        return cell
    return (separator or joint(cell)).join(cell)
