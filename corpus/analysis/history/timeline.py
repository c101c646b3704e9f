"""Counts and claims over the history of a corpus, with the change that moved each; in print."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, dropwhile, pairwise
from math import isnan
from typing import Any

from corpus.analysis.claims.claim import Claim, Expectation, Selection
from corpus.analysis.claims.evaluate import (
    ABOUT_COUNTS,
    DOCUMENT,
    evaluate,
    load_claims,
    needed_tables,
)
from corpus.analysis.claims.moved import members
from corpus.analysis.claims.parser import parse_claims
from corpus.analysis.claims.releases import load_release, read_releases
from corpus.model.codebook import Codebook
from corpus.model.filters import parse_filters
from corpus.model.finding import CorpusError, UsageProblem, unknown
from corpus.model.study import Study
from corpus.printing.grid import Grid, first_of, plural, safe_csv
from corpus.printing.json_document import json_text
from corpus.printing.numerals import numeral
from corpus.tables.git.repository import GitRevision, Repository

_OPERATORS = frozenset("=<>")


@dataclass(frozen=True)
class Value:
    """What one state of the corpus yields: a number, and the keys of the rows that it counts.

    The number is None where it is a ratio without a divisor.
    """

    number: int | float | None
    keys: frozenset[str] = frozenset()


#: That of a series which a state does not have.
_NOTHING = Value(None)


@dataclass(frozen=True)
class Subject:
    """A question that every state of a corpus can be asked: how many rows there are, without more.

    Attributes
    ----------
    name : str
        What it is called in print.
    column : str
        Count the entries of each of its terms.
    filters : sequence of str
        Count the entries that pass them, such as those of one cell.
    document : mapping
        Evaluate the claim in this claims file, as it is written today.
    """

    name: str
    column: str = ""
    filters: Sequence[str] = ()
    document: Mapping[str, Any] = field(default_factory=dict)

    def claims(self, book: Codebook) -> Sequence[Claim]:
        """Return the claims whose observed values are the answer.

        Raises
        ------
        UsageProblem
            Where the corpus with this codebook has no such thing.
        """
        if self.document:
            found, findings = parse_claims(self.document, book)
            if findings or not found.claims:
                raise UsageProblem(
                    f"claim {self.name!r} is about what the codebook did not declare yet"
                )
            return found.claims
        specs = [book.pool]
        expected = Expectation("count", 0)
        if self.column:
            if book.pool.column(self.column).type != "term":
                advice = f"ask for a value: {self.column}=VALUE"
                raise UsageProblem(f"column {self.column!r} has no vocabulary; {advice}")
            expected = Expectation("counts", {}, (self.column,))
        elif not self.filters:
            specs += book.by_role("exclusions")
        filters = tuple(parse_filters(self.filters, book.pool, book))
        claims = []
        for spec in specs:
            name = ", ".join(self.filters) or spec.name
            claims.append(Claim(name, "", "", "", (), (Selection(spec.name, filters),), expected))
        return claims

    def tables(self, book: Codebook) -> list[str]:
        """Return the names of the tables that the answer needs."""
        names = set()
        for claim in self.claims(book):
            names |= needed_tables(claim, book)
        return [name for name in book.tables if name in names]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the answer by series, which may be others from state to state."""
        found: dict[str, Value] = {}
        for claim in self.claims(study.codebook):
            outcome = evaluate(claim, study)
            places = members(outcome, study)
            if outcome.kind not in ABOUT_COUNTS:
                number = None if isnan(outcome.number) else outcome.number
                found[claim.id] = Value(number, frozenset(places))
            # Counts by term are a series each.
            keys: dict[tuple[str, ...], set[str]] = defaultdict(set)
            for name, counted in places.items():
                for label, *values in counted:
                    # Without columns to count by, the place is that of the selection.
                    keys[tuple(values or [label])].add(name)
            for place, entries in outcome.counts.items():
                found["/".join(place)] = Value(entries, frozenset(keys[place]))
        return found


def subject_of(words: Sequence[str], study: Study) -> Subject:
    """Return what a user asks about.

    Parameters
    ----------
    words : sequence of str
        None for the whole corpus, the name of a claim, the name of a column, or filters
        (``column=term``), which an entry must pass all of.
    study : Study
        The corpus of today.

    Raises
    ------
    UsageProblem
        With the nearest name, where a word is none of these.
    """
    if not words:
        return Subject("rows")
    filters = [word for word in words if not _OPERATORS.isdisjoint(word)]
    if len(filters) == len(words):
        return Subject(", ".join(words), filters=words)
    if filters or len(words) > 1:
        raise UsageProblem("ask about one claim, one column, or filters (COLUMN=TERM ...)")
    word = words[0]
    axes = [column.name for column in study.codebook.pool.term_columns]
    if word in axes:
        return Subject(word, column=word)
    claims = load_claims(study).claims
    for claim in claims:
        if word in (claim.id, claim.source_id):
            # The claims file with this claim alone, which earlier codebooks are read with.
            document = study.documents[DOCUMENT]
            wanted = [raw for raw in document["claims"] if raw.get("id") == claim.id]
            return Subject(claim.id, document={"format": document["format"], "claims": wanted})
    known = [*axes, *(claim.id for claim in claims)]
    raise UsageProblem(unknown("column with a vocabulary or claim", word, known))


@dataclass(frozen=True)
class HistoryPoint:
    """One state of the corpus.

    Attributes
    ----------
    revision : GitRevision
        Which state.
    values : mapping of str to Value
        Series -> value; empty where the state could not be counted.
    problem : str
        Why it could not; empty where it could.
    """

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


@dataclass(frozen=True)
class History:
    """The history of one subject: its states, the oldest first, and what moved between them.

    Attributes
    ----------
    subject : str
        What was asked about.
    points : tuple of HistoryPoint
        The states.
    movements : tuple of Movement
        In the order of the states.
    note : str
        What limits the history, such as a shallow clone; empty for nothing.
    """

    subject: str
    points: tuple[HistoryPoint, ...]
    movements: tuple[Movement, ...]
    note: str = ""

    @property
    def series(self) -> tuple[str, ...]:
        """Every series, in the order of the newest state, then those that are gone."""
        newest_first = [point.values for point in reversed(self.points)]
        return tuple(dict.fromkeys(chain.from_iterable(newest_first)))

    def numbers(self, series: str) -> list[int | float | None]:
        """Return a series' number in every state; None where it has none."""
        return [point.values.get(series, _NOTHING).number for point in self.points]


#: A state of a corpus, and what reads it.
State = tuple[GitRevision, Callable[[], Study]]


def timeline(subject: Subject, states: Iterable[State], note: str = "") -> History:
    """Ask every state of a corpus, the oldest first.

    Parameters
    ----------
    subject : Subject
        The question.
    states : iterable of (GitRevision, callable)
        The states. One that cannot be read, or has no answer, is a point with the problem.
    note : str
        What limits the history.
    """
    points = []
    for revision, read in states:
        values: Mapping[str, Value] = {}
        problem = ""
        try:
            values = subject.values(read())
        except CorpusError as error:
            first = error.findings[0]
            problem = f"{first.code} in {first.file}: {first.message}"
        except UsageProblem as error:
            problem = str(error)
        points.append(HistoryPoint(revision, values, problem))
    # A state that could not be counted is skipped, so that a change is put down to the next state
    # that could.
    counted = [point for point in points if not point.problem]
    movements = []
    for before, after in pairwise(counted):
        # Both, since a term may be declared or removed between two states.
        for series in dict.fromkeys([*before.values, *after.values]):
            old, new = before.values.get(series, _NOTHING), after.values.get(series, _NOTHING)
            # Equal numbers of other rows are a movement, too.
            if old != new:
                added, removed = sorted(new.keys - old.keys), sorted(old.keys - new.keys)
                numbers = (old.number, new.number)
                keys = (tuple(added), tuple(removed))
                movements.append(Movement(after.revision, series, *numbers, *keys))
    return History(subject.name, tuple(points), tuple(movements), note)


def git_states(
    repository: Repository, revisions: Iterable[GitRevision], tables: Collection[str]
) -> Iterator[State]:
    """Yield the corpus at revisions of a repository, with some of its tables."""

    def needed(book: Codebook) -> list[str]:
        return [name for name in book.tables if name in tables]

    # Before its first codebook there was no corpus, so there is nothing to report.
    for revision in dropwhile(lambda one: not repository.has_corpus(one.commit), revisions):
        yield revision, partial(repository.study, revision.commit, needed)


def release_states(data: str) -> Iterator[State]:
    """Yield the corpus at its releases.

    Raises
    ------
    CorpusError
        Where the list of releases has a mistake.
    """
    for release in read_releases(data):
        revision = GitRevision("", release.id, release.date, release.text)
        yield revision, partial(load_release, release, data)


_BARS = "▁▂▃▄▅▆▇█"
#: A sparkline has at most so many characters; a longer history is thinned out evenly.
_WIDEST = 40
#: So many keys are listed in a line; CSV and JSON have all of them.
_LISTED = 6
_NO_VALUE = "-"


def sparkline(numbers: Sequence[int | float | None]) -> str:
    """Draw numbers as a line of bars from 0 to the greatest; a space where there is none.

    Examples
    --------
    >>> sparkline([0, 1, None, 7])
    '▁▂ █'
    """
    shown = numbers
    if len(numbers) > _WIDEST:
        # The first and the latest number are always shown.
        last, gaps = len(numbers) - 1, _WIDEST - 1
        shown = [numbers[round(place * last / gaps)] for place in range(_WIDEST)]
    # From 0 and not from the least number: a bar half as high means half as many.
    top = max(filter(None, shown), default=1)
    bars = ""
    for number in shown:
        if number is None:
            bars += " "
        else:
            share = max(number, 0) / top
            bars += _BARS[round(share * (len(_BARS) - 1))]
    return bars


def history_grids(found: History, most: int | None = None) -> list[Grid]:
    """Return a line for each series, and a line for each movement.

    Parameters
    ----------
    found : History
        The history.
    most : int, optional
        List so many movements, the latest; without it all.
    """
    series = []
    for name in found.series:
        numbers = found.numbers(name)
        first = next((number for number in numbers if number is not None), None)
        series.append((name, _number(first), _number(numbers[-1]), sparkline(numbers)))
    header = ("what", "first", "last", "history")
    grids = [Grid("", header, tuple(series), frozenset({1, 2}))]
    shown = found.movements
    note = ""
    if most is not None and len(shown) > most:
        note = f"{plural(len(shown) - most, 'earlier change')} left out."
        shown = shown[len(shown) - most :]
    if shown:
        rows = []
        for movement in shown:
            revision = movement.revision
            change = f"{_number(movement.before)} → {_number(movement.after)}"
            signed = [*map("+{}".format, movement.added), *map("-{}".format, movement.removed)]
            keys = first_of(signed, _LISTED)
            state = (revision.date, revision.label)
            rows.append((*state, movement.series, change, keys, revision.subject))
        columns = ("date", "state", "what", "change", "entries", "message")
        grids.append(Grid("Changes", columns, tuple(rows), note=note, wraps=frozenset({4, 5})))
    return grids


def _number(number: int | float | None) -> str:
    if number is None:
        return _NO_VALUE
    return numeral(number)


def history_summary(found: History) -> str:
    """Return in a few sentences what was read, and what could not be."""
    points = found.points
    text = plural(len(points), "state")
    if len(points) > 1:
        first = points[0].revision
        text += f", from {first.label} ({first.date}) to {points[-1].revision.label}"
    text += f"; {plural(len(found.movements), 'change')}."
    missing = [point for point in points if point.problem]
    if missing:
        names = first_of([point.revision.label for point in missing], _LISTED)
        text += f" {len(missing)} without a value ({names}): {missing[0].problem}."
    if found.note:
        text += f" {found.note}"
    return text


def history_csv(found: History) -> str:
    """Write one row per state and series: commit, label, date, series, number, moved keys."""
    moved: dict[tuple[GitRevision, str], tuple[str, ...]] = {}
    for item in found.movements:
        moved[item.revision, item.series] = tuple(map("; ".join, (item.added, item.removed)))
    header = ("commit", "state", "date", "series", "number", "added", "removed", "message")
    rows: list[tuple[str, ...]] = [header]
    for point in found.points:
        revision = point.revision
        state = (revision.commit, revision.label, revision.date)
        for series, value in point.values.items():
            keys = moved.get((revision, series), ("", ""))
            rows.append((*state, series, _number(value.number), *keys, revision.subject))
    return safe_csv(rows)


def history_json(found: History) -> str:
    """Write states, values and movements as JSON; null where a state could not be counted."""
    points = []
    for point in found.points:
        values = None
        if not point.problem:
            values = {name: value.number for name, value in point.values.items()}
        points.append({**point.revision._asdict(), "values": values, "problem": point.problem})
    movements = []
    for item in found.movements:
        revision = item.revision.commit or item.revision.label
        movements.append({**vars(item), "revision": revision})
    return json_text(
        {"subject": found.subject, "note": found.note, "points": points, "movements": movements}
    )
