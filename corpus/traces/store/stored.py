"""The traces of a store as documents again, one at a time, in the order of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from corpus.traces.reading.reading import TraceText
from corpus.traces.store.schema import FREE, TABLES
from corpus.traces.store.store import Store, StorePart, row_groups

#: Rows that are Python values at once.
_AT_ONCE = 5_000
#: Columns of events and edges that are not keys of them, and those that are called otherwise.
_NO_KEYS = ("digest", "trace_id", "position", "more")
_NAMES = {"from_agent": "from", "to_agent": "to"}


def stored(store: Store, part: StorePart) -> Iterator[TraceText]:
    """Yield the traces of a part; line and file are those that they were read from."""
    events = _rows(store, part, "events")
    edges = _rows(store, part, "edges")
    for row in _rows(store, part, "traces"):
        trace: dict[str, Any] = {"trace_id": row["trace_id"], "task_id": row["task_id"]}
        for name in ("system", "topology"):
            if row[name]:
                trace[name] = row[name]
        trace["events"] = [_event(one) for one in islice(events, row["events"])]
        trace["edges"] = [_keys(one) for one in islice(edges, row["edges"])]
        for name in ("rewards", "costs", "metrics"):
            trace[name] = dict(row[name])
        yield TraceText(row["file"], row["line"], msgspec.json.encode(trace), False)


def _rows(store: Store, part: StorePart, table: str) -> Iterator[dict[str, Any]]:
    for group in row_groups(store, part, table, TABLES[table].names):
        for batch in group.to_batches(_AT_ONCE):
            yield from batch.to_pylist()


def _keys(row: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in row.items():
        if value is not None and name not in _NO_KEYS:
            found[_NAMES.get(name, name)] = value
    return found


def _event(row: dict[str, Any]) -> dict[str, Any]:
    event = _keys(row)
    for name in FREE & event.keys():
        event[name] = msgspec.json.decode(event[name])
    if row["more"] is not None:
        event |= msgspec.json.decode(row["more"])
    return event
