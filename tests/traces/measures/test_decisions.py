"""The labels O1 to O5: which event gets which, and by which rule."""

import pytest

from corpus.traces.measures.decisions import labels, stop_kind
from tests.support.made_traces import act, edge, event, pair, run_of


def labelled(trace):
    """Decision and rule of each event, by id."""
    run = run_of(trace)
    found: dict[str, list[str]] = {}
    for label in labels(run):
        found.setdefault(run.events[label.event].id, []).append(f"{label.decision} {label.rule}")
    return found


def message(name, time, sender, to, **keys):
    return {
        "id": name,
        "t": time,
        "type": "message",
        "agent": sender,
        "from": sender,
        "to": to,
        **keys,
    }


def test_a_spawn_of_nobody_in_particular_delegates_to_nobody():
    trace = pair()
    trace["events"].append(act("more", 2, "spawn", "lead"))
    trace["events"].append(act("critic", 2, "spawn", "lead", role="critic"))
    found = labelled(trace)
    assert found["more"] == ["O1 spawn"]
    assert found["critic"] == ["O1 spawn", "O2 target"]


def test_the_first_message_to_a_child_delegates_and_the_others_communicate():
    trace = pair()
    trace["events"] += [
        message("brief", 1.5, "lead", "ann"),
        message("again", 2.5, "lead", "ann"),
        message("aside", 2.5, "bob", "ann"),
        message("up", 2.5, "bob", "lead"),
    ]
    found = labelled(trace)
    assert found["brief"] == ["O2 first-message"]
    assert found["again"] == found["aside"] == found["up"] == ["O3 message"]


def test_a_message_that_brings_someone_in_is_a_handoff():
    trace = pair()
    trace["events"] += [message("call", 2, "lead", "cook"), message("reply", 3, "cook", "lead")]
    trace["events"].append(message("more", 4, "lead", "cook"))
    found = labelled(trace)
    assert (found["call"], found["more"]) == (["O2 handoff"], ["O3 message"])


def test_despawn_and_return_stop_one_agent_and_the_end_stops_the_run():
    trace = pair()
    trace["events"].append(act("off", 5.5, "despawn", "lead", to="bob"))
    run = run_of(trace)
    stops = {
        run.events[one.event].id: (one.scope, one.stop)
        for one in labels(run)
        if one.decision == "O5"
    }
    assert stops == {
        "bob-done": ("local", ""),
        "ann-done": ("local", ""),
        "off": ("local", ""),
        "tea": ("global", "implicit"),
    }


def test_a_decision_carries_what_it_causes_by_one_edge_only():
    trace = pair()
    trace["events"].append(act("enough", 5.5, "orchestrator_decision", "lead"))
    trace["edges"][6]["dst"] = trace["edges"][7]["dst"] = "enough"
    trace["edges"].append(edge("enough", "tea"))
    found = labelled(trace)
    assert found["enough"] == ["O4 causes", "O5 causes"]
    assert found["plan"] == ["O1 causes", "O2 causes"]


@pytest.mark.parametrize(
    ("kind", "reason", "expected"),
    [
        ("orchestrator_decision", None, "explicit"),
        ("orchestrator_decision", "implicit", "implicit"),
        ("aggregate", None, "implicit"),
        ("message", None, "implicit"),
        ("tool_call", None, "truncated"),
        ("tool_result", None, "truncated"),
        ("aggregate", "explicit", "explicit"),
        ("aggregate", "max_tokens", "truncated"),
        ("aggregate", "Cancelled", "external"),
        ("aggregate", "end_turn", "implicit"),
        ("orchestrator_decision", "done", "explicit"),
    ],
)
def test_how_a_run_stops(kind, reason, expected):
    trace = pair()
    event(trace, "tea")["type"] = kind
    if reason is not None:
        event(trace, "tea")["x_stop_reason"] = reason
    assert stop_kind(run_of(trace)) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [({}, "implicit"), ({"trusted": True}, "implicit"), ({"x_error": True}, "external")],
)
def test_only_a_check_that_failed_ended_the_run(keys, expected):
    trace = pair()
    trace["events"].append(
        {"id": "check", "t": 7, "type": "safety_event", "agent": "guard", **keys}
    )
    assert stop_kind(run_of(trace)) == expected
