"""Trajectories pass the rules of ATIF 1.7, whatever the run."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from corpus.traces.emit import atif
from corpus.traces.run import Run
from tests.support.atif_rules import check_trajectory
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs


def trajectory(trace: dict[str, Any]) -> dict[str, Any]:
    (emitted,) = atif.write([run_of(trace)])
    return emitted.document


def test_examples_pass(example: Path) -> None:
    check_trajectory(trajectory(json.loads(example.read_text(encoding="utf-8"))))


def test_a_large_run_passes() -> None:
    check_trajectory(trajectory(swarm(130)))


@settings(max_examples=150, deadline=None)
@given(run=runs())
def test_any_run_passes(run: Run) -> None:
    (emitted,) = atif.write([run])
    check_trajectory(emitted.document)


def test_sub_agents_are_called_by_a_tool_and_embedded() -> None:
    found = trajectory(pair())
    (step,) = (step for step in found["steps"] if "tool_calls" in step)
    assert [call["arguments"]["agent"] for call in step["tool_calls"]] == ["ann", "bob"]
    names = [inner["agent"]["name"] for inner in found["subagent_trajectories"]]
    assert names == ["ann", "bob"]
    ann = found["subagent_trajectories"][0]
    (call,) = ann["steps"][0]["tool_calls"]
    assert (call["function_name"], call["tool_call_id"]) == ("shop", "c1")
    assert ann["steps"][0]["observation"]["results"][0]["source_call_id"] == "c1"


def test_messages_and_rewards_are_losses() -> None:
    trace = pair()
    event(trace, "plan").update(type="message", to="ann")
    (emitted,) = atif.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert [loss.place for loss in losses if loss.kind == "dropped"] == ["rewards", "plan"]


def test_a_made_up_time_is_not_written() -> None:
    trace = pair()
    event(trace, "tea")["x_inferred"] = ["t"]
    steps = trajectory(trace)["steps"]
    assert ["timestamp" in step for step in steps] == [True, False]


def test_a_chain_of_spawns_needs_no_recursion() -> None:
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
def example(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_a_call_of_no_tool_and_a_step_of_the_system_are_named() -> None:
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
def test_the_version_of_the_recorder_is_that_of_the_agent(
    recorded: dict[str, Any], version: str
) -> None:
    trace = pair()
    event(trace, "plan")["x_run"] = recorded
    assert trajectory(trace)["agent"]["version"] == version


def test_a_result_without_a_call_is_a_loss() -> None:
    trace = pair()
    event(trace, "told")["x_call_id"] = "c9"
    trace["edges"] = [edge for edge in trace["edges"] if edge["dst"] != "told"]
    event(trace, "told")["tool"] = "other"
    (emitted,) = atif.write([run_of(trace)])
    check_trajectory(emitted.document)
    ((_, losses),) = emitted.losses
    assert ("dropped", "told") in [(loss.kind, loss.place) for loss in losses]
