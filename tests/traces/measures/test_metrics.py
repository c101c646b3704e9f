"""Each measure against a number worked out by hand; the comments show the sum."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from corpus.traces.measures.baseline import Baseline
from corpus.traces.measures.metrics import NAMES, measure
from corpus.traces.measures.rows import Summary, columns, row
from corpus.traces.measures.steps import stages, steps
from corpus.traces.run import Life, Run
from tests.support.made_traces import event, pair, run_of, runs

EXAMPLES = Path(__file__).parents[3] / "data/traces/examples"


def measured(trace: dict[str, Any]) -> dict[str, Any]:
    return measure(run_of(trace)).values


def test_the_pair_measures_what_was_worked_out_by_hand() -> None:
    """Lead 0-6 s, ann 1-5 s, bob 1-3 s; longest path plan, make-ann, ask, told, ann-done, tea."""
    assert measured(pair()) == {
        "events": 8,
        "edges": 8,
        "agents": 3,
        "duration_s": 6.0,
        "tokens": 600.0,
        "work": 8,
        "span": 6,
        "parallelism": 8 / 6,
        "width_mean": (6 + 4 + 2) / 6,
        "width_peak": 3,
        "depth": 1,
        "fan_out_mean": 2.0,
        "fan_out_peak": 2,
        "fan_in_mean": 2.0,
        "fan_in_peak": 2,
        "decisions": 1,
        "delegation_rate": 1.0,
        "steps": 1 + 2 + 1 + 1 + 1,
        "main_steps": 2,
        "stages": 1,
        "critical_steps": 2 + max(3, 1),
        "span_steps": 1 + 2 + 1 + 1,
        "critical_differs": 1 if 2 + 3 != 5 else 0,
        "message_density": 0.0,
        "duplicate_refs": 0,
        "duplicate_share": None,
        "tokens_per_reward": 600 / 0.5,
        "seconds_per_reward": 6 / 0.5,
        "wasted_events": 0,
        "wasted_spawns": 0,
        "wasted_tokens": 0.0,
        "tail_events": 0,
        "tail_s": 0.0,
        "open_calls": 0,
        "open_spawns": 0,
    }


def test_without_counted_steps_the_events_of_a_model_count() -> None:
    trace = pair()
    for one in trace["events"]:
        one.pop("x_steps", None)
    found = measured(trace)
    # plan, make-ann, make-bob, tea of the lead; ask and ann-done; bob-done; the result is no step
    assert (found["steps"], found["main_steps"], found["critical_steps"]) == (7, 4, 4 + 2)
    assert found["span_steps"] == 5  # plan, make-ann, ask, ann-done, tea
    assert found["critical_differs"] == 1


def two_stages(overlap: bool) -> dict[str, Any]:
    """Main 10 steps; a takes 3, then b takes 7: in sequence, or b spawned before a is back."""
    spawn_b, back_a = (6, 7) if overlap else (7, 6)
    return {
        "trace_id": "stages",
        "task_id": "t",
        "events": [
            {"id": "m1", "t": 0, "type": "orchestrator_decision", "agent": "m", "x_steps": 4},
            {"id": "sa", "t": 1, "type": "spawn", "agent": "m", "to": "a"},
            {"id": "sb", "t": spawn_b, "type": "spawn", "agent": "m", "to": "b"},
            {"id": "ra", "t": back_a, "type": "return", "agent": "a", "to": "m", "x_steps": 3},
            {"id": "rb", "t": 9, "type": "return", "agent": "b", "to": "m", "x_steps": 7},
            {"id": "m2", "t": 10, "type": "aggregate", "agent": "m", "x_steps": 6},
        ],
        "edges": [
            {"src": "m1", "dst": "sa", "type": "spawn"},
            {"src": "m1" if overlap else "ra", "dst": "sb", "type": "spawn"},
            {"src": "sa", "dst": "ra", "type": "spawn"},
            {"src": "sb", "dst": "rb", "type": "spawn"},
            {"src": "ra", "dst": "m2", "type": "aggregate"},
            {"src": "rb", "dst": "m2", "type": "aggregate"},
        ],
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 10},
    }


def test_sub_agents_in_sequence_are_two_stages_and_all_their_steps_are_critical() -> None:
    found = measured(two_stages(overlap=False))
    assert (found["stages"], found["critical_steps"], found["steps"]) == (2, 10 + 3 + 7, 20)


def test_sub_agents_spawned_together_are_one_stage_and_only_the_longer_is_critical() -> None:
    found = measured(two_stages(overlap=True))
    assert (found["stages"], found["critical_steps"], found["span_steps"]) == (1, 10 + 7, 4 + 7 + 6)
    assert found["critical_differs"] == 0


def test_a_pipeline_that_stages_cannot_express_is_flagged() -> None:
    """B is spawned after a returned, but does not need a's result: 10 + 3 + 7 by stages, 4 + 7 + 6 on the path."""
    trace = two_stages(overlap=False)
    trace["edges"][1]["src"] = "m1"
    found = measured(trace)
    assert (found["critical_steps"], found["span_steps"], found["critical_differs"]) == (20, 17, 1)


def test_a_sub_agent_counts_with_its_own_sub_agents() -> None:
    trace = two_stages(overlap=True)
    trace["events"] += [
        {"id": "sc", "t": 7, "type": "spawn", "agent": "b", "to": "c"},
        {"id": "rc", "t": 8, "type": "return", "agent": "c", "to": "b", "x_steps": 5},
    ]
    run = run_of(trace)
    assert stages(run) == {"m": [["a", "b"]], "b": [["c"]]}
    assert steps(run).critical == 10 + max(3, 7 + 5)
    assert measure(run).values["depth"] == 2


def test_critical_steps_are_undefined_for_agents_outside_the_spawn_tree() -> None:
    trace = pair()
    del trace["events"][2], trace["edges"][5], trace["edges"][1]  # nobody spawns bob any more
    found = measured(trace)
    assert (found["critical_steps"], found["critical_differs"]) == (None, None)


def test_waste_is_what_no_path_of_edges_leads_on_to_the_end() -> None:
    trace = pair()
    del trace["edges"][7]  # bob's return reaches nobody
    event(trace, "bob-done")["x_tokens"] = 70
    trace["events"].append({"id": "late", "t": 8, "type": "return", "agent": "ann", "to": "lead", "x_tokens": 5})
    found = measured(trace)
    assert (found["wasted_events"], found["wasted_spawns"], found["wasted_tokens"]) == (3, 1, 75.0)
    assert (found["tail_events"], found["tail_s"]) == (1, 2.0)


def test_what_is_open_when_the_run_ends_counts_even_if_it_closes_later() -> None:
    trace = pair()
    event(trace, "told")["t"] = 7
    event(trace, "ann-done")["t"] = 8
    trace["events"].append({"id": "stop-bob", "t": 9, "type": "despawn", "agent": "lead", "to": "bob"})
    found = measured(trace)
    assert (found["open_calls"], found["open_spawns"]) == (1, 1)


def test_the_end_is_the_event_that_says_so() -> None:
    trace = pair()
    event(trace, "ann-done")["x_stop_reason"] = "explicit"
    found = measured(trace)
    assert found["wasted_events"] == 3  # make-bob, bob-done and tea
    assert found["tail_events"] == 1


def test_messages_and_doubled_references() -> None:
    trace = pair()
    for name in ("ask", "told", "tea"):
        event(trace, name)["content_ref"] = "same"
    event(trace, "plan")["content_ref"] = "other"
    trace["events"].append({"id": "hi", "t": 2, "type": "message", "agent": "ann", "to": "bob"})
    found = measured(trace)
    assert (found["duplicate_refs"], found["duplicate_share"]) == (2, 2 / 4)
    assert found["message_density"] == 1 / 6


def test_cost_per_reward_is_undefined_without_a_reward() -> None:
    trace = pair()
    trace["rewards"] = {"team": 0, "extra": -1, "tool": 0.25}
    found = measure(run_of(trace))
    assert found.rewards == {"team": (None, None), "extra": (None, None), "tool": (2400.0, 24.0)}
    assert found.values["tokens_per_reward"] is None


def test_times_with_an_end_count_to_the_end() -> None:
    trace = pair()
    event(trace, "tea")["x_end"] = 9
    found = measured(trace)
    assert (found["duration_s"], found["tail_s"]) == (9.0, 0.0)
    assert found["width_mean"] == pytest.approx((9 + 4 + 2) / 9)


def test_a_run_without_time_or_edges_is_measured_all_the_same() -> None:
    trace = pair()
    trace["edges"] = []
    for one in trace["events"]:
        one["t"] = 0
    found = measured(trace)
    assert (found["span"], found["parallelism"], found["width_mean"]) == (1, 8.0, 3.0)
    assert found["wasted_events"] == 7


def test_a_cycle_is_measured_over_the_edges_that_run_forward_in_time() -> None:
    trace = pair()
    trace["edges"].append({"src": "tea", "dst": "plan", "type": "causal"})
    assert measured(trace)["span"] == 6


def test_a_team_beside_one_agent() -> None:
    """Alone: 4 steps, 300 tokens, 12 s, success 0.6. The pair: 6 steps, 600 tokens, 6 s, success 0.5."""
    alone = {
        "trace_id": "alone",
        "task_id": "tea",
        "events": [{"id": "a", "t": 0, "type": "return", "agent": "solo", "x_steps": 4}],
        "edges": [],
        "rewards": {"team": 0.6},
        "costs": {"tokens": 300, "wall_clock_s": 12},
    }
    assert Baseline(run_of(alone)).compare(run_of(pair())) == {
        "step_overhead": 0.5,
        "token_overhead": 1.0,
        "speedup": 2.0,
        "success": 0.5,
        "efficiency": 0.5 / 1.5,
        "error_amplification": pytest.approx(0.5 / 0.4),
    }
    alone["rewards"] = {}
    found = Baseline(run_of(alone)).compare(run_of(pair()))
    assert found["error_amplification"] is None


def test_every_measure_of_the_catalogue_is_measured_in_its_order() -> None:
    for path in sorted(EXAMPLES.glob("*.json")):
        assert tuple(measured(json.loads(path.read_text()))) == NAMES


def test_rows_and_their_summary() -> None:
    summary = Summary()
    run = run_of(pair())
    other = pair()
    other["events"].append({"id": "hi", "t": 2, "type": "message", "agent": "ann", "to": "bob"})
    for each in (run, run_of(other)):
        cells = row(("a.json", 1), each, measure(each))
        assert tuple(cells) == columns()
        summary.add(cells)
    spread = summary.spreads()["message_events"]
    assert (spread.number, spread.total, spread.mean, spread.least, spread.most) == (2, 1, 0.5, 0, 1)
    assert summary.topologies == {"centralized": 2}
    assert "duplicate_share" not in summary.spreads()


@given(runs())
def test_an_agent_is_there_from_its_spawn_or_first_event_to_its_last(run: Run) -> None:
    moments: dict[object, list[float]] = {}
    for one in run.events:
        moments.setdefault(one.agent, []).extend((one.t, run.until(run.index[one.id])))
        if one.type in ("spawn", "despawn"):
            moments.setdefault(one.to, []).append(one.t)
    assert run.lives == {name: Life(min(moments[name]), max(moments[name])) for name in run.agents}
