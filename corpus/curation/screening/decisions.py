"""What readers decided about candidates: written at once, counted, carried out.

A decision is a row for each candidate and reader. What readers agree to exclude moves from the
candidates into the log.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from corpus.analysis.agreement.agreement import RESOLUTION
from corpus.analysis.counting.identification import identification
from corpus.curation.edit.proposal import new_row
from corpus.curation.edit.row_edits import exclusion_log, new_record, numbers_records
from corpus.curation.importing.names import filled
from corpus.curation.retrieval.candidates import CANDIDATES
from corpus.model.finding import RefusedChange, UsageProblem, new_findings
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.model.work import Work
from corpus.printing.escape import is_formula, quoted_formula
from corpus.tables.columns import loop_findings
from corpus.tables.documents import read_codebook
from corpus.tables.location import file_of, shown_path
from corpus.tables.reader import read_table
from corpus.tables.sheet import sheet_of
from corpus.tables.writing.lock import changed_files, locked, save

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


@dataclass(frozen=True)
class CandidateScreening:
    """The candidates of a corpus, and everything decided about them.

    Attributes
    ----------
    candidates : mapping of str to Work
        By key, in the order of the file; its source tells where it was found.
    decisions : mapping of (str, str) to Decision
        By candidate and reader.
    """

    candidates: Mapping[str, Work]
    decisions: Mapping[tuple[str, str], Decision]

    @cached_property  # asked for with every candidate
    def readers(self) -> tuple[str, ...]:
        """Everybody who decided, sorted; without the one who resolves."""
        return tuple(sorted({reader for _, reader in self.decisions} - {RESOLVED}))

    def about(self, candidate: str) -> list[Decision]:
        """Return the readers' decisions about a candidate, by reader."""
        found = (self.decisions.get((candidate, reader)) for reader in self.readers)
        return list(filter(None, found))

    def deciding(self, candidate: str) -> list[Decision]:
        """Return the decisions that count: a resolution, else those of all readers."""
        resolved = self.decisions.get((candidate, RESOLVED))
        if resolved:
            return [resolved]
        return self.about(candidate)

    def waiting(self, reader: str) -> list[str]:
        """Return the keys that a reader has not decided yet; others' decisions do not matter."""
        return [key for key in self.candidates if (key, reader) not in self.decisions]

    def outcome(self, candidate: str) -> str:
        """Return what is decided: a decision, ``conflict``, or empty while it is open.

        A resolution counts before everything else; readers who all decide the same agree; one
        reader alone decides. Any "maybe" leaves a candidate open for a resolution, also the "maybe"
        of an earlier resolution.
        """
        given = {decision.decision for decision in self.deciding(candidate)}
        if not given:
            return ""
        # One "maybe" needs another decision as well.
        if len(given) > 1 or MAYBE in given:
            return CONFLICT
        return given.pop()

    def with_outcome(self, outcome: str) -> list[str]:
        """Return the keys of candidates with this outcome; see :meth:`outcome`."""
        return [key for key in self.candidates if self.outcome(key) == outcome]


def read_screening(study: Study) -> CandidateScreening:
    """Return candidates and decisions of a corpus.

    Raises
    ------
    UsageProblem
        Where the codebook declares no table of candidates or of decisions.
    """
    table = study.table_of(CANDIDATES)
    works: dict[str, Work] = {}
    for key, cells in zip(table.names(), table.by_role_cells(), strict=True):
        works[key] = Work.of(cells, cells.get("found_in", ""))
    decisions: dict[tuple[str, str], Decision] = {}
    for decision in decisions_of(study.table_of(ROLE)):
        decisions[decision.candidate, decision.reader] = decision
    return CandidateScreening(works, decisions)


def decisions_of(table: Table) -> list[Decision]:
    """Return the rows of a table of decisions."""
    found = []
    for cells in table.by_role_cells():
        found.append(Decision(*(cells.get(name, "") for name in Decision._fields)))
    return found


def decide(data: str, decisions: Iterable[Decision]) -> None:
    """Write decisions, each in place of an earlier one of the same reader about the same work.

    One without a decision takes the earlier one back. Only the table of decisions is read, checked
    and written, so that a key is answered at once.

    Raises
    ------
    RefusedChange
        Where a cell would be an error; nothing is written then.
    UsageProblem
        Where another process holds the folder.
    """
    with locked(data, read_codebook(data)):
        book = read_codebook(data)
        # All tables of a large corpus take longer than a person waits after a key.
        tables: dict[str, Table] = {}
        for spec in book.by_role(ROLE):
            path = file_of(data, spec.file)
            tables[spec.name] = read_table(path, spec, shown_path(path))
        study = Study(book, tables, data)
        table = study.table_of(ROLE)
        after = table.with_rows(decided_rows(table, decisions))
        today = date.today()
        known = loop_findings(sheet_of(table), book, today)
        found = loop_findings(sheet_of(after), book, today)
        errors = [finding for finding in new_findings(found, known) if finding.is_error]
        if errors:
            raise RefusedChange(errors)
        save(data, changed_files(study, study.with_tables({table.spec.name: after})))


def decided_rows(table: Table, decisions: Iterable[Decision]) -> list[Row]:
    """Return the rows of a table with decisions, each in the place of an earlier one like it.

    One without a decision only takes that place away.
    """
    # A decision that changes stays on its line, so that git shows one changed line.
    rows: dict[tuple[str, str], Row] = {}
    for decision, row in zip(decisions_of(table), table.rows, strict=True):
        rows[decision.candidate, decision.reader] = row
    for decision in decisions:
        name = (decision.candidate, decision.reader)
        # Columns that are not of a decision keep what the earlier row of it has.
        row = table.spec.row(decision._asdict(), rows.get(name, ()))
        if decision.decision:
            rows[name] = row
        else:
            rows.pop(name, None)
    return list(rows.values())


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


def screening_flow(study: Study) -> dict[str, int]:
    """Return the numbers of records and works by their box of the flow; indented boxes are a sum.

    Raises
    ------
    UsageProblem
        Where the codebook declares no candidates or no decisions.
    """
    screening = read_screening(study)
    outcomes = Counter(map(screening.outcome, screening.candidates))
    found = identification(study)
    return {
        **{f"{box}: {meaning}": number for box, meaning, number in found.boxes()},
        "  undecided": outcomes[""],
        "  readers differ, or maybe": outcomes[CONFLICT],
        "  to include": outcomes[INCLUDE],
        "  to exclude": outcomes[EXCLUDE],
        "Excluded, in the log": study.number_of_rows("exclusions"),
        "Retained, in the pool": len(study.pool.rows),
    }


def with_agreed(study: Study, given: Mapping[str, str]) -> Study:
    """Return the corpus in which all agreed exclusions are in the log, and no candidates.

    Works to include stay candidates until `corpus add` makes them entries.

    Parameters
    ----------
    study : Study
        The corpus.
    given : mapping of str to str
        Column of the log -> cell, for what candidates and decisions do not have.
    """
    screening = read_screening(study)
    log = study.tables[exclusion_log(study.codebook).name]
    candidates = study.table_of(CANDIDATES)
    rows = list(log.rows)
    numbered = numbers_records(study.root)
    kept = []
    for key, row in candidates.named_rows():
        if screening.outcome(key) != EXCLUDE:
            kept.append(row)
            continue
        work = screening.candidates[key]
        # Readers who agree may give different reasons; the log takes one.
        cells = _log_cells(key, work, screening.deciding(key)[0], study)
        new = dict(zip(log.spec.header, log.spec.row(cells), strict=True))
        new |= {name: cell for name, cell in given.items() if cell}
        new[log.spec.key[0]] = new_record(log.with_rows(rows), new, numbered)
        rows.append(new_row(log.spec, new))
    return study.with_rows({log.spec.name: rows, candidates.spec.name: kept})


def _log_cells(key: str, work: Work, decision: Decision, study: Study) -> dict[str, str]:
    """Return the cells of an exclusion by role."""
    searches = filled(work.source.split(";"))
    notes = ""
    if searches:
        notes = f"found by {'; '.join(searches)}"
    runs = chain.from_iterable(table.by_role_cells() for table in study.by_role("search_log"))
    # Behind the name of a citation search are the entries that led to the work.
    names = {place.partition(": ")[0] for place in searches}
    sources = [run["source"] for run in runs if run.get("search") in names and "source" in run]
    return {
        # As the search log names it, in its first row that is one of these searches; or the list.
        "source": next(iter([*sources, *searches]), ""),
        "title": quoted_formula(work.title),
        # A log may ask for an identifier that a work does not have; its key names it then.
        "identifier": work.identifier or key,
        "url": work.address,
        "stage": decision.stage,
        "reason": decision.note or decision.reason,
        "reasons": decision.reason,
        "date": decision.date or date.today().isoformat(),
        "notes": notes,
    }
