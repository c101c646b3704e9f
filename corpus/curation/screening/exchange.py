"""Decisions to and from other programs: spreadsheets, Rayyan, ASReview."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import ImportedRecord, Records, texts_of
from corpus.curation.screening import screening_rules as rules
from corpus.curation.screening.decisions import (
    EXCLUDE,
    INCLUDE,
    MAYBE,
    CandidateScreening,
    Decision,
)
from corpus.model.finding import CorpusError, Finding
from corpus.model.identifiers import NormalTitle, normal_title
from corpus.printing.escape import csv_cell, without_apostrophe
from corpus.tables.writing.writer import csv_text

_ABOUT = ("key", "title", "authors", "year")
#: Program -> the columns of an export for it, behind those of every program.
_COLUMNS = {
    "spreadsheet": ("identifier", "abstract", "decision", "stage", "reason", "note"),
    "rayyan": ("journal", "url", "abstract", "notes"),
    "asreview": ("doi", "abstract", "included"),
}
#: Programs that decisions are exported for.
PROGRAMS = tuple(_COLUMNS)
_LABELS = {INCLUDE: "1", EXCLUDE: "0"}
#: Names of columns with decisions, the surest first.
_DECISION_COLUMNS = ("decision", "inclusion", "included", "label_included", "asreview_label")
# pandas writes 1.0 for 1 where other cells of the column are empty.
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("include", "included", "1", "1.0", "yes", "relevant"), INCLUDE),
    **dict.fromkeys(("exclude", "excluded", "0", "0.0", "no", "irrelevant"), EXCLUDE),
    **dict.fromkeys(("maybe", "undecided", "unsure"), MAYBE),
}
#: What programs write where nothing is decided yet.
_OPEN = ("", "-1", "nan", "none", "unlabeled")


def decisions_csv(screening: CandidateScreening, reader: str, program: str) -> str:
    """Write the candidates with one reader's decisions, and nobody else's.

    Parameters
    ----------
    screening : CandidateScreening
        Candidates and decisions.
    reader : str
        Whose decisions.
    program : str
        One of :data:`PROGRAMS`.
    """
    rows: list[Sequence[str]] = [(*_ABOUT, *_COLUMNS[program])]
    # Readers are blind to each other: a file for one has nothing of the others.
    for key, work in screening.candidates.items():
        decision = screening.decisions.get((key, reader), Decision(key, reader, ""))
        cells = {**work.by_role(), **decision._asdict(), "key": key}
        cells |= {"identifier": work.identifier, "url": work.address}
        cells |= {"journal": work.venue, "notes": decision.note}
        cells["included"] = _LABELS.get(decision.decision, "")
        rows.append([csv_cell(cells.get(name, "")) for name in rows[0]])
    return csv_text(rows)


def read_decisions(
    path: str,
    shown: str,
    screening: CandidateScreening,
    reader: str,
    day: str,
    replace: bool = False,
    force: bool = False,
) -> tuple[list[Decision], Account]:
    """Read the decisions of one reader from a file of another program, with its account.

    A row is about the candidate whose key or title it has. Rows without a decision are passed over.

    Parameters
    ----------
    path, shown : str
        The file, and its name in findings.
    screening : CandidateScreening
        Candidates, and what is decided already.
    reader, day : str
        Who decided, and the day that is written where the file has none.
    replace : bool
        Whether the file may change earlier decisions of this reader.
    force : bool
        Whether to go on where the account of the file does not close.

    Raises
    ------
    CorpusError
        S201 to S206, with the line; I120 where the account does not close.
    """
    records = read_foreign(path, shown)
    column = _decision_column(records)
    if column is None:
        names = ", ".join(records.columns)
        raise CorpusError([rules.NO_DECISIONS.at(shown, 1, columns=names)])
    by_title = _keys_by_title(screening)
    found: dict[str, Decision] = {}
    decided: set[int] = set()
    findings: list[Finding] = []
    for record in records.rows:
        word = _cell(record, column.strip().casefold()).strip()
        if word.casefold() in _OPEN:
            continue
        decided.add(record.place)
        key = _candidate(record, screening, by_title)
        decision = Decision(
            key,
            reader,
            _WORDS.get(word.casefold(), ""),
            _cell(record, "stage"),
            _cell(record, "reason", "exclusion reasons"),
            _cell(record, "note", "user notes"),
            day,
        )
        problems = list(
            _problems(decision, record, word, column, shown, screening, by_title, replace)
        )
        if key in found and found[key].decision != decision.decision:
            problems.append(rules.TWICE.at(shown, record.place, column, key))
        findings += problems
        if not problems:
            found[key] = decision
    # All or nothing: after half an import the rest would look as if nobody had decided.
    if findings:
        raise CorpusError(sorted(findings))
    account = list_account(records, decided, "not decided", records.columns, shown, force)
    return list(found.values()), account


def _decision_column(records: Records) -> str | None:
    names = {name.strip().casefold(): name for name in records.columns}
    for wanted in _DECISION_COLUMNS:
        if wanted in names:
            return names[wanted]
    return None


def _cell(record: ImportedRecord, *names: str) -> str:
    texts: list[str] = []
    for column, cell in record.cells.items():
        if column.strip().casefold() in names:
            texts += filter(None, texts_of(cell))
    return without_apostrophe(" ; ".join(texts))


def _keys_by_title(screening: CandidateScreening) -> dict[NormalTitle, list[str]]:
    found: dict[NormalTitle, list[str]] = {}
    for key, work in screening.candidates.items():
        if work.normal:
            found.setdefault(work.normal, []).append(key)
    return found


def _candidate(
    record: ImportedRecord,
    screening: CandidateScreening,
    by_title: Mapping[NormalTitle, Sequence[str]],
) -> str:
    """Return the key of the candidate that a row is about; empty where that is not certain."""
    for name in ("key", "candidate", "id"):
        key = _cell(record, name)
        if key in screening.candidates:
            return key
    titled = by_title.get(normal_title(_cell(record, "title")), ())
    if len(titled) == 1:
        return titled[0]
    return ""


def _problems(
    decision: Decision,
    record: ImportedRecord,
    word: str,
    column: str,
    shown: str,
    screening: CandidateScreening,
    by_title: Mapping[NormalTitle, Sequence[str]],
    replace: bool,
) -> Iterator[Finding]:
    if not decision.decision:
        yield rules.UNKNOWN_DECISION.at(shown, record.place, column, word)
    if not decision.candidate:
        named = _cell(record, "key", "candidate") or _cell(record, "title")
        yield rules.UNKNOWN_CANDIDATE.at(shown, record.place, "key", named)
        return
    titled = by_title.get(normal_title(_cell(record, "title")), ())
    # A title that is nobody's may have been corrected; that of another candidate is a mixed row.
    if titled and decision.candidate not in titled:
        yield rules.MIXED_ROW.at(shown, record.place, "key", decision.candidate, other=titled[0])
        return
    before = screening.decisions.get((decision.candidate, decision.reader))
    if before is not None and before.decision != decision.decision and not replace:
        yield rules.OTHER_DECISION.at(
            shown,
            record.place,
            column,
            decision.candidate,
            reader=decision.reader,
            before=before.decision,
            after=decision.decision,
        )
