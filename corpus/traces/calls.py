"""Which tool_result answers which tool_call."""

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

    @property
    def calls(self) -> dict[int, int]:
        """The call of each result."""
        return {result: call for call, result in self.answers.items()}


def pair(
    events: Sequence[Event],
    by_kind: Mapping[str, list[int]],
    edges: tuple[list[int], list[int]],
    rank: Sequence[int],
) -> Pairs:
    """Pair tool calls with results: by ``x_call_id``, else by an edge, else in order by tool name.

    A call and a result that carry different ids are never a pair.

    Parameters
    ----------
    events
        The events of the trace.
    by_kind
        Positions of the events of each type.
    edges
        Sources and targets of the edges, by position.
    rank
        Place of each event in the happened-before order.
    """
    calls = by_kind["tool_call"]
    results = by_kind["tool_result"]
    answers, left = _by_id(events, calls, results)
    if left:
        left = _by_edges(events, edges, answers, left)
    if left:
        unanswered = [call for call in calls if call not in answers]
        left = _by_name(events, rank, answers, unanswered, left)
    open_calls = [call for call in calls if call not in answers]
    return Pairs(answers, open_calls, left)


def _by_id(
    events: Sequence[Event], calls: Sequence[int], results: Sequence[int]
) -> tuple[dict[int, int], list[int]]:
    """Pair by ``x_call_id``; return the answer of each call, and the results that are left.

    An id may be unique for one agent only. Where several calls have it, that of the agent of the
    result counts, else the first one.
    """
    waiting: dict[object, list[int]] = {}
    for call in reversed(calls):
        call_id = events[call].x_call_id
        waiting.setdefault(call_id, []).append(call)
    waiting.pop(UNSET, None)
    answers: dict[int, int] = {}
    left = []
    for result in results:
        candidates = waiting.get(events[result].x_call_id)
        if not candidates:
            left.append(result)
            continue
        agent = events[result].agent
        # The first call is the last one in the list.
        own = (call for call in reversed(candidates) if events[call].agent == agent)
        chosen = next(own, candidates[-1])
        candidates.remove(chosen)
        answers[chosen] = result
    return answers, left


def _by_edges(
    events: Sequence[Event],
    edges: tuple[list[int], list[int]],
    answers: dict[int, int],
    results: Iterable[int],
) -> list[int]:
    """Pair along edges from a call to a result; return the results that are left."""
    waiting = dict.fromkeys(results)
    for call, result in zip(*edges, strict=True):
        asking = events[call]
        if result not in waiting or call in answers or asking.type != "tool_call":
            continue
        # Where both have an id, pairing by id has decided already.
        if asking.x_call_id is UNSET or events[result].x_call_id is UNSET:
            answers[call] = result
            del waiting[result]
    return list(waiting)


def _by_name(
    events: Sequence[Event],
    rank: Sequence[int],
    answers: dict[int, int],
    calls: list[int],
    results: list[int],
) -> list[int]:
    """Pair each result with the first open call of its tool before it; return those left."""
    open_calls: dict[tuple[object, bool], deque[int]] = {}
    for call in sorted(calls, key=rank.__getitem__):
        event = events[call]
        key = (event.tool, event.x_call_id is UNSET)
        open_calls.setdefault(key, deque()).append(call)
    lone = []
    for result in sorted(results, key=rank.__getitem__):
        tool = events[result].tool
        queues = [open_calls.get((tool, True))]
        if events[result].x_call_id is UNSET:
            # Where one side has an id and the other has none, the two may still belong together.
            queues.append(open_calls.get((tool, False)))
        waiting = list(filter(None, queues))
        first = min(waiting, key=lambda queue: rank[queue[0]], default=None)
        if first and rank[first[0]] < rank[result]:
            answers[first.popleft()] = result
        else:
            lone.append(result)
    return lone
