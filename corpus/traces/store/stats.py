"""Measures over a whole store: part by part, a row group at a time, added as whole numbers.

One pass adds up, four more find the ranks, so that memory does not grow with the store.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from corpus.traces.measures.rows import Spread, Summary, nearest_rank
from corpus.traces.store.exact_sums import (
    PASSES,
    Floats,
    Histogram,
    Rank,
    add_counts,
    exact_sum,
    histogram,
    rounded,
    value_of,
)
from corpus.traces.store.schema import MEASURES
from corpus.traces.store.store import Store, StorePart, row_groups

#: For each measure, the prefixes whose numbers are to be counted.
Wanted: TypeAlias = dict[str, list[int]]
#: For each measure and prefix, how many numbers continue in which way.
Counts: TypeAlias = dict[str, dict[int, Histogram]]
#: Median and ninth decile.
SHARES: Final = (0.5, 0.9)
WORDS: Final = ("stop", "topology", "events", "edges")

Item = TypeVar("Item")
Result = TypeVar("Result")


class PartQuestion(NamedTuple):
    """One part, and what to find out about it; sent to a worker."""

    root: str
    part: StorePart
    wanted: Wanted
    level: int
    verify: bool = False


class MeasureTotals(NamedTuple):
    """Count, exact sum, smallest and largest number of one measure."""

    number: int
    total: int
    least: float
    most: float

    def __add__(self, other: MeasureTotals) -> MeasureTotals:  # type: ignore[override]
        return MeasureTotals(
            self.number + other.number,
            self.total + other.total,
            min(self.least, other.least),
            max(self.most, other.most),
        )


NOTHING: Final = MeasureTotals(0, 0, math.inf, -math.inf)


class Survey(NamedTuple):
    """One part in numbers that can be added to those of another.

    Attributes
    ----------
    traces : int
        Its traces.
    columns : dict of str to MeasureTotals
        Each measure.
    words : dict of str to dict
        How many traces have each ``stop`` and ``topology``, how many events and edges each type.
    tokens : dict of str to int
        Exact sum of ``x_tokens`` by event type.
    """

    traces: int
    columns: dict[str, MeasureTotals]
    words: dict[str, dict[str, int]]
    tokens: dict[str, int]


def _numbers(column: pa.ChunkedArray) -> Floats:
    values: Floats = column.drop_null().cast(pa.float64()).to_numpy()
    return values


def _count_words(counts: dict[str, int], column: pa.ChunkedArray) -> None:
    for pair in pc.value_counts(column).to_pylist():
        word = pair["values"] or "(none)"
        counts[word] = counts.get(word, 0) + pair["counts"]


def survey(question: PartQuestion) -> Survey:
    """Read all of one part: measures of its traces, types of its events and edges."""
    store, part = Store(question.root), question.part
    if question.verify:
        store.verify(part)
    columns = dict.fromkeys(MEASURES, NOTHING)
    words: dict[str, dict[str, int]] = {name: {} for name in WORDS}
    tokens: dict[str, int] = {}
    for group in row_groups(store, part, "traces", [*MEASURES, "stop", "topology"]):
        for name in MEASURES:
            values = _numbers(group[name])
            if len(values):
                least = float(values.min())
                most = float(values.max())
                total = exact_sum(values)
                columns[name] += MeasureTotals(len(values), total, least, most)
        for name in ("stop", "topology"):
            _count_words(words[name], group[name])
    for group in row_groups(store, part, "events", ["type", "x_tokens"]):
        _count_words(words["events"], group["type"])
        stated = group.filter(group["x_tokens"].is_valid())
        for kind in stated["type"].unique().to_pylist():
            of_kind = stated.filter(pc.equal(stated["type"], kind))
            values = _numbers(of_kind["x_tokens"])
            tokens[kind] = tokens.get(kind, 0) + exact_sum(values)
    for group in row_groups(store, part, "edges", ["type"]):
        _count_words(words["edges"], group["type"])
    return Survey(part.rows["traces"], columns, words, tokens)


def added(surveys: Iterable[Survey]) -> Survey:
    """Add the surveys of parts, in any order."""
    traces = 0
    columns = dict.fromkeys(MEASURES, NOTHING)
    words: dict[str, Counter[str]] = {name: Counter() for name in WORDS}
    tokens: Counter[str] = Counter()
    for found in surveys:
        traces += found.traces
        for name, column in found.columns.items():
            columns[name] += column
        for name, counts in found.words.items():
            words[name].update(counts)
        tokens.update(found.tokens)
    by_count = {name: _by_count(counts) for name, counts in words.items()}
    by_kind = dict(sorted(tokens.items()))
    return Survey(traces, columns, by_count, by_kind)


def _by_count(counts: Counter[str]) -> dict[str, int]:
    """Return counts from the largest to the smallest; equal ones by word."""

    def rank(pair: tuple[str, int]) -> tuple[int, str]:
        word, count = pair
        return -count, word

    return dict(sorted(counts.items(), key=rank))


def digits(question: PartQuestion) -> Counts:
    """Count the next sixteen bits of the measures of one part, for each prefix that is wanted."""
    store = Store(question.root)
    counts = _empty_counts(question.wanted)
    for group in row_groups(store, question.part, "traces", list(question.wanted)):
        for name, prefixes in question.wanted.items():
            values = _numbers(group[name])
            for prefix in prefixes:
                found = histogram(values, prefix, question.level)
                add_counts(counts[name][prefix], found)
    return counts


def _empty_counts(wanted: Wanted) -> Counts:
    counts: Counts = {}
    for name, prefixes in wanted.items():
        counts[name] = {prefix: {} for prefix in prefixes}
    return counts


class Mapped(Protocol):
    """Applies a function to each item, here or on a cluster, and keeps their order."""

    def __call__(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]:
        """Yield the results."""


def here(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function in this process."""
    return map(function, items)


class StoreSummary(Summary):
    """The summary of a store: that of its traces, and counts of events and edges.

    Attributes
    ----------
    events, edges : dict of str to int
        How many the store has of each type.
    tokens : dict of str to float
        Tokens that events of each type state.
    parts : int
        Parts of the store.
    """

    def __init__(self, parts: int, found: Survey, ranks: dict[str, list[float]]) -> None:
        super().__init__()
        self.parts = parts
        self.traces = found.traces
        self.stops = found.words["stop"]
        self.topologies = found.words["topology"]
        self.events = found.words["events"]
        self.edges = found.words["edges"]
        self.tokens = {kind: rounded(total) for kind, total in found.tokens.items()}
        self._spreads = {}
        for name, (median, ninth) in ranks.items():
            column = found.columns[name]
            total = rounded(column.total)
            self._spreads[name] = Spread(
                number=column.number,
                total=total,
                mean=total / column.number,
                least=column.least,
                median=median,
                ninth=ninth,
                most=column.most,
            )

    def spreads(self) -> dict[str, Spread]:
        """Return the distribution of each measure that at least one trace has."""
        return self._spreads


def summary(store: Store, mapped: Mapped = here, verify: bool = False) -> StoreSummary:
    """Describe a store; exact, and the same in whatever order its parts are read.

    Parameters
    ----------
    store
        What to read.
    mapped
        Where the work is done.
    verify
        Check every file against its digest first.

    Raises
    ------
    CorpusError
        OT301 where a file is damaged.
    """
    parts = store.parts()
    root = str(store.root.absolute())
    questions = [PartQuestion(root, part, {}, 0, verify) for part in parts]
    found = added(mapped(survey, questions))
    ranks: dict[str, list[Rank]] = {}
    for name, column in found.columns.items():
        if column.number:
            ranks[name] = [Rank(0, nearest_rank(share, column.number)) for share in SHARES]
    for level in range(PASSES):
        wanted: Wanted = {}
        for name, of in ranks.items():
            # The two ranks of a measure share their prefix until their numbers differ.
            prefixes = {rank.prefix for rank in of}
            wanted[name] = sorted(prefixes)
        questions = [PartQuestion(root, part, wanted, level) for part in parts]
        counts = _added_counts(wanted, mapped(digits, questions))
        for name, of in ranks.items():
            ranks[name] = [rank.narrowed(counts[name][rank.prefix]) for rank in of]
    values: dict[str, list[float]] = {}
    for name, of in ranks.items():
        values[name] = [value_of(rank.prefix) for rank in of]
    return StoreSummary(len(parts), found, values)


def _added_counts(wanted: Wanted, pieces: Iterable[Counts]) -> Counts:
    """Add the counts of parts, in any order."""
    counts = _empty_counts(wanted)
    for piece in pieces:
        for name, by_prefix in piece.items():
            for prefix, more in by_prefix.items():
                add_counts(counts[name][prefix], more)
    return counts
