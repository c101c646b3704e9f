"""Each measure against a number worked out by hand; the comments show the sum."""

import json
import math
from pathlib import Path

import pytest

from corpus.traces.measures.catalogue import NAMES
from corpus.traces.measures.metrics import finite, measure, ratio
from tests.support.made_traces import act, event, pair, run_of

EXAMPLES = Path(__file__).parents[3] / "data/traces/examples"


def measured(trace):
    return measure(run_of(trace)).values


def test_the_pair_measures_what_was_worked_out_by_hand():
    """Lead 0-6 s, ann 1-5 s, bob 1-3 s; longest path plan, make-ann, ask, told, ann-done, tea."""
    assert measured(pair()) == {
        "events": 8,
        "edges": 8,
        "agents": 3,
        "duration_s": 6.0,
        "tokens": 600.0,
        "tokens_input": None,
        "tokens_cached": None,
        "tokens_cache_write": None,
        "tokens_output": None,
        "tokens_reasoning": None,
        "span": 6,
        "parallelism": 8 / 6,
        "width_mean": (6 + 4 + 2) / 6,
        "width_peak": 3,
        "depth": 1,
        "steps": 1 + 2 + 1 + 1 + 1,
        "main_steps": 2,
        "stages": 1,
        "critical_steps": 2 + max(3, 1),
        "span_steps": 1 + 2 + 1 + 1,
        "step_speedup": 6 / 5,
        "useful_agent_utilization": 1.0,
        "protocol_overhead": None,
        "message_redundancy": None,
        "error_amplification_ratio": None,
        # ann 1-5 (asks, waits for the shop, returns), bob 1-3, lead 5-6
        "busy_s": 5.0,
        "agent_busy_s": 4.0 + 2.0 + 1.0,
        "critical_path_s": 1.0 + 2.0 + 1.0 + 1.0,
        "busy_parallelism": 7 / 5,
        "untrusted_events": None,
        "untrusted_reached": None,
        "untrusted_share": None,
        "wasted_events": 0,
        "wasted_spawns": 0,
        "wasted_tokens": None,
    }


def test_waste_is_what_no_path_of_edges_leads_on_to_the_end():
    trace = pair()
    del trace["edges"][7]  # bob's return reaches nobody
    event(trace, "bob-done")["x_tokens"] = 70
    trace["events"].append(act("late", 8, "return", "ann", to="lead", x_tokens=5))
    found = measured(trace)
    assert (found["wasted_events"], found["wasted_spawns"], found["wasted_tokens"]) == (3, 1, 75.0)


def test_the_end_is_the_event_with_an_explicit_stop():
    trace = pair()
    event(trace, "ann-done")["x_stop_reason"] = "explicit"
    found = measured(trace)
    assert found["wasted_events"] == 3  # make-bob, bob-done and tea


def test_times_with_an_end_count_to_the_end():
    trace = pair()
    event(trace, "tea")["x_end"] = 9
    found = measured(trace)
    assert found["duration_s"] == 9.0
    assert found["width_mean"] == pytest.approx((9 + 4 + 2) / 9)


def test_a_run_without_time_or_edges_is_measured_all_the_same():
    trace = pair()
    trace["edges"] = []
    for one in trace["events"]:
        one["t"] = 0
    found = measured(trace)
    assert (found["span"], found["parallelism"], found["width_mean"]) == (1, 8.0, 3.0)
    assert found["wasted_events"] == 7


def test_every_measure_of_the_catalogue_is_measured_in_its_order():
    for path in sorted(EXAMPLES.glob("*.json")):
        assert tuple(measured(json.loads(path.read_text()))) == NAMES


def test_what_was_not_recorded_is_undefined_not_zero():
    """The schema requires both costs, so a recorder without usage and clock writes 0."""
    trace = pair()
    trace["costs"] |= {"tokens": 0, "wall_clock_s": 0}
    for one in trace["events"]:
        one["x_inferred"] = ["t"]
    found = measured(trace)
    unknown = {name for name, number in found.items() if number is None}
    assert unknown >= {"tokens", "wasted_tokens", "duration_s", "busy_s", "critical_path_s"}


def test_work_lasts_to_its_end_and_guessed_times_are_left_out():
    trace = pair()
    event(trace, "plan")["x_end"] = 0.5
    event(trace, "ann-done")["x_inferred"] = ["t"]
    run = run_of(trace)
    agents = measure(run).details["agents"]
    busy = {name: one["busy_s"] for name, one in agents.items() if one["busy_s"] is not None}
    # lead plans 0-0.5; what ends at a guessed time, or begins there, is unknown
    assert busy == {"lead": 0.5, "ann": 1.0 + 2.0, "bob": 2.0}


def test_a_quotient_beyond_all_doubles_is_unknown():
    assert ratio(1e300, 1e-300) is None
    assert (ratio(1, 0), ratio(None, 2), ratio(1, None)) == (None, None, None)
    assert ratio(1, 4) == 0.25
    assert (finite(-math.inf), finite(math.nan), finite(2.0)) == (None, None, 2.0)


def test_only_messages_within_the_team_are_redundant():
    trace = pair()
    said = [("ann", "bob", "a"), ("bob", "ann", "a"), ("ann", "bob", "b"), ("ann", "customer", "b")]
    for number, (sender, receiver, content) in enumerate(said):
        trace["events"].append(
            act(f"m{number}", 2, "message", sender, to=receiver) | {"content_ref": content}
        )
    assert measured(trace)["message_redundancy"] == 1 / 3


def test_an_error_is_amplified_by_those_that_follow_it_along_edges():
    trace = pair()
    # told -> ann-done -> tea; bob fails by himself.
    for name in ("told", "tea", "bob-done"):
        event(trace, name)["x_error"] = "wrong"
    assert measured(trace)["error_amplification_ratio"] == 1 / 2
    trace["edges"].clear()
    assert measured(trace)["error_amplification_ratio"] == 0
