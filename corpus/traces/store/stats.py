"""Measures over a whole store: some columns of all parts at a time, exact in any order."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpus.traces.measures.summary import MEASURES, Summary, spread
from corpus.traces.measures.timing import summed
from corpus.traces.store.store import TRACES, Store, StorePart, row_groups

#: Numbers that are in memory at once: as many measures are read together as this allows.
AT_ONCE = 2_000_000
WORDS = (("traces", "stop"), ("traces", "topology"), ("events", "type"), ("edges", "type"))

#: Applies a function to each item, here or on a cluster, and keeps their order.
Mapped: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """One part, and the measures to read of it; sent to a worker."""

    root: str
    part: StorePart
    measures: tuple[str, ...] = ()
    verify: bool = False


#: How often each word of a part is in each of :data:`WORDS`, and for each event type, numbers with
#: the exact sum of its ``x_tokens``.
PartCounts: TypeAlias = tuple[list[Counter[str]], dict[str, list[float]]]


def counted(question: PartQuestion) -> PartCounts:
    """Count the words of one part and add up its tokens."""
    store, part = Store(question.root), question.part
    if question.verify:
        store.verify(part)
    of_columns = []
    tokens: dict[str, list[float]] = {}
    for table, column in WORDS:
        words: Counter[str] = Counter()
        for group in row_groups(store, part, table, [column]):
            for pair in pc.value_counts(group[column]).to_pylist():
                words[pair["values"] or "(none)"] += pair["counts"]
        of_columns.append(words)
    for group in row_groups(store, part, "events", ["type", "x_tokens"]):
        stated = group.filter(group["x_tokens"].is_valid())
        for kind in stated["type"].unique().to_pylist():
            of_kind = stated.filter(pc.equal(stated["type"], kind))["x_tokens"]
            tokens[kind] = exact_parts([*tokens.get(kind, []), *of_kind.to_pylist()])
    return of_columns, tokens


def exact_parts(numbers: list[float]) -> list[float]:
    """Return a few numbers with the same exact sum, so that pieces add up in any order.

    Infinity where the sum is too large for a double: tokens are never negative.

    Examples
    --------
    >>> exact_parts([1e16, 1.0, -1e16]), exact_parts([1e16, 1.0])
    ([1.0], [1e+16, 1.0])
    """
    parts: list[float] = []
    while rest := summed([*numbers, *(-part for part in parts)]):
        parts.append(rest)
        if math.isinf(rest):
            return [rest]
    return parts


def measure_columns(question: PartQuestion) -> list[Any]:
    """Return the numbers of some measures of one part, as arrays."""
    names = list(question.measures)
    groups = row_groups(Store(question.root), question.part, "traces", names)
    found = pa.concat_tables([TRACES.empty_table().select(names), *groups])
    return [found[name].drop_null().cast(pa.float64()).to_numpy() for name in names]


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

    def __init__(self, parts: list[StorePart], counts: Iterable[PartCounts]) -> None:
        super().__init__()
        self.parts = len(parts)
        self.traces = sum(part.rows["traces"] for part in parts)
        words: list[Counter[str]] = [Counter() for _ in WORDS]
        tokens: dict[str, list[float]] = {}
        for of_columns, of_types in counts:
            for known, more in zip(words, of_columns, strict=True):
                known.update(more)
            for kind, numbers in of_types.items():
                tokens.setdefault(kind, []).extend(numbers)
        self.stops, self.topologies, self.events, self.edges = map(_by_count, words)
        self.tokens = {kind: summed(numbers) for kind, numbers in sorted(tokens.items())}
        self.of_measures: dict[str, dict[str, float]] = {}

    def spreads(self) -> dict[str, dict[str, float]]:
        """Return the distribution of each measure that at least one trace has."""
        return self.of_measures


def _by_count(counts: Counter[str]) -> dict[str, int]:
    """Return counts from the largest to the smallest; equal ones by word."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def summary(store: Store, mapped: Mapped = map, verify: bool = False) -> StoreSummary:
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
    questions = [PartQuestion(root, part, verify=verify) for part in parts]
    found = StoreSummary(parts, mapped(counted, questions))
    together = max(1, AT_ONCE // max(1, found.traces))
    for start in range(0, len(MEASURES), together):
        names = MEASURES[start : start + together]
        questions = [PartQuestion(root, part, names) for part in parts]
        for name, *arrays in zip(names, *mapped(measure_columns, questions), strict=True):
            # Zero is added since it makes one zero of the two that a double has.
            numbers = np.concatenate([np.empty(0), *arrays]) + 0.0
            if len(numbers):
                numbers.sort()
                found.of_measures[name] = spread(numbers.data)
    return found
