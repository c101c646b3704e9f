"""What a history is asked about: the whole corpus, an axis, the entries of a cell, or a claim."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import DOCUMENT, evaluate, load_claims, needed_tables
from corpus.analysis.claims.moved import members
from corpus.analysis.claims.parser import parse_claims
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.filters import parse_filters, row_test
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.suggestions import closest

_OPERATORS = frozenset("=<>")


class Value(NamedTuple):
    """What one state of the corpus yields: a number, and the keys of the rows that it counts."""

    number: int | float
    keys: frozenset[str] = frozenset()


class Subject(ABC):
    """A question that every state of a corpus can be asked."""

    #: What the question is called in print.
    name: str

    @abstractmethod
    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the names of the tables that the answer needs.

        Raises
        ------
        UsageProblem
            Where the corpus of that time had no such thing.
        """

    @abstractmethod
    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the answer by series; the series of one question may differ from state to state.

        Raises
        ------
        UsageProblem
            Where the corpus of that time had no such thing.
        """


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

    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the pool."""
        return [book.pool.name]

    def values(self, study: Study) -> Mapping[str, Value]:
        """Return the entries of each declared term."""
        spec = study.pool.spec
        column = spec.column(self.name)
        if column.type != "term":
            raise UsageProblem(
                f"column {self.name!r} has no vocabulary; ask for a value: {self.name}=VALUE"
            )
        position = spec.position(self.name)
        keys: dict[str, set[str]] = {}
        for term in study.codebook.vocabulary_of(column).ids:
            keys[term] = set()
        for name, row in study.pool.named_rows():
            for term in column.values(row[position]):
                keys[term].add(name)
        return {term: Value(len(found), frozenset(found)) for term, found in keys.items()}


class MatchingEntries(Subject):
    """How many entries pass some filters, such as those of one cell of a cross-tabulation."""

    def __init__(self, filters: Sequence[str]) -> None:
        self.filters = tuple(filters)
        self.name = ", ".join(filters)

    def tables(self, book: Codebook) -> Iterable[str]:
        """Return the pool."""
        return [book.pool.name]

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
