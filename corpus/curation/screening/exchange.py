"""Decisions to and from other programs: spreadsheets, Rayyan, ASReview."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from corpus.analysis.bibliography.identity import DIFFERENT, SAME, compare, compared_title
from corpus.curation.importing.column_plan import column_roles, work_of
from corpus.curation.importing.import_summary import ImportSummary, list_summary
from corpus.curation.importing.names import listed
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import ImportedRecord, texts_of
from corpus.curation.screening.decisions import (
    EXCLUDE,
    INCLUDE,
    MAYBE,
    CandidateScreening,
    Decision,
)
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.printing.escape import csv_cell
from corpus.tables.writing.writer import csv_text

UNKNOWN_DECISION = Rule(
    "S201",
    "{value!r} is not a decision that is known here",
    "write include, exclude or maybe, or leave the cell empty",
    title="Not a decision",
    reason="A guessed decision would put a record on the wrong side of the review.",
)
UNKNOWN_CANDIDATE = Rule(
    "S202",
    "no candidate of this corpus is {value!r}",
    "import the decisions into the corpus that they were exported from",
    title="Record that is not a candidate",
    reason="The decisions are about another corpus, or about works that left the candidates.",
)
OTHER_DECISION = Rule(
    "S203",
    "{reader} decided {before} about {value!r} before, and {after} in this file",
    "choose another --reader if it is another person, or add --replace",
    title="Reader decided otherwise already",
    reason="Two people under one name would overwrite each other.",
)
NO_DECISIONS = Rule(
    "S204",
    "none of the columns has decisions: {columns}",
    "name the column 'decision'",
    title="No column with decisions",
    reason="What a column means must be certain.",
)
TWICE = Rule(
    "S205",
    "{value!r} has two rows with different decisions",
    "keep one of them",
    title="Two decisions about one candidate",
    reason="The reader has to tell which counts.",
)
MIXED_ROW = Rule(
    "S206",
    "the key is that of {value!r}, the title that of {other!r}",
    "put the row together again from the file that was exported",
    title="Key and title of two candidates",
    reason="A column that was sorted alone gives every decision to another work.",
)
OTHER_READERS = Rule(
    "S207",
    "the file has no decision of {value!r}; it has those of {known}",
    "name one of them with --reader",
    title="Decisions of somebody else",
    reason="Taken under another name, agreement would compare a reader with oneself.",
)


_ABOUT = listed("key, title, authors, year")
#: Program -> the columns of an export for it, behind those of every program.
_COLUMNS = {
    "spreadsheet": listed("identifier, abstract, decision, stage, reason, note"),
    "rayyan": listed("journal, url, abstract, notes"),
    "asreview": listed("doi, abstract, included"),
}
#: Programs that decisions are exported for.
PROGRAMS = tuple(_COLUMNS)
_LABELS = {INCLUDE: "1", EXCLUDE: "0"}
#: Names of columns with decisions, the surest first.
_DECISION_COLUMNS = listed("decision, inclusion, included, label_included, asreview_label")
# pandas writes 1.0 for 1 where other cells of the column are empty.
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(listed("include, included, 1, 1.0, yes, relevant"), INCLUDE),
    **dict.fromkeys(listed("exclude, excluded, 0, 0.0, no, irrelevant"), EXCLUDE),
    **dict.fromkeys(listed("maybe, undecided, unsure"), MAYBE),
}
#: Names of columns that tell who decided.
_READER_COLUMNS = listed("reader, reviewer, screener, decided by, user")
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
        cells = {
            **work.by_role(),
            **decision._asdict(),
            "key": key,
            "identifier": work.identifier,
            "url": work.address,
            "journal": work.venue,
            "notes": decision.note,
            "included": _LABELS.get(decision.decision, ""),
        }
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
) -> tuple[list[Decision], ImportSummary]:
    """Read the decisions of one reader from a file of another program, with its import summary.

    A row is about the candidate whose key it has, or the only one that is the same work. Rows
    without a decision are passed over.

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
        Whether to go on where the summary of the file does not add up.

    Raises
    ------
    CorpusError
        S201 to S207, with the line; I120 where the summary does not add up.
    """
    records = read_foreign(path, shown)
    names = {name.strip().casefold(): name for name in records.columns}
    column = next(filter(names.get, _DECISION_COLUMNS), "")
    if not column:
        raise NO_DECISIONS.error(shown, 1, columns=", ".join(records.columns))
    # Who else decided is named in the cells of Rayyan, and in a column of some spreadsheets.
    reader_column = next(filter(names.get, _READER_COLUMNS), "")
    readers = set(chain.from_iterable(records.decisions.values()))
    if reader_column:
        readers.update(_folded(record)[reader_column].strip() for record in records.rows)
    called = {name.casefold(): name for name in readers - {""}}
    if called and reader.casefold() not in called:
        known = ", ".join(sorted(called.values()))
        raise OTHER_READERS.error(shown, 1, names[column], reader, known=known)
    roles = column_roles(records)
    by_mark: dict[str, list[str]] = {}
    for key, work in screening.candidates.items():
        for mark in (*work.identities, compared_title(work)):
            by_mark.setdefault(mark, []).append(key)
    found: dict[str, Decision] = {}
    decided = set()
    findings: list[Finding] = []
    for record in records.rows:
        cells = _folded(record)
        word = cells[column].strip()
        if records.decisions:
            word = records.decisions.get(record.place, {}).get(called[reader.casefold()], "")
        if reader_column and cells[reader_column].strip().casefold() != reader.casefold():
            word = ""
        if word.casefold() in _OPEN:
            continue
        decided.add(record.place)
        work = work_of(record.cells, roles)
        verdicts: dict[str, str] = {}
        for mark in (*work.identities, compared_title(work)):
            for key in by_mark.get(mark, ()):
                verdicts[key] = compare(work, screening.candidates[key]).verdict
        alike = [key for key, verdict in verdicts.items() if verdict != DIFFERENT]
        same = [key for key in alike if verdicts[key] == SAME]
        # The candidate that the row is about; empty where that is not certain.
        key = same[0] if len(same) == 1 else ""
        for name in ("id", "candidate", "key"):
            if cells[name] in screening.candidates:
                key = cells[name]
        decision = Decision(
            key,
            reader,
            _WORDS.get(word.casefold(), ""),
            cells["stage"],
            cells["reason"] or cells["exclusion reasons"],
            cells["note"] or cells["user notes"],
            day,
        )
        before = screening.decisions.get((key, reader), decision).decision
        at, number = (shown, record.place, names[column]), len(findings)
        if not decision.decision:
            findings.append(UNKNOWN_DECISION.at(*at, word))
        if not key:
            named = cells["key"] or cells["candidate"] or cells["title"]
            findings.append(UNKNOWN_CANDIDATE.at(*at[:2], "key", named))
        elif alike and key not in alike:
            # A title that is nobody's may have been corrected; that of another one is a mixed row.
            findings.append(MIXED_ROW.at(*at[:2], "key", key, other=alike[0]))
        elif before != decision.decision and not replace:
            after = decision.decision
            findings.append(OTHER_DECISION.at(*at, key, reader=reader, before=before, after=after))
        if found.get(key, decision).decision != decision.decision:
            findings.append(TWICE.at(*at, key))
        if len(findings) == number:
            found[key] = decision
    # All or nothing: after half an import the rest would look as if nobody had decided.
    if findings:
        raise CorpusError(findings)
    summary = list_summary(records, decided, "not decided", records.columns, force)
    return list(found.values()), summary


def _folded(record: ImportedRecord) -> defaultdict[str, str]:
    """Return the texts of a record by the names of their columns in lower case."""
    cells: defaultdict[str, str] = defaultdict(str)
    for column, cell in record.cells.items():
        cells[column.strip().casefold()] = " ; ".join(texts_of(cell))
    return cells
