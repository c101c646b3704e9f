"""Measures over a whole store: part by part, a row group at a time, added as whole numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from corpus.traces.measures.rows import Spread, Summary
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
from corpus.traces.store.store import Store, StorePart
from corpus.traces.store.store_reading import row_groups

Wanted = dict[str, list[int]]
"""For each measure, the prefixes whose numbers are to be counted."""
Counts = dict[str, dict[int, Histogram]]
SHARES: Final = (0.5, 0.9)


Item = TypeVar("Item")
Result = TypeVar("Result")


class PartQuestion(NamedTuple):
    """One part, and what to find out about it; what travels to a worker."""

    root: str
    part: StorePart
    wanted: Wanted
    level: int
    verify: bool = False


class MeasureTotals(NamedTuple):
    """What one measure adds up to: its count, exact sum, least and largest number."""

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
    columns : dict of str to Column
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
    words: dict[str, dict[str, int]] = {"stop": {}, "topology": {}, "events": {}, "edges": {}}
    tokens: dict[str, int] = {}
    for group in row_groups(store, part, "traces", [*MEASURES, "stop", "topology"]):
        for name in MEASURES:
            values = _numbers(group[name])
            if len(values):
                found = MeasureTotals(len(values), exact_sum(values), float(values.min()), float(values.max()))
                columns[name] += found
        for name in ("stop", "topology"):
            _count_words(words[name], group[name])
    for group in row_groups(store, part, "events", ["type", "x_tokens"]):
        _count_words(words["events"], group["type"])
        stated = group.filter(group["x_tokens"].is_valid())
        for kind in stated["type"].unique().to_pylist():
            values = _numbers(stated.filter(pc.equal(stated["type"], kind))["x_tokens"])
            tokens[kind] = tokens.get(kind, 0) + exact_sum(values)
    for group in row_groups(store, part, "edges", ["type"]):
        _count_words(words["edges"], group["type"])
    return Survey(part.rows["traces"], columns, words, tokens)


def added(surveys: Iterable[Survey]) -> Survey:
    """Add the surveys of parts, in any order."""
    traces = 0
    columns = dict.fromkeys(MEASURES, NOTHING)
    words: dict[str, Counter[str]] = {name: Counter() for name in ("stop", "topology", "events", "edges")}
    tokens: Counter[str] = Counter()
    for found in surveys:
        traces += found.traces
        for name, column in found.columns.items():
            columns[name] += column
        for name, counts in found.words.items():
            words[name].update(counts)
        tokens.update(found.tokens)
    by_number = {name: dict(sorted(c.items(), key=lambda pair: (-pair[1], pair[0]))) for name, c in words.items()}
    return Survey(traces, columns, by_number, dict(sorted(tokens.items())))


def digits(question: PartQuestion) -> Counts:
    """Count the next sixteen bits of the measures of one part, for each prefix that is wanted."""
    store = Store(question.root)
    counts: Counts = {name: {prefix: {} for prefix in prefixes} for name, prefixes in question.wanted.items()}
    for group in row_groups(store, question.part, "traces", list(question.wanted)):
        for name, prefixes in question.wanted.items():
            values = _numbers(group[name])
            for prefix in prefixes:
                add_counts(counts[name][prefix], histogram(values, prefix, question.level))
    return counts


class Mapped(Protocol):
    """Applies a function to each item: here, or on a cluster. The results come in the order of the items."""

    def __call__(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results."""


def here(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function in this process."""
    return map(function, items)


class StoreSummary(Summary):
    """The summary of a store: what :class:`corpus.traces.measures.rows.Summary` says, and counts of events and edges.

    Attributes
    ----------
    events, edges : dict of str to int
        How many there are of each type.
    tokens : dict of str to float
        Tokens that events of each type state.
    parts : int
        Parts of the store.
    """

    def __init__(self, parts: int, found: Survey, ranks: dict[str, list[float]]) -> None:
        super().__init__()
        self.parts = parts
        self.traces = found.traces
        self.stops, self.topologies = found.words["stop"], found.words["topology"]
        self.events, self.edges = found.words["events"], found.words["edges"]
        self.tokens = {kind: rounded(total) for kind, total in found.tokens.items()}
        self._spreads = {}
        for name, middle in ranks.items():
            column = found.columns[name]
            total = rounded(column.total)
            shape = (column.least, *middle, column.most)
            self._spreads[name] = Spread(column.number, total, total / column.number, *shape)

    def spreads(self) -> dict[str, Spread]:
        """Return the distribution of each measure that at least one trace has."""
        return self._spreads


def summary(store: Store, mapped: Mapped = here, verify: bool = False) -> StoreSummary:
    """Describe a store; exact, and the same in whatever order its parts are read.

    Memory does not grow with the store: one pass adds up, four more find the ranks sixteen bits at a time.

    Parameters
    ----------
    store
        What to read.
    mapped
        Where the work is done.
    verify
        Hold every file against its digest first.

    Raises
    ------
    CorpusError
        OT301 where a file is damaged.
    """
    parts = store.parts()

    def asked(wanted: Wanted, level: int) -> list[PartQuestion]:
        return [PartQuestion(str(store.root.absolute()), part, wanted, level, verify and not wanted) for part in parts]

    found = added(mapped(survey, asked({}, 0)))
    ranks = {
        name: [Rank(0, _place(share, column.number)) for share in SHARES]
        for name, column in found.columns.items()
        if column.number
    }
    for level in range(PASSES):
        wanted = {name: sorted({rank.prefix for rank in of}) for name, of in ranks.items()}
        counts: Counts = {name: {prefix: {} for prefix in prefixes} for name, prefixes in wanted.items()}
        for piece in mapped(digits, asked(wanted, level)):
            for name, by_prefix in piece.items():
                for prefix, more in by_prefix.items():
                    add_counts(counts[name][prefix], more)
        ranks = {name: [rank.narrowed(counts[name][rank.prefix]) for rank in of] for name, of in ranks.items()}
    return StoreSummary(len(parts), found, {name: [value_of(rank.prefix) for rank in of] for name, of in ranks.items()})


def _place(share: float, count: int) -> int:
    """Return the place, from 0, of the nearest rank."""
    return max(0, -int(-share * count // 1) - 1)
