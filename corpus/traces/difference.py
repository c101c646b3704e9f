"""Two runs compared: where they first part, and which measures differ."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.measures.metrics import Measures, Number, measure
from corpus.traces.model import Event
from corpus.traces.run import Run

COMPARED = ("type", "agent", "role", "from", "to", "tool", "content_ref", "trusted")
"""Keys in which two events must agree; ids, times and costs may differ between two runs that do the same."""


class Divergence(NamedTuple):
    """Where two runs part.

    Attributes
    ----------
    step : int
        Number of the event, from 1, in the happened-before order of both.
    left, right : str
        Id of the event there; empty where that run is already over.
    keys : dict of str to (str, str)
        The keys that differ, with both values.
    """

    step: int
    left: str
    right: str
    keys: dict[str, tuple[str, str]]


class Change(NamedTuple):
    """One measure of two runs; `change` is right minus left, None where either is undefined."""

    name: str
    left: Number
    right: Number
    change: Number


class Difference(NamedTuple):
    """What differs between two runs.

    Attributes
    ----------
    divergence : Divergence or None
        The first event in which they differ.
    common : int
        Events before it.
    changes : list of Change
        Measures, event types, rewards and costs that differ.
    """

    divergence: Divergence | None
    common: int
    changes: list[Change]


def compare(left: Run, right: Run) -> Difference:
    """Compare two runs."""
    first = divergence(left, right)
    common = first.step - 1 if first else len(left.events)
    return Difference(first, common, changes(left, right))


def divergence(left: Run, right: Run) -> Divergence | None:
    """Return the first event, in happened-before order, in which two runs differ."""
    for step, (a, b) in enumerate(zip_longest(left.graph.order, right.graph.order), 1):
        one = None if a is None else left.events[a]
        other = None if b is None else right.events[b]
        if one is None or other is None or _signature(one) != _signature(other):
            keys = _differing(one, other) if one and other else {}
            return Divergence(step, one.id if one else "", other.id if other else "", keys)
    return None


def _signature(event: Event) -> tuple[object, ...]:
    return (
        event.type,
        event.agent,
        event.role,
        event.from_,
        event.to,
        event.tool,
        event.content_ref,
        event.trusted,
    )


def _differing(one: Event, other: Event) -> dict[str, tuple[str, str]]:
    pairs = zip(COMPARED, _signature(one), _signature(other), strict=True)
    return {key: (_shown(a), _shown(b)) for key, a, b in pairs if a != b}


def _shown(value: object) -> str:
    return "" if value is UNSET else str(value).lower() if isinstance(value, bool) else str(value)


def changes(left: Run, right: Run) -> list[Change]:
    """List the numbers in which two runs differ."""
    found = []
    numbers, others = _numbers(left, measure(left)), _numbers(right, measure(right))
    for name in dict.fromkeys([*numbers, *others]):
        a, b = numbers.get(name), others.get(name)
        if a != b:
            found.append(Change(name, a, b, None if a is None or b is None else b - a))
    return found


def _numbers(run: Run, found: Measures) -> dict[str, Number]:
    trace = run.trace
    numbers: dict[str, Number] = dict(found.values)
    numbers |= {f"{kind} events": count for kind, count in found.by_type.items()}
    metrics = trace.metrics if isinstance(trace.metrics, dict) else {}
    for group, table in (("rewards", trace.rewards), ("costs", trace.costs), ("metrics", metrics)):
        numbers |= {f"{group}.{name}": value for name, value in table.items()}
    return numbers
