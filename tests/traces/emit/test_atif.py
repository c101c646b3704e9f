"""Trajectories pass the rules of ATIF 1.8, whatever the run."""

import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from corpus.traces.contents import Content, Contents
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.readers.atif import convert
from corpus.traces.document import RecordedFile, Row
from corpus.traces.emit import atif
from tests.support.atif_rules import check_trajectory
from tests.support.every_event import every_event
from tests.support.made_traces import event, pair, run_of, runs
from tests.support.trace_commands import each_example


def trajectory(trace):
    ((document,), _) = atif.write([run_of(trace)])
    return document


@each_example
def test_examples_pass(path):
    check_trajectory(trajectory(json.loads(path.read_text(encoding="utf-8"))))


@given(run=runs())
def test_any_run_passes(run):
    (document,), _ = atif.write([run])
    check_trajectory(document)


def test_a_made_up_time_is_not_written():
    trace = pair()
    event(trace, "tea")["x_inferred"] = ["t"]
    steps = trajectory(trace)["steps"]
    assert ["timestamp" in step for step in steps] == [True, False]


def test_a_chain_of_spawns_needs_no_recursion():
    trace = pair()
    names = [f"a{number}" for number in range(3000)]
    trace["events"] = [
        {"id": f"s{place}", "t": place, "type": "spawn", "agent": one, "to": other}
        for place, (one, other) in enumerate(pairwise(names))
    ]
    trace["edges"] = []
    assert trajectory(trace)["agent"]["name"] == "a0"


@pytest.mark.parametrize(
    ("recorded", "version"),
    [
        ({"version": "2.1"}, "2.1"),
        ({"version": ""}, "unknown"),
        ({"version": 3}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_version_of_the_recorder_is_that_of_the_agent(recorded, version):
    trace = pair()
    event(trace, "plan")["x_run"] = recorded
    assert trajectory(trace)["agent"]["version"] == version


def test_a_picture_is_a_loss():
    contents = Contents(io.BytesIO())
    parts = [{"type": "text", "text": "see"}, {"type": "image", "source": {"path": "a.png"}}]
    seen = Content.of("user", parts)
    contents.add(seen)
    trace = pair()
    asked = {"id": "i", "t": 0, "type": "human_intervention", "agent": "me", "to": "lead"}
    trace["events"].insert(0, asked | {"content_ref": seen.hash})
    (document,), (lost,) = atif.write([run_of(trace)], contents)
    assert document["steps"][0]["message"] == "see\n\ufffc"
    assert any("picture" in loss.what for loss in lost.values())


def test_a_result_without_a_call_is_a_loss():
    trace = pair()
    event(trace, "told")["x_call_id"] = "c9"
    trace["edges"] = [edge for edge in trace["edges"] if edge["dst"] != "told"]
    event(trace, "told")["tool"] = "other"
    (document,), (lost,) = atif.write([run_of(trace)])
    check_trajectory(document)
    losses = tuple(lost.values())
    assert ("dropped", "told") in [(loss.kind, loss.place) for loss in losses]


def test_tokens_without_a_field_are_extra_metrics():
    trace = pair()
    event(trace, "ask").update(x_tokens_cache_write=2, x_tokens_reasoning=3, x_tokens_output=5)
    event(trace, "told")["x_tokens"] = 4
    event(trace, "tea")["x_tokens"] = 7
    found = trajectory(trace)
    ann = found["subagent_trajectories"][0]["steps"][0]
    assert ann["metrics"] == {
        "prompt_tokens": 2,
        "completion_tokens": 5,
        "extra": {"cache_write_tokens": 2, "reasoning_tokens": 3},
    }
    assert found["steps"][-1]["metrics"] == {"extra": {"total_tokens": 7}}


def test_calls_of_one_id_get_ids_of_their_own_and_find_their_results():
    trace = every_event()
    again = [{**one, "id": f"{one['id']}2", "agent": "bob"} for one in trace["events"][1:3]]
    for one, time in zip(again, (4.5, 4.8), strict=True):
        one["t"] = time
    trace["events"] += again
    found = trajectory(trace)
    steps = [*found["steps"], *found["subagent_trajectories"][0]["steps"]]
    calls = [call["tool_call_id"] for step in steps for call in step.get("tool_calls", ())]
    results = [
        one["source_call_id"]
        for step in steps
        for one in step.get("observation", {"results": []})["results"]
    ]
    assert sorted(calls) == sorted(results)
    assert len(set(calls)) == len(calls) == 3


def test_an_agent_that_nobody_spawned_is_referred_to_from_the_top():
    trace = pair()
    trace["events"].append({"id": "odd", "t": 9, "type": "aggregate", "agent": "stranger"})
    (document,), (lost,) = atif.write([run_of(trace)])
    losses = tuple(lost.values())
    assert ("inferred", "stranger") in [(loss.kind, loss.place) for loss in losses]
    found = document
    last = found["steps"][-1]
    (inner,) = [one for one in found["subagent_trajectories"] if one["agent"]["name"] == "stranger"]
    (result,) = last["observation"]["results"]
    assert result == {"subagent_trajectory_ref": [{"trajectory_id": inner["trajectory_id"]}]}
    assert (last["source"], last["message"], last["step_id"]) == ("system", "", len(found["steps"]))


def test_a_time_after_the_last_year_is_left_out():
    trace = every_event()
    trace["events"][-1]["t"] = trace["events"][-1]["x_end"] = 1e13
    (document,), (lost,) = atif.write([run_of(trace)])
    losses = tuple(lost.values())
    assert ("dropped", "done") in [(loss.kind, loss.place) for loss in losses]
    (inner,) = document["subagent_trajectories"]
    assert "timestamp" not in inner["steps"][-1]


def told(trajectory):
    """What a trajectory holds of what was written, step by step, with its sub-agents."""
    agent = trajectory["agent"]
    found: list[Any] = [(agent["name"], agent.get("tool_definitions"))]
    for step in trajectory["steps"]:
        calls = []
        for call in step.get("tool_calls", ()):
            calls.append((call["tool_call_id"], call["function_name"], call["arguments"]))
        results = []
        for result in step.get("observation", {"results": []})["results"]:
            results.append((result.get("source_call_id"), result.get("content")))
        ids = step.get("metrics", {}).get("completion_token_ids")
        thoughts = step.get("reasoning_content")
        # Calls of one step are made together: their order tells nothing.
        calls.sort(key=str)
        found.append((step["source"], step["message"], thoughts, ids, calls, results))
    for inner in trajectory.get("subagent_trajectories", ()):
        found.append(told(inner))
    return found


def test_a_trajectory_comes_back_with_all_that_was_written():
    def calls(*names):
        common = {"arguments": {"q": ["all", {"of": "it"}]}}
        return [{"tool_call_id": one, "function_name": f"do_{one}", **common} for one in names]

    inner = [
        {"source": "user", "message": "look"},
        {"source": "agent", "message": "seen", "reasoning_content": "mm"},
    ]
    reference = [{"trajectory_id": "in"}]
    results = [
        {"source_call_id": "b", "subagent_trajectory_ref": reference, "content": "the answer"},
        {"source_call_id": "a", "content": "a part"},
    ]
    finish = {"tool_call_id": "f", "function_name": "finish", "arguments": {"said": "bye"}}
    ids = {"completion_token_ids": [1, 2], "logprobs": [-0.5, -1.0], "completion_tokens": 2}
    steps = [
        {"source": "system", "message": "be kind"},
        {"source": "user", "message": "go"},
        {
            "source": "agent",
            "message": "both",
            "reasoning_content": "hm",
            "metrics": ids,
            "tool_calls": calls("b", "a"),
            "observation": {"results": results},
        },
        {"source": "agent", "message": "I type", "observation": {"results": [{"content": "ok"}]}},
        {"source": "user", "message": "on"},
        {
            "source": "agent",
            "message": "done",
            "tool_calls": [finish],
            "observation": {"results": [{"source_call_id": "f", "content": "over"}]},
        },
    ]
    agent = {"name": "lead", "version": "1", "tool_definitions": [{"name": "do_a"}]}
    sub = {"trajectory_id": "in", "agent": {"name": "kid", "version": "1"}, "steps": inner}
    head = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": agent}
    source = {**head, "steps": steps, "subagent_trajectories": [sub]}
    contents = Contents(io.BytesIO())
    document = RecordedFile(Path("t.json"), (Row(1, source),))
    (conversion,) = convert([document], Redaction(contents=contents))
    run = run_of(conversion.trace)
    (document,), _ = atif.write([run], contents)
    check_trajectory(document)
    assert told(document) == told(source)
    (closed,), _ = atif.write([run])
    words = json.dumps(told(closed))
    assert not [one for one in ("be kind", "go", "both", "hm", "look", "bye") if one in words]


@pytest.mark.parametrize("has_clock", [True, False])
def test_every_loss_is_named_with_its_count(has_clock):
    trace = every_event()
    for one in [] if has_clock else trace["events"]:
        one["x_inferred"] = ["t"]
    _, (lost,) = atif.write([run_of(trace)])
    losses = list(lost.values())
    assert [(loss.kind, loss.place, loss.count) for loss in losses] == [
        ("inferred", "times", 1),
        ("dropped", "rewards", 2),
        ("dropped", "metrics", 1),
        *(("dropped", place, 1) for place in ("over", "check")),
    ]
    assert ("no clock" in losses[0].what) is not has_clock
