"""Rules that blame a step of a failed run, beside the labels of a folder of logs."""

import json

from benchmarks.blame import blame, rules
from tests.support.made_traces import act, run_of
from tests.support.recorded_samples import led_log


def test_a_folder_of_logs_gives_a_table_by_framework(tmp_path):
    for name in ("hand", "made"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.json").write_text(json.dumps(led_log()))
    own = {"trace": "made/1.json", "agent": "WebSurfer", "step": 2}
    table = [line.split() for line in blame(tmp_path, 2, [own]).splitlines()]
    # The label is WebSurfer at step 3, the first step the lead's at 1. Wilson for 1 of 1: the lower
    # bound is 1 / (1 + z²) = 1 / 4.84.
    none, all_, two = "0.0% [0.0%, 79.3%]", "100.0% [20.7%, 100.0%]", "2 2 0.0% [0.0%, 65.8%]"
    assert f"hand first 1 1 {none} {none} {all_}".split() in table
    assert f"all first {two} 0.0% [0.0%, 65.8%] 100.0% [34.2%, 100.0%]".split() in table
    assert f"made most-active 1 1 {' '.join([all_] * 3)}".split() in table
    assert f"made prediction 1 1 {all_} {none} {all_}".split() in table


def test_the_most_active_agent_is_no_orchestrator():
    events = [act("plan", 0, "orchestrator_decision", "lead", x_steps=1)]
    events += [act(name, 1, "spawn", "lead", to=name) for name in ("ann", "bob")]
    events += [act(f"l{t}", t, "orchestrator_decision", "lead", x_steps=1) for t in (2, 3, 4)]
    events += [act(f"b{t}", t, "message", "bob", to="ann", x_steps=1) for t in (5, 6)]
    trace = {"trace_id": "r", "task_id": "t", "events": events, "edges": [], "rewards": {}}
    trace["costs"] = {"tokens": 0, "wall_clock_s": 9}
    found = {one["rule"]: (one["agent"], one["step"]) for one in rules(run_of(trace), "r")}
    assert found["most-active"] == ("bob", 5)
