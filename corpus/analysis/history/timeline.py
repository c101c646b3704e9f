"""Counts and claims over the history of a corpus, with the change that moved each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import NamedTuple

from corpus.analysis.claims.releases import load_release, read_releases
from corpus.analysis.history.subject import Subject, Value
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.tables.git.past import PastTables
from corpus.tables.git.repository import GitRevision, Repository


class HistoryPoint(NamedTuple):
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


class Movement(NamedTuple):
    """A change of one series between two states that could be counted.

    Attributes
    ----------
    revision : GitRevision
        The state that has the new value.
    series : str
        What moved.
    before, after : int or float or None
        The two values; None where the series was not there.
    added, removed : tuple of str
        Keys of the rows that are counted now and were not before, and the other way round.
    """

    revision: GitRevision
    series: str
    before: int | float | None
    after: int | float | None
    added: tuple[str, ...]
    removed: tuple[str, ...]


class History(NamedTuple):
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
        names: dict[str, None] = {}
        for point in reversed(self.points):
            names.update(dict.fromkeys(point.values))
        return tuple(names)

    @property
    def uncounted(self) -> tuple[HistoryPoint, ...]:
        """The states that could not be counted."""
        return tuple(point for point in self.points if point.problem)

    def numbers(self, series: str) -> list[int | float | None]:
        """Return a series' number in every state; None where it has none."""
        found: list[int | float | None] = []
        for point in self.points:
            value = point.values.get(series)
            found.append(None if value is None else value.number)
        return found


def timeline(
    subject: Subject, states: Iterable[tuple[GitRevision, Study | str]], note: str = ""
) -> History:
    """Ask every state of a corpus, the oldest first.

    Parameters
    ----------
    subject : Subject
        The question.
    states : iterable of (GitRevision, Study or str)
        The states, each as a study, or why it cannot be read.
    note : str
        What limits the history.
    """
    points = tuple(_point(subject, revision, state) for revision, state in states)
    return History(subject.name, points, tuple(_movements(points)), note)


def _point(subject: Subject, revision: GitRevision, state: Study | str) -> HistoryPoint:
    if isinstance(state, str):
        return HistoryPoint(revision, {}, state)
    try:
        return HistoryPoint(revision, subject.values(state))
    except UsageProblem as problem:
        return HistoryPoint(revision, {}, str(problem))


def _movements(points: Iterable[HistoryPoint]) -> Iterator[Movement]:
    before: Mapping[str, Value] | None = None
    for point in points:
        # A state that could not be counted is skipped, so that a change is put down to the next
        # state that could.
        if point.problem:
            continue
        if before is not None:
            yield from _between(before, point)
        before = point.values


def _between(before: Mapping[str, Value], point: HistoryPoint) -> Iterator[Movement]:
    # Both, since a term may be declared or removed between two states.
    for series in dict.fromkeys([*before, *point.values]):
        old = before.get(series)
        new = point.values.get(series)
        # Equal numbers of other rows are a movement, too.
        if old == new or _are_undefined(old, new):
            continue
        had = old.keys if old is not None else frozenset()
        has = new.keys if new is not None else frozenset()
        yield Movement(
            revision=point.revision,
            series=series,
            before=None if old is None else old.number,
            after=None if new is None else new.number,
            added=tuple(sorted(has - had)),
            removed=tuple(sorted(had - has)),
        )


def _are_undefined(old: Value | None, new: Value | None) -> bool:
    """Return whether both are a ratio that has no value, of the same rows: NaN is not itself."""
    if old is None or new is None:
        return False
    return isnan(old.number) and isnan(new.number) and old.keys == new.keys


def git_states(
    repository: Repository, revisions: Iterable[GitRevision], subject: Subject
) -> Iterator[tuple[GitRevision, Study | str]]:
    """Yield the corpus at revisions of a repository, as :func:`timeline` takes it."""
    past = PastTables(repository)
    begun = False
    for revision in revisions:
        # Before its first codebook there was no corpus, so there is nothing to report.
        begun = begun or past.has_corpus(revision.commit)
        if not begun:
            continue
        try:
            yield revision, past.study(revision.commit, subject.tables)
        except (CorpusError, UsageProblem) as problem:
            yield revision, _reason(problem)


def release_states(data: str) -> Iterator[tuple[GitRevision, Study | str]]:
    """Yield the corpus at its releases, as :func:`timeline` takes it.

    Raises
    ------
    CorpusError
        Where the list of releases has a mistake.
    """
    for release in read_releases(data):
        revision = GitRevision("", release.id, release.date, release.text)
        try:
            yield revision, load_release(release, data)
        except CorpusError as problem:
            yield revision, _reason(problem)


def _reason(problem: CorpusError | UsageProblem) -> str:
    if isinstance(problem, CorpusError):
        first = problem.findings[0]
        return f"{first.code} in {first.file}: {first.message}"
    return str(problem)
