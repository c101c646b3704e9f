"""Trajectories pass the rules of ATIF 1.7, whatever the run."""

import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from corpus.traces.contents import Contents
from corpus.traces.convert.atif.atif import convert
from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.redaction import Redaction
from corpus.traces.emit import atif
from tests.support.atif_rules import check_trajectory
from tests.support.every_event import every_event
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs


def trajectory(trace: dict[str, Any]) -> dict[str, Any]:
    (emitted,) = atif.write([run_of(trace)])
    return emitted.document


def test_examples_pass(example):
    check_trajectory(trajectory(json.loads(example.read_text(encoding="utf-8"))))


def test_a_large_run_passes():
    check_trajectory(trajectory(swarm(130)))


@given(run=runs())
def test_any_run_passes(run):
    (emitted,) = atif.write([run])
    check_trajectory(emitted.document)


def test_sub_agents_are_called_by_a_tool_and_embedded():
    found = trajectory(pair())
    (step,) = (step for step in found["steps"] if "tool_calls" in step)
    assert [call["arguments"]["agent"] for call in step["tool_calls"]] == ["ann", "bob"]
    names = [inner["agent"]["name"] for inner in found["subagent_trajectories"]]
    assert names == ["ann", "bob"]
    ann = found["subagent_trajectories"][0]
    (call,) = ann["steps"][0]["tool_calls"]
    assert (call["function_name"], call["tool_call_id"]) == ("shop", "c1")
    assert ann["steps"][0]["observation"]["results"][0]["source_call_id"] == "c1"


def test_messages_and_rewards_are_losses():
    trace = pair()
    event(trace, "plan").update(type="message", to="ann")
    (emitted,) = atif.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert [loss.place for loss in losses if loss.kind == "dropped"] == ["rewards", "plan"]


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


@pytest.fixture(
    params=sorted((Path(__file__).parents[3] / "data" / "traces" / "examples").glob("*.json")),
    ids=lambda path: path.stem,
)
def example(request):
    path: Path = request.param
    return path


def test_a_call_of_no_tool_and_a_step_of_the_system_are_named():
    trace = pair()
    call = next(event for event in trace["events"] if event["type"] == "tool_call")
    call.pop("tool", None)
    event(trace, "plan")["type"] = "safety_event"
    (emitted,) = atif.write([run_of(trace)])
    check_trajectory(emitted.document)
    text = json.dumps(emitted.document)
    assert '"function_name": "unknown"' in text
    assert '"source": "system"' in text
    ((_, losses),) = emitted.losses
    assert ("dropped", "plan") in [(loss.kind, loss.place) for loss in losses]


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


def test_a_result_without_a_call_is_a_loss():
    trace = pair()
    event(trace, "told")["x_call_id"] = "c9"
    trace["edges"] = [edge for edge in trace["edges"] if edge["dst"] != "told"]
    event(trace, "told")["tool"] = "other"
    (emitted,) = atif.write([run_of(trace)])
    check_trajectory(emitted.document)
    ((_, losses),) = emitted.losses
    assert ("dropped", "told") in [(loss.kind, loss.place) for loss in losses]


def test_a_run_as_a_trajectory():
    found = trajectory(every_event())
    head = {
        key: value for key, value in found.items() if key not in ("steps", "subagent_trajectories")
    }
    assert head == {
        "schema_version": "ATIF-v1.7",
        "trajectory_id": "agent-1",
        "agent": {"name": "lead", "version": "unknown", "model_name": "m"},
        "session_id": "small",
        "extra": {"task_id": "tea", "system": "mine"},
    }
    asked, bought, called, checked = found["steps"]
    assert asked == {
        "step_id": 1,
        "timestamp": "1970-01-02T00:00:00Z",
        "source": "user",
        "message": "",
        "extra": {
            "event": "ask",
            "type": "human_intervention",
            "role": "task",
            "to": "lead",
            "content_ref": "ref",
            "trusted": False,
        },
    }
    own = {"event": "buy", "type": "tool_call"}
    call = {"tool_call_id": "c1", "arguments": {}, "function_name": "shop", "extra": own}
    back = {"event": "got", "type": "tool_result", "x_error": True}
    assert bought == {
        "step_id": 2,
        "timestamp": "1970-01-02T00:00:01Z",
        "source": "agent",
        "message": "",
        "model_name": "m",
        "metrics": {"prompt_tokens": 5, "completion_tokens": 4, "cached_tokens": 3},
        "llm_call_count": 1,
        "extra": own,
        "tool_calls": [call],
        "observation": {"results": [{"source_call_id": "c1", "extra": back}]},
    }
    (spawned,) = called["tool_calls"]
    assert (spawned["function_name"], spawned["tool_call_id"]) == ("spawn_agent", "call")
    assert spawned["arguments"] == {"agent": "bob", "role": "boiler"}
    reference = [{"trajectory_id": "agent-2"}]
    results = [{"source_call_id": "call", "subagent_trajectory_ref": reference}]
    assert called["observation"]["results"] == results
    assert (checked["source"], checked["extra"]["role"]) == ("system", "policy")


def test_a_sub_agent_has_its_own_steps_and_end():
    (inner,) = trajectory(every_event())["subagent_trajectories"]
    assert (inner["trajectory_id"], inner["agent"]["name"]) == ("agent-2", "bob")
    assert "model_name" not in inner["agent"]
    over, done = inner["steps"]
    assert (over["source"], over["extra"]["type"]) == ("agent", "message")
    assert done == {
        "step_id": 2,
        "timestamp": "1970-01-02T00:00:06Z",
        "source": "agent",
        "message": "",
        "llm_call_count": 2,
        "extra": {
            "event": "done",
            "type": "return",
            "to": "lead",
            "x_end": 7,
            "x_stop_reason": "implicit",
        },
    }


def test_every_loss_is_named_with_its_count():
    (emitted,) = atif.write([run_of(every_event())])
    ((name, found),) = emitted.losses
    assert name == "small"
    assert [(loss.kind, loss.place, loss.count) for loss in found] == [
        ("inferred", "times", 1),
        ("dropped", "rewards", 2),
        ("dropped", "metrics", 1),
        ("dropped", "over", 1),
        ("dropped", "check", 1),
    ]


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
    (emitted,) = atif.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert ("inferred", "stranger") in [(loss.kind, loss.place) for loss in losses]
    found = emitted.document
    last = found["steps"][-1]
    (inner,) = [one for one in found["subagent_trajectories"] if one["agent"]["name"] == "stranger"]
    (result,) = last["observation"]["results"]
    assert result == {"subagent_trajectory_ref": [{"trajectory_id": inner["trajectory_id"]}]}
    assert (last["source"], last["message"], last["step_id"]) == ("system", "", len(found["steps"]))


def test_a_time_after_the_last_year_is_left_out():
    trace = every_event()
    trace["events"][-1]["t"] = trace["events"][-1]["x_end"] = 1e13
    (emitted,) = atif.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert ("dropped", "done") in [(loss.kind, loss.place) for loss in losses]
    (inner,) = emitted.document["subagent_trajectories"]
    assert "timestamp" not in inner["steps"][-1]


def test_an_agent_of_which_nothing_is_recorded_has_one_step_of_the_system():
    trace = every_event()
    trace["events"] = [one for one in trace["events"] if one["agent"] != "bob"]
    trace["edges"] = trace["edges"][:1]
    (inner,) = trajectory(trace)["subagent_trajectories"]
    (step,) = inner["steps"]
    assert (step["step_id"], step["source"], step["message"]) == (1, "system", "")
    assert list(step["extra"]) == ["note"]


def told(trajectory: dict[str, Any]) -> list[Any]:
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
    def calls(*names: str) -> list[dict[str, Any]]:
        common = {"arguments": {"q": ["all", {"of": "it"}]}}
        return [{"tool_call_id": one, "function_name": f"do_{one}", **common} for one in names]

    inner = [
        {"source": "user", "message": "look"},
        {"source": "agent", "message": "seen", "reasoning_content": "mm"},
    ]
    part = [{"type": "text", "text": "a part"}]
    reference = [{"trajectory_id": "in"}]
    results = [
        {"source_call_id": "b", "subagent_trajectory_ref": reference, "content": "the answer"},
        {"source_call_id": "a", "content": part},
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
    (emitted,) = atif.write([run], contents)
    check_trajectory(emitted.document)
    assert told(emitted.document) == told(source)
    (closed,) = atif.write([run])
    words = json.dumps(told(closed.document))
    assert not [one for one in ("be kind", "go", "both", "hm", "look", "bye") if one in words]
