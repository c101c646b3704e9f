"""Which units of a run carry credit."""

import pytest

from corpus.traces.measures.credit import credit
from tests.support.made_traces import act, event, pair, run_of, single


def numbers(trace):
    return {unit: one["number"] for unit, one in credit(run_of(trace))["units"].items()}


def test_the_pair_carries_credit_for_all_but_messages_and_tokens():
    trace = pair()
    # The role of an agent is the first one: a later one may be that of a message alone.
    event(trace, "ann-done")["role"] = "boiler"
    assert numbers(trace) == {
        "team": 1,
        "orchestrator": 1,  # plan
        "role": 3,  # lead, buyer, boiler
        "agent": 3,
        "turn": 5,  # plan, ask, ann-done, bob-done, tea
        "message": 0,
        "tool": 1,
        "token": 0,
    }


def test_a_message_needs_receiver_and_content():
    trace = pair()
    trace["events"].append(act("hi", 2, "message", "ann", to="bob"))
    assert numbers(trace)["message"] == 0
    event(trace, "hi")["content_ref"] = "h"
    assert numbers(trace)["message"] == 1


def test_a_decision_that_leads_nowhere_and_a_call_without_result_carry_nothing():
    trace = pair()
    trace["edges"] = trace["edges"][2:]
    trace["events"].remove(event(trace, "told"))
    trace["edges"] = [edge for edge in trace["edges"] if "told" not in edge.values()]
    found = numbers(trace)
    assert (found["orchestrator"], found["tool"]) == (0, 0)


def test_one_agent_is_the_team_and_a_missing_role_spoils_roles():
    found = numbers(single())
    assert (found["team"], found["agent"], found["role"], found["turn"]) == (1, 0, 0, 0)
    trace = pair()
    del event(trace, "make-bob")["role"]
    assert numbers(trace)["role"] == 0


@pytest.mark.parametrize(
    ("channel", "unit"),
    [
        ("team", "team"),
        ("Tool calls", "tool"),
        ("orchestration_bonus", "orchestrator"),
        ("stop", None),
        ("0", None),
    ],
)
def test_a_channel_asks_for_the_unit_its_name_begins_with(channel, unit):
    trace = pair() | {"rewards": {channel: 1}}
    assert credit(run_of(trace))["channels"][channel]["names"] == unit
