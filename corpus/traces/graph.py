"""The happened-before graph of a trace: an order of its events, and one-pass walks over its edges.

Events are identified by their position in the trace. Edges are kept sorted by the rank of their
source, so that one plain loop over them is a dynamic programme: when an edge is reached, everything
about its source is known.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import compress
from operator import lt


class Graph:
    """Events in an order that respects the edges, and the edges that run forward in it.

    Parameters
    ----------
    times : sequence of float
        Time of each event.
    sources, targets : list of int
        Both ends of each edge, as positions of events.

    Attributes
    ----------
    order : list of int
        Every event once; each edge runs forward. Where the edges leave a choice: by time, then by
        position.
    by_time : list of int
        Every event by time, then by position.
    rank : list of int
        For each event its place in `order`.
    timely : bool
        Whether `by_time` respects the edges, so that it is `order`.
    sources, targets : list of int
        The edges, sorted by the rank of their source.
    cycle : list of int
        Events of one cycle, or nothing. With a cycle, `order` is by time and edges against it are
        left out.
    size : int
        Number of events.
    """

    def __init__(self, times: Sequence[float], sources: list[int], targets: list[int]) -> None:
        self.size = len(times)
        self.cycle: list[int] = []
        self.by_time = sorted(range(self.size), key=times.__getitem__)
        self.order = self.by_time
        self.rank = _rank(self.order)
        causes = list(map(self.rank.__getitem__, sources))
        effects = list(map(self.rank.__getitem__, targets))
        forward = list(map(lt, causes, effects))
        self.timely = all(forward)
        if not self.timely:
            # Places in `by_time`, so that the smallest one is the earliest.
            sorter = TopologicalSorter[int](dict.fromkeys(range(self.size), ()))
            for cause, effect in zip(causes, effects, strict=True):
                sorter.add(effect, cause)
            try:
                order = list(earliest_first(sorter))
            except CycleError as error:
                # The error names the event twice with which the cycle begins.
                cycle = list(map(self.by_time.__getitem__, error.args[1][1:]))
                first = cycle.index(min(cycle))
                self.cycle = cycle[first:] + cycle[:first]
                sources = list(compress(sources, forward))
                targets = list(compress(targets, forward))
            else:
                self.order = list(map(self.by_time.__getitem__, order))
                self.rank = _rank(self.order)
        places = sorted(range(len(sources)), key=[self.rank[one] for one in sources].__getitem__)
        self.sources = list(map(sources.__getitem__, places))
        self.targets = list(map(targets.__getitem__, places))

    def edges(self) -> Iterator[tuple[int, int]]:
        """Return source and target of each edge, sorted by the rank of the source."""
        return zip(self.sources, self.targets, strict=True)

    def reached(self, starts: Iterable[int]) -> bytearray:
        """Mark `starts` and each event on a path from them."""
        mark = bytearray(self.size)
        for start in starts:
            mark[start] = 1
        for source, target in self.edges():
            if mark[source]:
                mark[target] = 1
        return mark

    def ancestors(self, event: int) -> bytearray:
        """Mark `event` and each event with a path to it."""
        mark = bytearray(self.size)
        mark[event] = 1
        for source, target in zip(reversed(self.sources), reversed(self.targets), strict=True):
            # All edges that leave the target have a source of higher rank, so they came before this
            # one.
            if mark[target]:
                mark[source] = 1
        return mark

    def heaviest(self, weights: Sequence[float]) -> float:
        """Return the weight of the heaviest path of events that weigh as much.

        Examples
        --------
        >>> Graph([0, 1, 2, 3], [0, 0, 1], [1, 2, 3]).heaviest([1, 1, 5, 1])
        6
        """
        best = list(weights)
        for source, target in self.edges():
            heavier = best[source] + weights[target]
            if heavier > best[target]:
                best[target] = heavier
        return max(best)


def _rank(order: Sequence[int]) -> list[int]:
    """Return for each event its place in `order`."""
    rank = [0] * len(order)
    for place, event in enumerate(order):
        rank[event] = place
    return rank


def earliest_first(sorter: TopologicalSorter[int]) -> Iterator[int]:
    """Yield places after all that lead to them; of those that could be next, the smallest."""
    sorter.prepare()
    ready: list[int] = []
    while sorter.is_active():
        for place in sorter.get_ready():
            heapq.heappush(ready, place)
        place = heapq.heappop(ready)
        yield place
        sorter.done(place)
