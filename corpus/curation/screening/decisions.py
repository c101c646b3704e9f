"""What readers decided about candidates: one row per candidate and reader, on disk at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from corpus.analysis.agreement.agreement import RESOLUTION
from corpus.curation.check.cell_findings import findings_by_cell
from corpus.curation.check.staged import new_findings
from corpus.curation.retrieval.candidates import CANDIDATES, table_of_role
from corpus.model.codebook import TableSpec
from corpus.model.finding import RefusedChange, UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.escape import is_formula
from corpus.tables.documents import read_codebook
from corpus.tables.location import file_of, shown_path
from corpus.tables.reader import read_table
from corpus.tables.sheet import sheet_of
from corpus.tables.writing.lock import locked, save_rows

ROLE = "screening"
INCLUDE, EXCLUDE, MAYBE = "include", "exclude", "maybe"
#: What is decided where readers differ.
CONFLICT = "conflict"
DECISIONS = (INCLUDE, EXCLUDE, MAYBE)
#: The reader whose decision settles a conflict; nobody can screen under this name.
RESOLVED = RESOLUTION


class Decision(NamedTuple):
    """What one reader decided about one candidate.

    Attributes
    ----------
    candidate, reader : str
        Key of the candidate, name of the reader.
    decision : str
        One of :data:`DECISIONS`.
    stage, reason : str
        Of an exclusion: where in the protocol, and by which of its rules.
    note : str
        Anything.
    date : str
        Day, as YYYY-MM-DD.
    """

    candidate: str
    reader: str
    decision: str
    stage: str = ""
    reason: str = ""
    note: str = ""
    date: str = ""


class ScreenedWork(NamedTuple):
    """One candidate, by the roles of its columns."""

    key: str
    title: str
    authors: str
    year: str
    venue: str
    identifier: str
    found_in: str
    abstract: str
    url: str


class CandidateScreening(NamedTuple):
    """The candidates of a corpus, and everything decided about them.

    Attributes
    ----------
    candidates : mapping of str to ScreenedWork
        By key, in the order of the file.
    decisions : mapping of (str, str) to Decision
        By candidate and reader.
    """

    candidates: Mapping[str, ScreenedWork]
    decisions: Mapping[tuple[str, str], Decision]

    @property
    def readers(self) -> tuple[str, ...]:
        """Everybody who decided, sorted; without the one who resolves."""
        names = {decision.reader for decision in self.decisions.values()}
        return tuple(sorted(names - {RESOLVED}))

    def about(self, candidate: str) -> list[Decision]:
        """Return the readers' decisions about a candidate, by reader."""
        found = [self.decisions.get((candidate, reader)) for reader in self.readers]
        return [decision for decision in found if decision is not None]

    def waiting(self, reader: str) -> list[ScreenedWork]:
        """Return what a reader has not decided yet; others' decisions have no influence."""
        waiting = []
        for key, work in self.candidates.items():
            if (key, reader) not in self.decisions:
                waiting.append(work)
        return waiting

    def outcome(self, candidate: str) -> str:
        """Return what is decided: a decision, ``conflict``, or empty while it is open.

        A resolution counts before everything else; readers who all decide the same agree; one
        reader alone decides. Any "maybe" leaves a candidate open for a resolution, also the "maybe"
        of an earlier resolution.
        """
        resolved = self.decisions.get((candidate, RESOLVED))
        if resolved is not None:
            given = {resolved.decision}
        else:
            given = {decision.decision for decision in self.about(candidate)}
        if not given:
            return ""
        # One "maybe" needs another decision as well.
        if len(given) > 1 or MAYBE in given:
            return CONFLICT
        return given.pop()

    @property
    def conflicts(self) -> list[ScreenedWork]:
        """The candidates about which readers differ, or are not certain."""
        return [work for key, work in self.candidates.items() if self.outcome(key) == CONFLICT]


def read_screening(study: Study) -> CandidateScreening:
    """Return candidates and decisions of a corpus.

    Raises
    ------
    UsageProblem
        Where the codebook declares no table of candidates or of decisions.
    """
    table = table_of_role(study, CANDIDATES)
    works: dict[str, ScreenedWork] = {}
    for key, row in zip(table.spec.names_of(table.rows), table.rows, strict=True):
        works[key] = _work(table.spec, key, row)
    decisions: dict[tuple[str, str], Decision] = {}
    for decision in decisions_of(screening_table(study)):
        decisions[decision.candidate, decision.reader] = decision
    return CandidateScreening(works, decisions)


def screening_table(study: Study) -> Table:
    """Return the table of decisions.

    Raises
    ------
    UsageProblem
        Where the codebook declares none.
    """
    for table in study.by_role(ROLE):
        return table
    raise UsageProblem(
        f"the codebook declares no table with the role {ROLE!r}; `corpus init --living .` in the "
        "folder of the corpus adds it"
    )


def _work(spec: TableSpec, key: str, row: Row) -> ScreenedWork:
    cells: dict[str, str] = {}
    for column, cell in zip(spec.columns, row, strict=True):
        # Columns of the survey's own have no role; what is under "" is never asked for.
        cells.setdefault(column.role, cell)
    identifier = cells.get("arxiv", "")
    if identifier:
        identifier = f"arXiv:{identifier}"
    return ScreenedWork(
        key,
        cells.get("title", ""),
        cells.get("authors", ""),
        cells.get("year", ""),
        cells.get("venue", ""),
        identifier or cells.get("doi", "") or cells.get("url", ""),
        cells.get("found_in", ""),
        cells.get("abstract", ""),
        _address(cells),
    )


def _address(cells: Mapping[str, str]) -> str:
    """Return where a work is: its address, or the one that its identifier has."""
    if cells.get("url"):
        return cells["url"]
    if cells.get("arxiv"):
        return f"https://arxiv.org/abs/{cells['arxiv']}"
    if cells.get("doi"):
        return f"https://doi.org/{cells['doi']}"
    return ""


def decisions_of(table: Table) -> list[Decision]:
    """Return the rows of a table of decisions."""
    spec = table.spec
    positions: dict[str, int] = {}
    for name in Decision._fields:
        column = spec.by_role(name)
        if column is not None:
            positions[name] = spec.position(column.name)
    found: list[Decision] = []
    for row in table.rows:
        cells = {name: row[position] for name, position in positions.items()}
        found.append(Decision(**cells))
    return found


def decision_row(decision: Decision, spec: TableSpec, earlier: Row | None = None) -> Row:
    """Return a decision as a row of its table.

    Columns that are not of a decision keep what the earlier row of it has.
    """
    cells = decision._asdict()
    if earlier is None:
        earlier = ("",) * len(spec.columns)
    row = []
    for column, cell in zip(spec.columns, earlier, strict=True):
        row.append(cells.get(column.role, cell))
    return tuple(row)


def decide(data: str, decisions: Iterable[Decision]) -> None:
    """Write decisions, each in place of an earlier one of the same reader about the same work.

    Only the table of decisions is read, checked and written, so that a key is answered at once.

    Raises
    ------
    RefusedChange
        Where a cell would be an error; nothing is written then.
    UsageProblem
        Where another process holds the folder.
    """
    book = read_codebook(data)
    with locked(data, book):
        study = _decisions_alone(data)
        table = screening_table(study)
        after = table.with_rows(decided_rows(table, decisions))
        known, found = (findings_by_cell(sheet_of(t), book, date.today()) for t in (table, after))
        errors = [finding for finding in new_findings(found, known) if finding.is_error]
        if errors:
            raise RefusedChange(errors)
        save_rows(study, {table.spec.name: after.rows})


def decided_rows(table: Table, decisions: Iterable[Decision]) -> list[Row]:
    """Return the rows of a table with decisions, each in the place of an earlier one like it."""
    # A decision that changes stays on its line, so that git shows one changed line.
    rows: dict[tuple[str, str], Row] = {}
    for decision, row in zip(decisions_of(table), table.rows, strict=True):
        rows[decision.candidate, decision.reader] = row
    for decision in decisions:
        name = (decision.candidate, decision.reader)
        rows[name] = decision_row(decision, table.spec, rows.get(name))
    return list(rows.values())


def undecide(data: str, candidate: str, reader: str) -> None:
    """Remove what a reader decided about a candidate; nothing where nothing was decided."""
    book = read_codebook(data)
    with locked(data, book):
        study = _decisions_alone(data)
        table = screening_table(study)
        kept: list[Row] = []
        for decision, row in zip(decisions_of(table), table.rows, strict=True):
            if (decision.candidate, decision.reader) != (candidate, reader):
                kept.append(row)
        save_rows(study, {table.spec.name: kept})


def _decisions_alone(data: str) -> Study:
    # All tables of a large corpus take longer than a person waits after a key.
    book = read_codebook(data)
    tables: dict[str, Table] = {}
    for spec in book.by_role(ROLE):
        path = file_of(data, spec.file)
        tables[spec.name] = read_table(path, spec, shown_path(path))
    return Study(book, tables, data)


def checked_reader(name: str) -> str:
    """Return the name of a reader.

    Raises
    ------
    UsageProblem
        For an empty name, one that a table would not hold, or the one that resolves conflicts.
    """
    name = " ".join(name.split())
    # The name becomes a cell, which a spreadsheet must not compute.
    if not name or not name.isprintable() or len(name) > 80 or is_formula(name):
        raise UsageProblem("--reader takes a name of 1 to 80 printable characters")
    if name == RESOLVED:
        raise UsageProblem(f"{RESOLVED!r} is the reader that --resolve writes; choose another name")
    return name
