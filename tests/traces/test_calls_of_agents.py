"""Which result answers which call, where ids are unique for one agent only."""

from __future__ import annotations

from corpus.traces.calls import Pairs, pair
from corpus.traces.model import Event


def paired(*events: Event) -> Pairs:
    by_kind: dict[str, list[int]] = {}
    for position, event in enumerate(events):
        by_kind.setdefault(event.type, []).append(position)
    return pair(events, by_kind, ([], []), range(len(events)))


def call(agent: str, call_id: str) -> Event:
    return Event(f"c-{agent}-{call_id}", 0, "tool_call", agent, tool="t", x_call_id=call_id)


def result(agent: str, call_id: str) -> Event:
    return Event(f"r-{agent}-{call_id}", 1, "tool_result", agent, tool="t", x_call_id=call_id)


def test_one_id_of_two_agents_is_two_pairs() -> None:
    events = (call("a", "1"), call("b", "1"), result("b", "1"), result("a", "1"))
    assert paired(*events) == Pairs({0: 3, 1: 2}, [], [])


def test_the_result_of_a_tool_answers_the_first_call_of_its_id() -> None:
    events = (call("a", "1"), call("b", "1"), result("shell", "1"), result("shell", "1"))
    assert paired(*events) == Pairs({0: 2, 1: 3}, [], [])


def test_a_second_result_of_one_call_is_left_over() -> None:
    events = (call("a", "1"), result("a", "1"), result("a", "1"))
    assert paired(*events) == Pairs({0: 1}, [], [2])
