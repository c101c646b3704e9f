"""Which tool_result answers which tool_call."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.model import Event


class Pairs(NamedTuple):
    """Which result answers which call, by position, and what is left over."""

    answers: dict[int, int]
    open_calls: list[int]
    lone_results: list[int]


def pair(
    events: Sequence[Event],
    by_kind: Mapping[str, list[int]],
    edges: tuple[list[int], list[int]],
    rank: Sequence[int],
) -> Pairs:
    """Pair tool calls with results: by ``x_call_id``, else by an edge, else in order by tool name.

    Two that carry different ids are never a pair.

    Parameters
    ----------
    events
        The events of the trace.
    by_kind
        Positions of the events of each type.
    edges
        Sources and targets of the edges, by position.
    rank
        Where each event stands in the happened-before order.
    """
    calls, results = by_kind.get("tool_call", []), by_kind.get("tool_result", [])
    ids = [events[i].x_call_id for i in reversed(calls)]
    by_id = dict(zip(ids, reversed(calls), strict=True))
    by_id.pop(UNSET, None)
    answers: dict[int, int] = {}
    left: list[int] = []
    if by_id:
        for result, call_id in zip(results, [events[i].x_call_id for i in results], strict=True):
            call = by_id.pop(call_id, None)
            if call is None:
                left.append(result)
            else:
                answers[call] = result
    else:
        left = list(results)
    if left:
        left = _by_edges(events, edges, answers, left)
    if left:
        left = _by_name(events, rank, answers, ([call for call in calls if call not in answers], left))
    return Pairs(answers, [call for call in calls if call not in answers], left)


def _by_edges(
    events: Sequence[Event], edges: tuple[list[int], list[int]], answers: dict[int, int], results: Iterable[int]
) -> list[int]:
    """Pair along edges from a call to a result; return the results that are left."""
    waiting = dict.fromkeys(results)
    for call, result in zip(*edges, strict=True):
        if result in waiting and events[call].type == "tool_call" and call not in answers:
            if events[call].x_call_id is not UNSET and events[result].x_call_id is not UNSET:
                continue
            answers[call] = result
            del waiting[result]
    return list(waiting)


def _by_name(
    events: Sequence[Event], rank: Sequence[int], answers: dict[int, int], left: tuple[list[int], list[int]]
) -> list[int]:
    """Pair each result with the first open call of the same tool before it; return the results that are left."""
    calls, results = (sorted(side, key=rank.__getitem__) for side in left)
    queues: dict[tuple[object, bool], deque[int]] = {}
    for call in calls:
        queues.setdefault((events[call].tool, events[call].x_call_id is UNSET), deque()).append(call)
    lone = []
    for result in results:
        bare = events[result].x_call_id is UNSET
        waiting = [queues.get((events[result].tool, free)) for free in ((True, False) if bare else (True,))]
        first = min((queue for queue in waiting if queue), key=lambda queue: rank[queue[0]], default=None)
        if first and rank[first[0]] < rank[result]:
            answers[first.popleft()] = result
        else:
            lone.append(result)
    return lone
