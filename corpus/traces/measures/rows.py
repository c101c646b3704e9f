"""One row of measures for each trace, and a summary over many."""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.checks.validate import EACH, sound_run
from corpus.traces.measures.baseline import Baseline
from corpus.traces.measures.metrics import NAMES, Measures, Number, measure
from corpus.traces.measures.width import summed
from corpus.traces.model import EVENT_TYPES
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

Cell: TypeAlias = str | float | int | None
TEXTS: Final = ("file", "trace_id", "task_id", "system", "topology", "stop", "reward")
_WORDS: Final = frozenset((*TEXTS, "line"))
"""Columns that are no measures."""
TYPE_COLUMNS: Final = tuple(f"{kind}_events" for kind in EVENT_TYPES)


def columns(extra: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Name the columns of :func:`row`: where from, the catalogue's metrics, events by type, then `extra`."""
    return ("file", "line", *TEXTS[1:], *NAMES, *TYPE_COLUMNS, *extra)


def row(
    place: tuple[str, int], run: Run, measures: Measures, extra: dict[str, Number] | None = None
) -> dict[str, Cell]:
    """Return the measures of one trace as one row; `place` is its file and line."""
    trace = run.trace
    by_type = {f"{kind}_events": measures.by_type.get(kind, 0) for kind in EVENT_TYPES}
    return {
        "file": place[0],
        "line": place[1],
        "trace_id": trace.trace_id,
        "task_id": trace.task_id,
        "system": "" if trace.system is UNSET else trace.system,
        "topology": "" if trace.topology is UNSET else trace.topology,
        "stop": measures.stop,
        "reward": measures.reward,
        **measures.values,
        **by_type,
        **(extra or {}),
    }


class Line(NamedTuple):
    """What is told of one trace; of a broken one only what is wrong with it.

    Attributes
    ----------
    cells : dict of str to cell
        Its row; empty where the trace is broken.
    by_type, by_agent, rewards : dict
        As in :class:`corpus.traces.measures.metrics.Measures`.
    findings : list of Finding
        Why it is broken.
    """

    cells: dict[str, Cell]
    by_type: dict[str, int]
    by_agent: dict[str, int]
    rewards: dict[str, tuple[float | None, float | None]]
    findings: list[Finding]


def measured(item: TraceText | Finding, baseline: Baseline | None = None) -> Line:
    """Measure the trace of one document; a finding in its place is what the reader had to say."""
    if not isinstance(item, TraceText):
        return Line({}, {}, {}, {}, [item])
    run, findings = sound_run(item)
    if run is None:
        return Line({}, {}, {}, {}, findings[:EACH])
    found = measure(run)
    cells = row((item.file, item.line), run, found, baseline.compare(run) if baseline else None)
    return Line(cells, found.by_type, found.by_agent, found.rewards, [])


def as_json(line: Line) -> str:
    """Return the row with counts and channels as one line of JSON."""
    rewards = {name: {"tokens": tokens, "seconds": seconds} for name, (tokens, seconds) in line.rewards.items()}
    details = {"events_by_type": line.by_type, "events_by_agent": line.by_agent, "cost_per_reward": rewards}
    return msgspec.json.encode({**line.cells, **details}).decode()


class Spread(NamedTuple):
    """How a measure is distributed over traces; `number` counts those for which it is defined."""

    number: int
    total: float
    mean: float
    least: float
    median: float
    ninth: float
    most: float


def _doubles() -> array[float]:
    return array("d")


class Summary:
    """Collects measures over many traces: eight bytes a value, whatever the traces weigh."""

    def __init__(self) -> None:
        self.traces = 0
        self.stops: dict[str, int] = {}
        self.topologies: dict[str, int] = {}
        self._order: tuple[str, ...] = ()
        self._values: defaultdict[str, array[float]] = defaultdict(_doubles)

    def add(self, cells: dict[str, Cell]) -> None:
        """Add one row."""
        self.traces += 1
        self._order = self._order or tuple(cells)
        for name, counts in (("stop", self.stops), ("topology", self.topologies)):
            key = str(cells[name]) or "(none)"
            counts[key] = counts.get(key, 0) + 1
        values = self._values
        for name, value in cells.items():
            if value is not None and name not in _WORDS:
                values[name].append(value)  # type: ignore[arg-type]  # only the words are texts

    def spreads(self) -> dict[str, Spread]:
        """Return the distribution of each measure that at least one trace has, in the order of a row."""
        return {name: spread(self._values[name]) for name in self._order if name in self._values}


def spread(values: array[float]) -> Spread:
    """Describe numbers by count, total, mean, minimum, median, ninth decile and maximum (nearest rank).

    Examples
    --------
    >>> spread(array("d", [4, 1, 3, 2]))
    Spread(number=4, total=10.0, mean=2.5, least=1.0, median=2.0, ninth=4.0, most=4.0)
    """
    ordered = sorted(values)
    count = len(ordered)
    total = summed(ordered)

    def rank(share: float) -> float:
        return ordered[max(0, -int(-share * count // 1) - 1)]

    return Spread(count, total, total / count, ordered[0], rank(0.5), rank(0.9), ordered[-1])
