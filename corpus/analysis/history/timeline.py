"""Counts and claims over the history of a corpus, with the change that moved each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import isnan
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import DOCUMENT, evaluate, load_claims, needed_tables
from corpus.analysis.claims.moved import members
from corpus.analysis.claims.parser import parse_claims
from corpus.analysis.claims.releases import load_release, read_releases
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.filters import parse_filters, row_test
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.model.suggestions import closest
from corpus.tables.git.repository import GitRevision, PastTables, Repository

_OPERATORS = frozenset("=<>")


class Value(NamedTuple):
    """What one state of the corpus yields: a number, and the keys of the rows that it counts."""

    number: int | float
    keys: frozenset[str] = frozenset()


class Subject:
    """A question that every state of a corpus can be asked; `name` is what it is called in print.

    Both methods raise UsageProblem where the corpus of that time had no such thing.
    """

    name: str

    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the names of the tables that the answer needs: the pool, where nothing else."""
        return [book.pool.name]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the answer by series, which may be others from state to state."""
        raise NotImplementedError


class WholeCorpus(Subject):
    """How many rows the pool and the exclusion logs have."""

    name = "rows"

    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the pool and the exclusion logs."""
        logs = book.by_role("exclusions")
        return [spec.name for spec in (book.pool, *logs)]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the rows of each table."""
        found: dict[str, Value] = {}
        for name in self.tables(study.codebook):
            table = study.tables[name]
            found[name] = Value(len(table.rows), frozenset(table.names()))
        return found


class AxisTerms(Subject):
    """How many entries each term of an axis has."""

    def __init__(self, column: str) -> None:
        self.name = column

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the entries of each declared term."""
        spec = study.pool.spec
        column = spec.column(self.name)
        if column.type != "term":
            raise UsageProblem(
                f"column {self.name!r} has no vocabulary; ask for a value: {self.name}=VALUE"
            )
        keys: dict[str, set[str]] = {
            term: set() for term in study.codebook.vocabulary_of(column).ids
        }
        for entry in study.entries.values():
            for term in entry.terms(self.name):
                keys[term].add(entry.key)
        return {term: Value(len(found), frozenset(found)) for term, found in keys.items()}


class MatchingEntries(Subject):
    """How many entries pass some filters, such as those of one cell of a cross-tabulation."""

    def __init__(self, filters: Sequence[str]) -> None:
        self.filters = tuple(filters)
        self.name = ", ".join(filters)

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the entries that pass."""
        spec = study.pool.spec
        filters = parse_filters(self.filters, spec, study.codebook)
        passes = row_test(filters, spec)
        rows = list(filter(passes, study.pool.rows))
        keys = frozenset(spec.names_of(rows))
        return {self.name: Value(len(rows), keys)}


class ClaimValues(Subject):
    """What a claim, as it is written today, yields; counts by term are a series each."""

    def __init__(self, claim: Claim, document: Mapping[str, Any]) -> None:
        self.name = claim.id
        self._document = document

    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the tables that the claim looks at."""
        names = needed_tables(self._claim(book), Study(book, {}, ""))
        return [name for name in book.tables if name in names]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the observed number, or the counts."""
        claim = self._claim(study.codebook)
        outcome = evaluate(claim, study)
        kind = claim.expectation.kind
        if kind == "same_keys_as":
            # Its keys are those that only one of the two tables has.
            keys_of_one = frozenset(outcome.keys)
            return {claim.id: Value(len(keys_of_one), keys_of_one)}
        places = members(claim, study)
        if kind not in ("counts", "descending"):
            return {claim.id: Value(outcome.number, frozenset(places))}
        spec = study.codebook.tables[claim.selections[0].table]
        keys = _keys_by_cell(places, claim.expectation, spec)
        found: dict[str, Value] = {}
        for cell, number in outcome.counts.items():
            found["/".join(cell)] = Value(number, frozenset(keys.get(cell, ())))
        return found

    def _claim(self, book: Codebook) -> Claim:
        """Read the claim with the codebook of a time."""
        claims, findings = parse_claims(self._document, book)
        if findings or not claims.claims:
            raise UsageProblem(
                f"claim {self.name!r} is about what the codebook did not declare yet"
            )
        return claims.claims[0]


def _keys_by_cell(
    places: Mapping[str, frozenset[tuple[str, ...]]], expectation: Expectation, spec: TableSpec
) -> dict[tuple[str, ...], set[str]]:
    """Return the rows of each cell that a claim counts, by terms or by label of a selection."""
    columns = [spec.column(name) for name in expectation.by]
    found: dict[tuple[str, ...], set[str]] = {}
    for name, counted in places.items():
        for label, *cells in counted:
            # Without columns to count by, the cell is that of the selection.
            values: list[tuple[str, ...]] = [] if columns else [(label,)]
            for column, cell in zip(columns, cells, strict=False):
                values.append(column.values(cell))
            for combination in product(*values):
                found.setdefault(combination, set()).add(name)
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
        return WholeCorpus()
    filters = [word for word in words if not _OPERATORS.isdisjoint(word)]
    if len(filters) == len(words):
        return MatchingEntries(words)
    if filters or len(words) > 1:
        raise UsageProblem("ask about one claim, one column, or filters (COLUMN=TERM ...)")
    word = words[0]
    axes = [column.name for column in study.codebook.pool.term_columns]
    if word in axes:
        return AxisTerms(word)
    claims = load_claims(study).claims
    for claim in claims:
        if word in (claim.id, claim.source_id):
            return ClaimValues(claim, _document_of(claim, study))
    known = [*axes, *(claim.id for claim in claims)]
    nearest = closest(word, known, most=3)
    advice = f"columns: {', '.join(axes)}"
    if nearest:
        advice = f"did you mean {' or '.join(nearest)}?"
    raise UsageProblem(f"{word!r} is neither a column with a vocabulary nor a claim; {advice}")


def _document_of(claim: Claim, study: Study) -> dict[str, Any]:
    """Return the claims file with this claim alone, which earlier codebooks are read with."""
    document = study.documents[DOCUMENT]
    wanted: list[Any] = []
    for raw in document["claims"]:
        if raw.get("id") == claim.id:
            wanted.append(raw)
    return {"format": document["format"], "claims": wanted}


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
