"""Training rows: steps and decisions, the state before them, and rewards to go."""

import json
from typing import Any

from hypothesis import given

from corpus.traces.reading.reading import TraceText
from corpus.traces.training.tables import COLUMNS
from corpus.traces.training.training_rows import UNITS, RowTable, rows
from tests.support.made_traces import act, document, edge, run_of, runs


def bakery():
    """A lead plans, spawns a baker, waits, puts the results together and stops."""
    lead: dict[str, Any] = {"agent": "lead", "role": "boss"}
    baker: dict[str, Any] = {"agent": "baker"}
    call = {"tool": "oven", "x_call_id": "c1"}
    events = [
        act("ask", 0, "human_intervention", "user", to="lead"),
        {"id": "plan", "t": 1, "type": "orchestrator_decision", **lead, "x_steps": 1},
        act("spawn", 2, "spawn", "lead", to="baker"),
        {"id": "heat", "t": 3, "type": "tool_call", **baker, **call, "x_steps": 1, "x_tokens": 5},
        {"id": "hot", "t": 4, "type": "tool_result", **baker, **call},
        {"id": "look", "t": 5, "type": "orchestrator_decision", **lead, "x_steps": 1},
        {"id": "done", "t": 6, "type": "return", **baker, "to": "lead", "x_steps": 1},
        {"id": "join", "t": 7, "type": "aggregate", **lead, "x_steps": 1, "x_tokens": 7},
        {"id": "stop", "t": 8, "type": "orchestrator_decision", **lead, "x_steps": 1},
    ]
    events[2]["role"] = "baker"
    events[3]["x_model"] = "m-1"
    chain = ["ask", "plan", "spawn", "heat", "hot", "done", "join", "stop"]
    kinds = ["causal", "spawn", "spawn", "tool_dependency", "causal", "return", "causal"]
    edges = []
    for source, target, kind in zip(chain, chain[1:], kinds, strict=False):
        edges.append(edge(source, target, kind))
    edges.append(edge("plan", "look", "temporal"))
    return {
        "trace_id": "bread",
        "task_id": "bake",
        "events": events,
        "edges": edges,
        "rewards": {"team": 1.0},
        "costs": {"tokens": 12, "wall_clock_s": 8},
    }


def rows_of(trace, unit, **options):
    table = RowTable()
    table.add(found_of(trace, unit, **options))
    found = list(map(json.loads, table.lines()))
    table.close()
    return found


def found_of(trace, unit, **options):
    return rows(document(trace, "t.json"), run_of(trace), unit, **options)


def decided(trace, decision):
    rows = rows_of(trace, "decision")
    return [row["event"] for row in rows if row["decision"] == decision]


def test_a_decision_and_the_spawn_that_it_leads_to_are_one():
    (row, *_) = rows_of(bakery(), "decision")
    assert (row["event"], row["choice"], row["rule"]) == ("plan", "baker", "causes")
    kinds = ["O1", "O2", "O3", "O4", "O5"]
    assert [decided(bakery(), kind) for kind in kinds] == [
        ["plan"],
        ["plan"],
        [],
        ["join"],
        ["done", "stop"],
    ]


def test_an_end_at_a_limit_is_a_decision_of_nobody():
    trace = bakery()
    trace["events"][-1]["x_stop_reason"] = "truncated"
    assert decided(trace, "O5") == ["done"]


def test_a_message_is_a_decision_of_the_step_before_it():
    trace = bakery()
    trace["events"].append(act("tell", 5.5, "message", "lead", to="user"))
    assert decided(trace, "O3") == ["look"]


def test_the_state_is_that_before_the_step():
    by_event = {row["event"]: row for row in rows_of(bakery(), "step")}
    look = by_event["look"]
    names = ("live_agents", "tokens", "steps", "depth", "seconds", "turn")
    assert [look[name] for name in names] == [2, 5.0, 2.0, 0, 5.0, 1]
    assert [look[f"{name}_to_go"] for name in ("tokens", "steps", "seconds")] == [7.0, 4.0, 3.0]
    assert (by_event["join"]["live_agents"], by_event["done"]["depth"]) == (1, 1)
    assert (by_event["heat"]["model"], by_event["heat"]["role"]) == ("m-1", "baker")


def test_the_outcome_is_useful_or_wasted():
    outcome = {row["event"]: (row["outcome"], row["critical"]) for row in rows_of(bakery(), "step")}
    assert outcome["look"] == ("wasted", False)
    assert outcome["join"] == ("useful", True)


def test_rewards_stay_with_their_unit_and_add_up_to_go():
    trace = bakery()
    trace["rewards"]["team@baker"] = 10.0
    trace["events"][3]["x_rewards"] = {"team": 100.0}
    by_step = {row["event"]: row for row in rows_of(trace, "step")}
    assert [by_step[name]["reward_team"] for name in ("plan", "heat", "done")] == [
        None,
        100.0,
        None,
    ]
    to_go = [by_step[name]["to_go_team"] for name in ("plan", "heat", "look", "done", "join")]
    assert to_go == [111.0, 111.0, 11.0, 11.0, 1.0]


def test_trained_are_those_that_are_named():
    assert {row["trained"] for row in rows_of(bakery(), "step")} == {None}
    named = rows_of(bakery(), "step", train=("boss",))
    assert {row["agent"] for row in named if row["trained"]} == {"lead"}
    by_model = rows_of(bakery(), "step", train=("m-1",))
    assert [row["event"] for row in by_model if row["trained"]] == ["heat"]


def test_unknown_tokens_and_clocks_are_null():
    trace = bakery()
    for event in trace["events"]:
        event.pop("x_tokens", None)
        event["x_inferred"] = ["t"]
    row = rows_of(trace, "step")[0]
    assert (row["tokens"], row["tokens_to_go"], row["seconds"]) == (None, None, None)


def test_every_column_is_there_for_every_unit() -> None:
    for unit in UNITS:
        assert tuple(rows_of(bakery(), unit)[0])[: len(COLUMNS)] == tuple(COLUMNS)


@given(run=runs())
def test_any_run_has_rows_of_every_unit(run):
    """Rows have the same columns, and steps have one each."""
    nothing = TraceText("t.json", 1, b"", True)
    for unit in UNITS:
        found = rows(nothing, run, unit)
        table = RowTable()
        agents = list(found.rollout.agents)
        table.add(found)
        written = list(map(json.loads, table.lines()))
        assert {tuple(row) for row in written} <= {tuple(table.schema())}
        if unit == "step":
            assert [row["agent"] for row in written] == agents
        table.close()
