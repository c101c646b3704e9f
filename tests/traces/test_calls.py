"""Which result answers which call: by id, by edge, by order of the same tool."""

from __future__ import annotations

from typing import Any

from tests.support.made_traces import pair, run_of


def answers(
    events: list[dict[str, Any]], edges: tuple[tuple[str, str], ...] = ()
) -> dict[str, str]:
    """The result of each answered call, by id; the events follow each other in time."""
    trace = pair()
    trace["events"] = [{"agent": "lead", "t": t, **one} for t, one in enumerate(events)]
    trace["edges"] = [{"src": source, "dst": target, "type": "causal"} for source, target in edges]
    run = run_of(trace)
    ids = [one.id for one in run.events]
    return {ids[call]: ids[result] for call, result in run.pairs.answers.items()}


def call(name: str, tool: str = "shop", **more: str) -> dict[str, Any]:
    return {"id": name, "type": "tool_call", "tool": tool, **more}


def result(name: str, tool: str = "shop", **more: str) -> dict[str, Any]:
    return {"id": name, "type": "tool_result", "tool": tool, **more}


def test_ids_decide_before_edges_and_order() -> None:
    events = [
        call("c1", x_call_id="1"),
        call("c2", x_call_id="2"),
        result("r2", x_call_id="2"),
        result("r1", x_call_id="1"),
    ]
    assert answers(events, (("c1", "r2"),)) == {"c1": "r1", "c2": "r2"}


def test_an_id_used_twice_means_its_first_call_and_result() -> None:
    events = [call("c1", x_call_id="1"), call("c2", x_call_id="1"), result("r", x_call_id="1")]
    assert answers(events) == {"c1": "r"}


def test_different_ids_are_never_a_pair() -> None:
    events = [call("c", x_call_id="1"), result("r", x_call_id="2")]
    assert answers(events, (("c", "r"),)) == {}


def test_without_ids_an_edge_decides_before_the_order() -> None:
    events = [call("c1"), call("c2"), result("r1"), result("r2")]
    assert answers(events, (("c1", "r2"),)) == {"c1": "r2", "c2": "r1"}


def test_the_first_open_call_of_the_same_tool_is_answered_first_and_never_a_later_one() -> None:
    events = [
        result("early"),
        call("c1"),
        call("other", "map"),
        call("c2"),
        result("r1"),
        result("r2"),
    ]
    assert answers(events) == {"c1": "r1", "c2": "r2"}


def test_a_result_without_an_id_may_answer_a_call_with_one() -> None:
    assert answers([call("c", x_call_id="1"), result("r")]) == {"c": "r"}
