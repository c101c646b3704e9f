"""How untrusted content spreads along the edges of a run."""

from typing import NamedTuple

from corpus.traces.run import OUTSIDE, Run


class UntrustedFlow(NamedTuple):
    """Which events untrusted content reached, and how.

    Attributes
    ----------
    origin : list of int
        For each event the untrusted event whose content reaches it first, itself for an untrusted
        one, else -1.
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
        path.reverse()
        return path


def untrusted_flow(run: Run) -> UntrustedFlow:
    """Follow untrusted content until human and safety events."""
    untrusted = [place for place, event in enumerate(run.events) if event.trusted is False]
    kinds = run.kinds
    origin = [-1] * len(kinds)
    before = [-1] * len(kinds)
    if not untrusted:
        return UntrustedFlow(origin, before, [])
    for place in untrusted:
        origin[place] = place
    for source, target in run.graph.edges():
        is_reached_first = origin[source] >= 0 and origin[target] < 0
        # A person or a guard has seen what it passes on.
        if is_reached_first and kinds[source] not in OUTSIDE:
            origin[target] = origin[source]
            before[target] = source
    reached = []
    for place in run.graph.order:
        if before[place] < 0 or kinds[place] in OUTSIDE:
            continue
        if run.events[place].trusted is True or kinds[place] == "aggregate":
            reached.append(place)
    return UntrustedFlow(origin, before, reached)
