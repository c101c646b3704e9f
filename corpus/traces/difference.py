"""Two runs compared: the first event in which they differ, and which measures differ."""

from itertools import zip_longest
from operator import attrgetter
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.measures.metrics import Measures, Number, Numbers, finite, measure
from corpus.traces.run import Run

#: Keys in which two events must agree; ids, times and costs may differ.
COMPARED = ("type", "agent", "role", "from", "to", "tool", "content_ref", "trusted")
compared_values = attrgetter(*(key.replace("from", "from_") for key in COMPARED))
"""Returns the values of these keys of an event."""


class Divergence(NamedTuple):
    """Where two runs diverge.

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


class MeasureChange(NamedTuple):
    """One measure of two runs.

    `change` is right minus left; None where either is undefined, or too large for a double.
    """

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
    changes : list of MeasureChange
        Measures, event types, rewards and costs that differ.
    """

    divergence: Divergence | None
    common: int
    changes: list[MeasureChange]


def compare(left: Run, right: Run) -> Difference:
    """Compare two runs."""
    first = divergence(left, right)
    common = first.step - 1 if first else len(left.events)
    return Difference(first, common, changes(left, right))


def divergence(left: Run, right: Run) -> Divergence | None:
    """Return the first event, in happened-before order, in which two runs differ."""
    # In an order that respects the edges: recorders list simultaneous events as they like.
    runs = (map(run.events.__getitem__, run.graph.order) for run in (left, right))
    for step, (one, other) in enumerate(zip_longest(*runs), 1):
        if one is None:
            return Divergence(step, "", other.id, {})
        if other is None:
            return Divergence(step, one.id, "", {})
        values = compared_values(one), compared_values(other)
        if values[0] != values[1]:
            differing = {}
            for key, a, b in zip(COMPARED, *values, strict=True):
                if a != b:
                    differing[key] = (_as_text(a), _as_text(b))
            return Divergence(step, one.id, other.id, differing)
    return None


def _as_text(value: object) -> str:
    if value is UNSET:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def changes(left: Run, right: Run) -> list[MeasureChange]:
    """List the numbers in which two runs differ."""
    found = []
    left_numbers = _measured_numbers(left, measure(left))
    right_numbers = _measured_numbers(right, measure(right))
    for name in dict.fromkeys([*left_numbers, *right_numbers]):
        a = left_numbers.get(name)
        b = right_numbers.get(name)
        if a != b:
            change = None
            if a is not None and b is not None:
                change = finite(b - a)
            found.append(MeasureChange(name, a, b, change))
    return found


def _measured_numbers(run: Run, measures: Measures) -> Numbers:
    trace = run.trace
    numbers: Numbers = dict(measures.values)
    for kind, count in measures.details["events_by_type"].items():
        numbers[f"{kind} events"] = count
    groups = {"rewards": trace.rewards, "costs": trace.costs, "metrics": trace.metrics or {}}
    for group, table in groups.items():
        for name, value in table.items():
            numbers[f"{group}.{name}"] = value
    return numbers
