"""Agents and calls: spawned and returned in order, known by name, every call answered."""

import pytest

from corpus.traces.checks.validate import returns
from tests.support.made_traces import act, codes, edge, event, pair, run_of


def found(check, trace):
    """Code, place and value of each problem, in the order in which they are found."""
    return [(one.rule.code, one.path, one.value) for one in check(run_of(trace))]


@pytest.mark.parametrize(
    "stop", [{"agent": "lead", "to": "bob"}, {"agent": "bob"}], ids=["by its parent", "by itself"]
)
def test_a_spawn_that_is_ended_needs_no_return(stop):
    trace = pair()
    event(trace, "bob-done").update(type="despawn", **stop)
    del event(trace, "bob-done")["from"]
    if "to" not in stop:
        del event(trace, "bob-done")["to"]
    assert codes(trace) == []
    event(trace, "bob-done").update(agent="ann", to="ann")
    assert ("OT108", "/events/2/to") in codes(trace)


def test_an_agent_that_was_handed_over_to_is_known_although_nothing_spawned_it():
    trace = pair()
    trace["events"] += [
        act("over", 7, "message", "lead", to="cook"),
        act("served", 8, "return", "cook", to="user"),
    ]
    trace["edges"] += [edge("tea", "over"), edge("over", "served", "message")]
    assert "OT109" not in {code for code, _ in codes(trace)}
    event(trace, "over")["to"] = "ann"
    assert ("OT109", "/events/9/agent") in codes(trace)


def test_a_return_recorded_at_the_parent_is_that_of_the_child_it_names():
    trace = pair()
    event(trace, "bob-done")["agent"] = "lead"
    assert found(returns, trace) == []
