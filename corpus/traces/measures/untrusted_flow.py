"""How untrusted content spreads along the edges of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from corpus.traces import trace_rules as rules
from corpus.traces.reading.structure import Problem
from corpus.traces.run import OUTSIDE, Run


class UntrustedFlow(NamedTuple):
    """Where untrusted content got to.

    Attributes
    ----------
    origin : list of int
        For each event the untrusted event whose content reaches it first, itself for an untrusted one, else -1.
    before : list of int
        The event it came from by one edge, else -1.
    reached : list of int
        Trusted events and aggregates that it reached, in the order of the run.
    """

    origin: list[int]
    before: list[int]
    reached: list[int]

    def path(self, event: int) -> list[int]:
        """Return the events from the origin to `event`."""
        path = [event]
        while self.before[path[-1]] >= 0:
            path.append(self.before[path[-1]])
        return path[::-1]


def taint(run: Run) -> UntrustedFlow | None:
    """Follow untrusted content; human and safety events stop it. None where nothing is marked untrusted."""
    sources = [place for place, event in enumerate(run.events) if event.trusted is False]
    if not sources:
        return None
    kinds = run.kinds
    origin, before = [-1] * len(kinds), [-1] * len(kinds)
    for place in sources:
        origin[place] = place
    for s, d in zip(run.graph.sources, run.graph.targets, strict=True):
        if origin[s] >= 0 and kinds[s] not in OUTSIDE and origin[d] < 0:
            origin[d], before[d] = origin[s], s
    reached = [
        place
        for place in run.graph.order
        if before[place] >= 0
        and (run.events[place].trusted is True or kinds[place] == "aggregate")
        and kinds[place] not in OUTSIDE
    ]
    return UntrustedFlow(origin, before, reached)


def spread(run: Run) -> Iterator[Problem]:
    """OT107: each trusted event and each aggregate that untrusted content reaches unchecked."""
    found = taint(run)
    if found is None:
        return
    for place in found.reached:
        source = run.events[found.origin[place]].id
        kind = "aggregate" if run.kinds[place] == "aggregate" else f"trusted {run.kinds[place]}"
        yield Problem(rules.TAINT, f"/events/{place}", run.events[place].id, {"source": source, "kind": kind})
