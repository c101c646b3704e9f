"""Two runs compared: the first event in which they differ, and which measures differ."""

from collections.abc import Mapping
from itertools import zip_longest
from operator import attrgetter
from typing import TypeAlias

from msgspec import UNSET

from corpus.traces.measures.metrics import Number, Numbers, finite, measure
from corpus.traces.run import Run

#: Keys in which two events must agree; ids, times and costs may differ.
COMPARED = ("type", "agent", "role", "from", "to", "tool", "content_ref", "trusted")
_compared_values = attrgetter(*(key.replace("from", "from_") for key in COMPARED))

#: Keys that differ, with both values.
Differing: TypeAlias = dict[str, tuple[str, str]]


def divergence(left: Run, right: Run) -> tuple[int, Differing] | None:
    """Return the number, from 1, of the first event in which two runs differ, and how they differ.

    No key differs where one of the runs is over.
    """
    # In an order that respects the edges: recorders list simultaneous events as they like.
    runs = (map(run.events.__getitem__, run.graph.order) for run in (left, right))
    for step, (one, other) in enumerate(zip_longest(*runs), 1):
        if one is None or other is None:
            return step, {}
        differing = {}
        values = zip(COMPARED, _compared_values(one), _compared_values(other), strict=True)
        for key, a, b in values:
            if a != b:
                differing[key] = (_as_text(a), _as_text(b))
        if differing:
            return step, differing
    return None


def _as_text(value: object) -> str:
    if value is UNSET:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def changes(left: Run, right: Run) -> list[tuple[str, Number, Number, Number]]:
    """List the numbers in which two runs differ: name, left, right, and right minus left.

    The last is None where either is undefined, or it is too large for a double.
    """
    found = []
    left_numbers, right_numbers = _measured_numbers(left), _measured_numbers(right)
    for name in dict.fromkeys([*left_numbers, *right_numbers]):
        a = left_numbers.get(name)
        b = right_numbers.get(name)
        if a != b:
            change = None
            if a is not None and b is not None:
                change = finite(b - a)
            found.append((name, a, b, change))
    return found


def _measured_numbers(run: Run) -> Numbers:
    trace = run.trace
    numbers: Numbers = dict(measure(run).values)
    groups: dict[str, Mapping[str, float]] = {
        "events": {kind: len(places) for kind, places in run.by_kind.items()},
        "rewards": trace.rewards,
        "costs": trace.costs,
        "metrics": trace.metrics or {},
    }
    for group, table in groups.items():
        for name, value in table.items():
            numbers[f"{group}.{name}"] = value
    return numbers
