"""A new entry: what is known of its cells, the works that it may be, the rows it becomes."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from corpus.curation.check.works.duplicates import (
    EXCLUDED_WORK,
    SAME_IDENTIFIER,
    SAME_TITLE,
    DescribedWork,
    all_works,
    matches_with,
)
from corpus.curation.edit.proposal import (
    CHANGES,
    PROMOTIONS,
    assign,
    entry_column,
    entry_tables,
    new_key,
    new_row,
    new_tables,
    propose,
    set_key,
)
from corpus.curation.edit.row_edits import added, identifier
from corpus.curation.lookup.answers import split_authors
from corpus.curation.lookup.services import (
    ANTHOLOGY,
    ARXIV,
    CROSSREF,
    OPENREVIEW,
    RESOLVER,
    by_hand,
)
from corpus.curation.retrieval.candidates import CANDIDATES
from corpus.model.codebook import OPEN_TYPES, TODO
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.model.work import Work
from corpus.tables.location import shown_path
from corpus.tables.sheet import sheet_of

#: Who states what a record stores; a form or a file of somebody is not a source.
_SOURCES = {each.name for each in (ARXIV, ANTHOLOGY, CROSSREF, RESOLVER, OPENREVIEW)}
PROMOTE = "add --promote to move the record from the exclusion log into the pool"


class NewEntry:
    """One new entry: its cells, which of them somebody gave, the records it was excluded as.

    Parameters
    ----------
    candidate : Work
        What is known about the work.
    study : Study
        The corpus.
    assignments : iterable of str
        ``column=value`` for cells that somebody gives.
    record : str
        The excluded record by which the work was named, if it was.
    """

    def __init__(
        self, candidate: Work, study: Study, assignments: Iterable[str] = (), record: str = ""
    ) -> None:
        self.study = study
        self.candidate = candidate
        self.book = study.codebook
        self.pool = self.book.pool
        self.cells = propose(candidate, study)
        # Judgements about the entry may be given as well; nobody is asked for them.
        for spec in entry_tables(self.book):
            self.cells.setdefault(spec.name, {})
        self.given = assign(self.cells, assignments, self.book)
        self.promoted = list(filter(None, [record]))

    @property
    def key(self) -> str:
        """The key of the new entry, as it is now."""
        return self.cells[self.pool.name].get(self.pool.key[0], "")

    @property
    def is_key_given(self) -> bool:
        """Whether somebody gave the key."""
        return (self.pool.name, self.pool.key[0]) in self.given

    @property
    def open_promotion(self) -> str:
        """The place of the cell that nobody has named: such a work stays a candidate."""
        for spec in self.book.by_role(PROMOTIONS):
            column = spec.by_role(CHANGES)
            if column is not None and not self.cells[spec.name].get(column.name):
                return f"{spec.name}.{column.name}"
        return ""

    @property
    def work(self) -> Work:
        """The candidate as the cells describe it by now."""
        known: dict[str, str] = {}
        for name, row in self.cells.items():
            spec = self.book.tables[name]
            for role, cell in spec.by_role_cells(new_row(spec, row)).items():
                if cell:
                    known.setdefault(role, cell)
        new, was = Work.of(known), self.candidate
        arxiv = new.arxiv or was.arxiv
        told = by_hand(arxiv)
        return was._replace(
            title=new.title or was.title,
            authors=new.authors,
            year=new.year or was.year,
            arxiv=arxiv,
            doi=new.doi or was.doi or told.doi,
            url=new.url or was.url or told.url,
        )

    def is_open(self, table: str, column: str) -> bool:
        """Whether a cell is empty and nobody gave it, not even as empty."""
        return not self.cells[table].get(column) and (table, column) not in self.given

    def complete(self) -> None:
        """Fill what follows from other cells, such as address and year from the identifier."""
        for table, cells in propose(self.work, self.study).items():
            for name, cell in cells.items():
                if self.is_open(table, name):
                    self.cells[table][name] = cell

    def leave_open(self) -> None:
        """Mark what nobody knows yet as still to be filled: `corpus check` lists it."""
        self.complete()
        for spec in (*new_tables(self.book), *self.book.by_role(PROMOTIONS)):
            for column in spec.columns:
                # A tag that nobody gave is not known, also where a cell may be empty.
                is_wanted = column.required or (spec is self.pool and column.type == "term")
                if is_wanted and self.is_open(spec.name, column.name):
                    if column.type in OPEN_TYPES:
                        self.cells[spec.name][column.name] = TODO
                    elif column.role == "date":
                        self.cells[spec.name][column.name] = self.work.year

    def columns(self) -> list[tuple[str, str]]:
        """Return table and column of every cell of the pool and its bibliography, the key first."""
        found = [(self.pool.name, name) for name in self.pool.header]
        for spec in new_tables(self.book)[1:]:
            own = entry_column(spec, self.book)
            found += [(spec.name, name) for name in spec.header if name != own]
        return found

    def same_works(self) -> Iterator[tuple[DescribedWork, str]]:
        """Yield the works of pool and log that it may be, the surest first, but those promoted."""
        sheets = {name: sheet_of(table) for name, table in self.study.tables.items()}
        works = all_works(sheets, self.book)
        for work, kind in matches_with(works, self.work):
            if not work.is_excluded or work.sheet.key(work.position) not in self.promoted:
                yield work, kind

    def duplicate(self, work: DescribedWork, kind: str) -> CorpusError:
        """Return the error for a work that the corpus has already."""
        rule = SAME_TITLE
        if kind == "identifier":
            rule = SAME_IDENTIFIER
        if work.is_excluded:
            rule = EXCLUDED_WORK
        place = (shown_path(self.pool.file), 0, "", self.work.title)
        finding = rule.at(*place, advice=f"the {kind} of the new entry", other=work.name)
        if work.is_excluded:
            finding = finding._replace(hint=PROMOTE)
        return CorpusError([finding])

    def added_to(self, study: Study, chosen: bool = False) -> Study:
        """Return the corpus, as it is by now, with the entry.

        A key that is taken meanwhile is replaced, unless somebody has `chosen` or given it.
        """
        if self.key in study.entries and not (chosen or self.is_key_given):
            set_key(self.cells, new_key(self.work, study), self.book)
        after = added(study, self.cells, self.promoted)
        return with_source_record(after, self.candidate, self.key, date.today().isoformat())


def candidates_added(
    study: Study, keys: Sequence[str], assignments: Sequence[str]
) -> tuple[list[str], Study]:
    """Make entries of candidates, from what the corpus has about them; what is missing stays open.

    Returns
    -------
    keys : list of str
        Of the new entries.
    after : Study
        The corpus with them.

    Raises
    ------
    CorpusError
        With every candidate that pool or exclusion log have already.
    """
    table = study.table_of(CANDIDATES)
    rows = dict(zip(table.names(), table.placed(), strict=True))
    now = study
    added_keys = []
    refused = []
    for key in keys:
        placed = rows[key]
        # The date of the row is the day on which it was found.
        cells = placed.by_role
        known = Work.of({**cells, "date": ""}, cells.get("found_in", ""))
        # What its identifier tells, unless the row tells it.
        stated = {name: value for name, value in known._asdict().items() if value}
        stated["authors"] = split_authors(known.authors)
        entry = NewEntry(by_hand(known.identifier)._replace(**stated), study, assignments)
        tags = placed.cells
        for column in entry.pool.term_columns:
            if entry.is_open(entry.pool.name, column.name):
                entry.cells[entry.pool.name][column.name] = tags.get(column.name, "")
        for work, kind in entry.same_works():
            if kind != "near":
                refused += entry.duplicate(work, kind).findings
        entry.leave_open()
        now = entry.added_to(now)
        left = [row for row in now.tables[table.spec.name].rows if row != placed.row]
        now = now.with_rows({table.spec.name: left})
        added_keys.append(entry.key)
    if refused:
        raise CorpusError(refused)
    return added_keys, now


def with_source_record(study: Study, candidate: Work, key: str, today: str) -> Study:
    """Return the corpus with what a service stated about a new entry, before anybody changed it.

    It is as it was where it has no table of source records, or where no service described the work.
    """
    named = identifier(candidate)
    if candidate.source not in _SOURCES or not named:
        return study
    cells = {
        **candidate.by_role(),
        "key": key,
        "identifier": named,
        "first_version": candidate.first_public,
        "status": "available",
        "evidence": candidate.source,
        "read_on": today,
    }
    for table in study.by_role("source_records"):
        if table.spec.reference_to(study.pool.spec) is not None:
            study = study.with_more(table.spec.name, table.spec.row(cells))
    return study


def excluded_record(study: Study, name: str) -> LocatedRow | None:
    """Return the record of an exclusion log with a name, or None."""
    for table in study.by_role("exclusions"):
        for placed in table.placed():
            if placed.key == name:
                return placed
    return None
