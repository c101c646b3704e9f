"""Counts and claims over the history of a corpus, with the change that moved each; in print."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan
from typing import Any

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import ABOUT_COUNTS, DOCUMENT, evaluate, load_claims
from corpus.analysis.claims.moved import members, signed_keys
from corpus.analysis.claims.parser import parse_claims
from corpus.model.codebook import Codebook
from corpus.model.filters import parse_filters
from corpus.model.finding import CorpusError, UsageProblem, unknown
from corpus.model.study import Study
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import json_text
from corpus.printing.numerals import numeral
from corpus.tables.git.repository import GitRevision

_OPERATORS = frozenset("=<>")
#: A number, None for a ratio without a divisor, and the keys of the rows that it counts.
Value = tuple[int | float | None, frozenset[str]]
#: That of a series which a state does not have.
_NOTHING: Value = (None, frozenset())


@dataclass(frozen=True)
class Subject:
    """A question that every state of a corpus can be asked.

    Attributes
    ----------
    name : str
        What it is called in print.
    asked : sequence of mapping
        Claims, as a claims file has them, whose observed values are the answer.
    filters : sequence of str
        What the entries that are counted must pass.
    """

    name: str
    asked: Sequence[Mapping[str, Any]]
    filters: Sequence[str] = ()

    def claims(self, book: Codebook) -> Sequence[Claim]:
        """Return the claims; UsageProblem where the codebook declares nothing of the kind."""
        found, findings = parse_claims({"format": 1, "claims": self.asked}, book)
        if not found.claims:
            raise UsageProblem(f"{self.name!r}: {findings[0].message}")
        filters = tuple(parse_filters(self.filters, book.pool, book))
        if not filters:
            return found.claims
        (counted,) = found.claims
        return [replace(counted, selections=(replace(counted.selections[0], filters=filters),))]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the answer by series, which may be others from state to state."""
        found: dict[str, Value] = {}
        for claim in self.claims(study.codebook):
            outcome = evaluate(claim, study)
            places = members(outcome, study)
            if outcome.kind not in ABOUT_COUNTS:
                number = None if isnan(outcome.number) else outcome.number
                found[claim.id] = (number, frozenset(places))
            # Counts by term are a series each.
            keys: dict[tuple[str, ...], set[str]] = defaultdict(set)
            for name, counted in places.items():
                for label, *values in counted:
                    # Without columns to count by, the place is that of the selection.
                    keys[tuple(values or [label])].add(name)
            for place, entries in outcome.counts.items():
                found["/".join(place)] = (entries, frozenset(keys[place]))
        return found


def subject_of(words: Sequence[str], study: Study) -> Subject:
    """Return what a user asks about.

    Parameters
    ----------
    words : sequence of str
        None for the rows of the pool and of the exclusion log, the name of a claim, the name of a
        column, or filters (``column=term``), which an entry must pass all of.
    study : Study
        The corpus of today.

    Raises
    ------
    UsageProblem
        With the nearest name, where a word is none of these.
    """
    book = study.codebook

    def counted(name: str, table: str = book.pool.name, **more: Any) -> Mapping[str, Any]:
        return {"id": name, "statement": "", "table": table, **more}

    if not words:
        tables = [book.pool, *book.by_role("exclusions")]
        return Subject("rows", [counted(spec.name, spec.name, count=0) for spec in tables])
    filters = [word for word in words if not _OPERATORS.isdisjoint(word)]
    if len(filters) == len(words):
        name = ", ".join(words)
        return Subject(name, [counted(name, count=0)], words)
    if filters or len(words) > 1:
        raise UsageProblem("ask about one claim, one column, or filters (COLUMN=TERM ...)")
    word = words[0]
    axes = [column.name for column in book.pool.term_columns]
    if word in axes:
        return Subject(word, [counted(word, by=[word], counts={})])
    claims = load_claims(study).claims
    for claim in claims:
        if word in (claim.id, claim.source_id):
            document = study.documents[DOCUMENT]
            return Subject(claim.id, [raw for raw in document["claims"] if raw["id"] == claim.id])
    known = [*axes, *(claim.id for claim in claims)]
    raise UsageProblem(unknown("column with a vocabulary or claim", word, known))


@dataclass(frozen=True)
class HistoryPoint:
    """One state of a corpus: its answer by series, or the problem why it could not be counted."""

    revision: GitRevision
    values: Mapping[str, Value]
    problem: str = ""


@dataclass(frozen=True)
class Movement:
    """A change of one series between two states that could be counted.

    Attributes
    ----------
    revision : GitRevision
        The state that has the new value.
    series : str
        What moved.
    before, after : int or float or None
        The two values; None where the series was not there, or has no value.
    added, removed : tuple of str
        Keys of the rows that are counted now and were not before, and the other way round.
    """

    revision: GitRevision
    series: str
    before: int | float | None
    after: int | float | None
    added: tuple[str, ...]
    removed: tuple[str, ...]


#: A state of a corpus, and what reads it.
State = tuple[GitRevision, Callable[[], Study]]


def timeline(subject: Subject, states: Iterable[State]) -> list[HistoryPoint]:
    """Ask every state of a corpus, the oldest first."""
    points = []
    for revision, read in states:
        try:
            points.append(HistoryPoint(revision, subject.values(read())))
        except CorpusError as error:
            first = error.findings[0]
            problem = f"{first.code} in {first.file}: {first.message}"
            points.append(HistoryPoint(revision, {}, problem))
        except UsageProblem as error:
            points.append(HistoryPoint(revision, {}, str(error)))
    return points


def movements(points: Sequence[HistoryPoint]) -> list[Movement]:
    """Return what moved, in the order of the states.

    A state that could not be counted is skipped, so that a change is put down to the next one.
    """
    counted = [point for point in points if not point.problem]
    found = []
    for earlier, later in pairwise(counted):
        # Both, since a term may be declared or removed between two states.
        for series in dict.fromkeys([*earlier.values, *later.values]):
            old, new = (point.values.get(series, _NOTHING) for point in (earlier, later))
            # Equal numbers of other rows are a movement, too.
            if old != new:
                added, removed = tuple(sorted(new[1] - old[1])), tuple(sorted(old[1] - new[1]))
                found.append(Movement(later.revision, series, old[0], new[0], added, removed))
    return found


def history_grid(points: Sequence[HistoryPoint]) -> Grid:
    """Return a line for each series at the first state that has one, and for each movement."""
    rows = []
    first = next((point for point in points if not point.problem), None)
    if first is not None:
        state = (first.revision.date, first.revision.label)
        for series, (number, _) in first.values.items():
            rows.append((*state, series, _number(number), "", ""))
    for moved in movements(points):
        state = (moved.revision.date, moved.revision.label)
        change = f"{_number(moved.before)} → {_number(moved.after)}"
        keys = signed_keys(moved.added, moved.removed)
        rows.append((*state, moved.series, change, keys, moved.revision.subject))
    header = ("date", "state", "what", "number", "entries", "message")
    return Grid("", header, tuple(rows), wraps=frozenset({4, 5}))


def _number(number: int | float | None) -> str:
    return "-" if number is None else numeral(number)


def history_summary(points: Sequence[HistoryPoint], note: str = "") -> str:
    """Return in a few sentences what was read, what could not be, and what limits it."""
    first, last = points[0].revision, points[-1].revision
    text = plural(len(points), "state")
    text += f", from {first.label} ({first.date}) to {last.label}" * (len(points) > 1)
    missing = [point for point in points if point.problem]
    text += f"; {plural(len(movements(points)), 'change')}."
    if missing:
        text += f" {len(missing)} without a value, the first {missing[0].revision.label}: "
        text += f"{missing[0].problem}."
    return f"{text} {note}".rstrip()


def history_json(subject: Subject, points: Sequence[HistoryPoint], note: str = "") -> str:
    """Write states, values and movements as JSON; null where a state could not be counted."""
    states = []
    for point in points:
        values = None
        if not point.problem:
            values = {series: number for series, (number, _) in point.values.items()}
        states.append({**point.revision._asdict(), "values": values, "problem": point.problem})
    moved = []
    for item in movements(points):
        moved.append({**vars(item), "revision": item.revision.commit or item.revision.label})
    return json_text({"subject": subject.name, "note": note, "points": states, "movements": moved})
