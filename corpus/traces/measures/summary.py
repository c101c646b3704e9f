"""One row of measures for each trace, and a summary over many."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from corpus.traces.lookup import JsonObject
from corpus.traces.measures.catalogue import NAMES
from corpus.traces.measures.metrics import measure
from corpus.traces.measures.prices import Prices, priced
from corpus.traces.measures.timing import summed
from corpus.traces.model import EVENT_TYPES
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

Cell: TypeAlias = str | float | int | None
TEXTS = ("file", "trace_id", "task_id", "system", "topology", "stop")
NOT_MEASURES = frozenset((*TEXTS, "line"))
TYPE_COLUMNS = tuple(map("{}_events".format, EVENT_TYPES))
MEASURES = (*NAMES, *TYPE_COLUMNS)
ROW = ("file", "line", *TEXTS[1:], *MEASURES)
"""The columns of :func:`measured`; prices add some."""


class MeasuredTrace(NamedTuple):
    """The measures of one trace: its row, and the counts that no cell of a row holds.

    Attributes
    ----------
    cells : dict of str to cell
        Its row.
    details : dict of str to object
        By type, agent and model, as in JSON.
    """

    cells: dict[str, Cell]
    details: JsonObject


def measured(document: TraceText, run: Run, prices: Prices | None = None) -> MeasuredTrace:
    """Measure the run of one document; what has no price is among the details."""
    trace = run.trace
    measures = measure(run)
    details = measures.details
    by_type = details["events_by_type"]
    cells: dict[str, Cell] = {
        "file": document.file,
        "line": document.line,
        "trace_id": trace.trace_id,
        "task_id": trace.task_id,
        "system": trace.system or "",
        "topology": trace.topology or "",
        "stop": measures.stop,
        **measures.values,
        **{f"{kind}_events": by_type.get(kind, 0) for kind in EVENT_TYPES},
    }
    if prices:
        price, details["unpriced"] = priced(prices, run, details["models"])
        cells |= price
    return MeasuredTrace(cells, details)


@dataclass(frozen=True)
class Summary:
    """What many traces have: how often each stop and topology, and the spread of each measure."""

    traces: int
    stops: dict[str, int]
    topologies: dict[str, int]
    measures: dict[str, dict[str, float]]


class Summing:
    """Collects measures over many traces: eight bytes per value, however large the traces are."""

    def __init__(self) -> None:
        self.traces = 0
        self._stops: Counter[str] = Counter()
        self._topologies: Counter[str] = Counter()
        self._values: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))

    def add(self, cells: dict[str, Cell]) -> None:
        """Add one row."""
        self.traces += 1
        self._stops[str(cells["stop"])] += 1
        self._topologies[str(cells["topology"]) or "(none)"] += 1
        for name, value in cells.items():
            if name not in NOT_MEASURES:
                # Made for undefined values too, so that measures are in the order of the row.
                values = self._values[name]
                if value is not None:
                    values.append(value)  # type: ignore[arg-type]  # other columns hold no text

    def summary(self) -> Summary:
        """Return the summary, with the measures that at least one trace has, in row order."""
        spreads = {name: spread(sorted(values)) for name, values in self._values.items() if values}
        return Summary(self.traces, self._stops, self._topologies, spreads)


def spread(ordered: Sequence[float]) -> dict[str, float]:
    """Describe numbers that are in order; median and ninth decile are found by nearest rank.

    Examples
    --------
    >>> spread([1, 2, 3, 4])
    {'number': 4, 'total': 10.0, 'mean': 2.5, 'least': 1, 'median': 2, 'ninth': 4, 'most': 4}
    """
    count = len(ordered)
    total = summed(ordered)
    return {
        "number": count,
        "total": total,
        "mean": total / count,
        "least": ordered[0],
        "median": ordered[nearest_rank(0.5, count)],
        "ninth": ordered[nearest_rank(0.9, count)],
        "most": ordered[-1],
    }


def nearest_rank(share: float, count: int) -> int:
    """Return the place, from 0, of the number below which a `share` of `count` numbers is.

    Examples
    --------
    >>> [nearest_rank(0.5, count) for count in (1, 2, 3, 4)]
    [0, 0, 1, 1]
    """
    return max(0, math.ceil(share * count) - 1)
