"""The three tables of a store, and how one run becomes rows of them."""

from collections.abc import Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any

import msgspec
import pyarrow as pa
from msgspec import UNSET

from corpus.traces.measures.catalogue import CATALOGUE
from corpus.traces.measures.metrics import measure
from corpus.traces.measures.rows import NOT_MEASURES, TEXTS, TYPE_COLUMNS, columns, row
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.run import Run

#: Incremented whenever a column changes its name or meaning.
VERSION = 6

#: Rows of one row group, which is as much as a reader holds in memory.
GROUP = 50_000

#: Columns that hold whole numbers; all other measures are doubles.
WHOLE = {"line", *TYPE_COLUMNS, *(metric.name for metric in CATALOGUE if metric.is_count)}


def _type_of(name: str) -> pa.DataType:
    if name in TEXTS:
        return pa.string()
    if name in WHOLE:
        return pa.int64()
    return pa.float64()


def _columns(kind: pa.DataType, names: str) -> list[tuple[str, pa.DataType]]:
    return [(name, kind) for name in names.split()]


_NUMBERS = pa.map_(pa.string(), pa.float64())

TRACES = pa.schema(
    [
        ("digest", pa.string()),
        *((name, _type_of(name)) for name in columns()),
        *_columns(_NUMBERS, "rewards costs metrics"),
    ]
)
EVENTS = pa.schema(
    [
        *_columns(pa.string(), "digest trace_id"),
        ("position", pa.int64()),
        *_columns(pa.string(), "id type agent role from_agent to_agent tool"),
        ("t", pa.float64()),
        ("content_ref", pa.string()),
        ("trusted", pa.bool_()),
        *_columns(pa.float64(), "x_steps x_tokens"),
        *((f"x_tokens_{kind}", pa.float64()) for kind in TOKEN_KINDS),
        *_columns(pa.string(), "x_model x_contents x_rewards"),
        *_columns(pa.float64(), "x_end x_step_t x_step_end"),
        *_columns(pa.string(), "x_call_id x_stop_reason x_inferred x_run x_error more"),
    ]
)
EDGES = pa.schema(_columns(pa.string(), "digest trace_id src dst type"))
#: Table by name, in the order in which their files are moved into place.
TABLES: dict[str, pa.Schema] = {"events": EVENTS, "edges": EDGES, "traces": TRACES}

#: Digest of all columns and their types: a store whose columns differ is another one, even where
#: somebody forgot to raise the version.
COLUMNS = sha256("\n".join(map(str, TABLES.values())).encode()).hexdigest()
MEASURES = tuple(name for name in columns() if name not in NOT_MEASURES)

#: Columns that are called otherwise than the key of an event.
RENAMED = {"from_agent": "from_", "to_agent": "to"}
#: Columns that are not keys of an event or edge.
COMPUTED = frozenset({"digest", "trace_id", "position", "more"})
_GETTERS = {
    name: attrgetter(RENAMED.get(name, name)) for name in EVENTS.names if name not in COMPUTED
}
#: Keys of any shape, which a store has as JSON.
FREE = frozenset({"x_contents", "x_rewards", "x_inferred", "x_run", "x_error"})


def trace_row(place: tuple[str, int], digest: str, run: Run) -> dict[str, Any]:
    """Return the row of `TRACES` for one run; `place` is the file and line it was read from."""
    trace = run.trace
    return {
        "digest": digest,
        **row(place, run, measure(run)),
        "rewards": list(trace.rewards.items()),
        "costs": list(trace.costs.items()),
        "metrics": list((trace.metrics or {}).items()),
    }


def event_columns(
    digest: str, run: Run, more: Sequence[str | None], start: int, stop: int
) -> dict[str, Sequence[Any]]:
    """Return the events from `start` to `stop` as columns of `EVENTS`, in the order of the trace.

    `more` has the further keys of each event, or is empty where no event has any.
    """
    events = run.events[start:stop]
    count = len(events)
    made: dict[str, Sequence[Any]] = {
        "digest": [digest] * count,
        "trace_id": [run.trace.trace_id] * count,
        "position": range(start, start + count),
        "more": more[start:stop] or [None] * count,
    }
    for name, getter in _GETTERS.items():
        values = map(getter, events)
        if name in FREE:
            made[name] = list(map(_as_json, values))
        else:
            # A conditional inside a comprehension: this runs for every key of every event, and a
            # loop takes half as long again.
            made[name] = [None if value is UNSET else value for value in values]
    return made


def _as_json(value: Any) -> str | None:
    if value is UNSET:
        return None
    return msgspec.json.encode(value).decode()


def edge_columns(digest: str, run: Run, start: int, stop: int) -> dict[str, Sequence[Any]]:
    """Return the edges from `start` to `stop` as columns of `EDGES`."""
    edges = run.trace.edges[start:stop]
    return {
        "digest": [digest] * len(edges),
        "trace_id": [run.trace.trace_id] * len(edges),
        "src": [edge.src for edge in edges],
        "dst": [edge.dst for edge in edges],
        "type": [edge.type for edge in edges],
    }
