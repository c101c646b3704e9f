"""The happened-before graph of a trace: an order of its events, and one-pass walks over its edges.

Events are meant by their position in the trace. Edges are kept sorted by the order of their source, so that one plain
loop over them is a dynamic programme: when an edge is met, everything about its source is known.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from operator import le, lt


class Graph:
    """Events in an order that respects the edges, and the edges that run forward in it.

    Attributes
    ----------
    order : sequence of int
        Every event once; each edge runs forward. Where the edges leave a choice: by time, then by place in the file.
    by_time : sequence of int
        Every event by time, then by place in the file.
    timely : bool
        Whether `by_time` respects the edges, so that it is `order`.
    sources, targets : list of int
        The edges, sorted by where their source stands in `order`.
    cycle : list of int
        Events of one cycle, or nothing. With a cycle, `order` is by time and edges against it are left out.
    size : int
        Number of events.
    """

    def __init__(self, times: Sequence[float], sources: list[int], targets: list[int]) -> None:
        self.size = len(times)
        self.cycle: list[int] = []
        self.by_time = self.order = _by_time(times)
        rank = _rank(self.order)
        self.timely = _forward(rank, sources, targets)
        if not self.timely:
            order = _kahn(self.order, rank, sources, targets)
            if len(order) == self.size:
                self.order, rank = order, _rank(order)
            else:
                self.cycle = _one_cycle(self.size, order, sources, targets)
                ahead = [i for i, s in enumerate(sources) if rank[s] < rank[targets[i]]]
                sources, targets = [sources[i] for i in ahead], [targets[i] for i in ahead]
        self.rank = rank
        self.sources, self.targets = _sorted(rank, sources, targets)

    def reached(self, starts: Iterable[int]) -> bytearray:
        """Mark each event on a path from `starts`, and these."""
        mark = bytearray(self.size)
        for start in starts:
            mark[start] = 1
        for s, d in zip(self.sources, self.targets, strict=True):
            if mark[s]:
                mark[d] = 1
        return mark

    def ancestors(self, event: int) -> bytearray:
        """Mark `event` and each event with a path to it."""
        mark = bytearray(self.size)
        mark[event] = 1
        for s, d in zip(reversed(self.sources), reversed(self.targets), strict=True):
            if mark[d]:  # the edges from d, whose sources come later, have all been met
                mark[s] = 1
        return mark

    def heaviest(self, weights: Sequence[float] | None = None) -> float:
        """Return what the heaviest path weighs; each event weighs 1 without `weights`.

        Examples
        --------
        >>> Graph([0, 1, 2, 3], [0, 0, 1], [1, 2, 3]).heaviest([1, 1, 5, 1])
        6
        """
        own = weights if weights is not None else [1] * self.size
        best = list(own)
        for s, d in zip(self.sources, self.targets, strict=True):
            heavier = best[s] + own[d]
            if heavier > best[d]:
                best[d] = heavier
        return max(best)


def _by_time(times: Sequence[float]) -> Sequence[int]:
    """Return the events by time, then by place."""
    if all(map(le, times, times[1:])):
        return range(len(times))
    return sorted(range(len(times)), key=times.__getitem__)


def _rank(order: Sequence[int]) -> Sequence[int]:
    """Return for each event where it stands in `order`."""
    if isinstance(order, range):
        return order
    rank = [0] * len(order)
    for place, event in enumerate(order):
        rank[event] = place
    return rank


def _forward(rank: Sequence[int], sources: list[int], targets: list[int]) -> bool:
    if isinstance(rank, range):
        return all(map(lt, sources, targets))
    return all(map(lt, map(rank.__getitem__, sources), map(rank.__getitem__, targets)))


def _sorted(rank: Sequence[int], first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    """Return two columns sorted by the rank of the first."""
    keys = first if isinstance(rank, range) else [rank[event] for event in first]
    if all(map(le, keys, keys[1:])):
        return first, second
    places = sorted(range(len(keys)), key=keys.__getitem__)
    return [first[i] for i in places], [second[i] for i in places]


def _followers(size: int, sources: list[int], targets: list[int]) -> list[list[int] | None]:
    followers: list[list[int] | None] = [None] * size
    for s, d in zip(sources, targets, strict=True):
        known = followers[s]
        if known is None:
            followers[s] = [d]
        else:
            known.append(d)
    return followers


def _kahn(by_time: Sequence[int], rank: Sequence[int], sources: list[int], targets: list[int]) -> list[int]:
    """Return the events that lie behind no cycle, in topological order, earliest first where there is a choice."""
    waiting = [0] * len(by_time)
    for d in targets:
        waiting[d] += 1
    followers = _followers(len(by_time), sources, targets)
    ready = [place for place, event in enumerate(by_time) if not waiting[event]]
    order: list[int] = []
    while ready:
        event = by_time[heapq.heappop(ready)]
        order.append(event)
        for d in followers[event] or ():
            waiting[d] -= 1
            if not waiting[d]:
                heapq.heappush(ready, rank[d])
    return order


def _one_cycle(size: int, done: list[int], sources: list[int], targets: list[int]) -> list[int]:
    """Return the events of one cycle among those that Kahn's algorithm left over, the first of the file in front."""
    left = bytearray(b"\x01") * size
    for event in done:
        left[event] = 0
    before = {d: s for s, d in zip(sources, targets, strict=True) if left[s] and left[d]}
    seen: dict[int, int] = {}
    event = next(iter(before))
    while event not in seen:
        seen[event] = len(seen)
        event = before[event]
    cycle = list(seen)[seen[event] :][::-1]
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]
