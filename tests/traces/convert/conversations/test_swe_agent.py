"""SWE-agent: what the turns of a trajectory become."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.traces.convert.conversations.swe_agent import FORMAT, recognise
from tests.support.converted import converted, converted_files, lost, recorded, shown, stop_of

Node = dict[str, Any]


def trajectory(*actions: str, status: str = "", **info: Any) -> Node:
    turns = [{"action": action, "observation": "out"} for action in actions]
    task = [{"role": "user", "content": "fix it", "agent": "main"}]
    return {"trajectory": turns, "history": task, "info": {"exit_status": status, **info}}


TASK = ("human_intervention", "user", None)


def command(name: str) -> list[tuple[Any, ...]]:
    return [("tool_call", "main", name), ("tool_result", "main", name)]


@pytest.mark.parametrize(
    ("actions", "status", "events", "stop", "steps"),
    [
        (
            ["ls -F", "submit"],
            "submitted",
            [*command("ls"), ("return", "main", None)],
            "explicit",
            2,
        ),
        (["ls -F", "submit -f"], "", [*command("ls"), ("return", "main", None)], "truncated", 2),
        # What the program notes when a limit ends the run is no action of the agent.
        (
            ["ls", ""],
            "submitted (exit_cost)",
            [*command("ls"), ("return", "main", None)],
            "external",
            1,
        ),
        (
            ["ls", "exit_cost"],
            "submitted (exit_cost)",
            [*command("ls"), ("return", "main", None)],
            "external",
            1,
        ),
        (["ls", "exit_format"], "exit_format", command("ls"), "external", 1),
        (["ls", "cat a"], "submitted (exit_api)", [*command("ls"), *command("cat")], "external", 2),
        # A step without an action is a decision, unless the program wrote it.
        (["ls", ""], "", [*command("ls"), ("orchestrator_decision", "main", None)], "truncated", 2),
        (["", "ls"], "", [("orchestrator_decision", "main", None), *command("ls")], "truncated", 2),
        # Giving up is an action of the model.
        (["exit_forfeit"], "exit_forfeit", command("exit_forfeit"), "external", 1),
        # A clean end is by the last action, whatever the command around it.
        (["cd /repo && submit"], "submitted", [("return", "main", None)], "explicit", 1),
        (["submit", "ls"], "", [*command("submit"), *command("ls")], "truncated", 2),
    ],
)
def test_the_last_turn_and_the_status_tell_how_a_run_ends(
    actions: list[str], status: str, events: list[Any], stop: str, steps: int
) -> None:
    (found,) = converted(FORMAT, trajectory(*actions, status=status))
    assert shown(found.trace, "tool") == [TASK, *events]
    assert (stop_of(found.trace), found.trace["metrics"]["corpus.steps"]) == (stop, steps)


def test_what_was_submitted_is_the_answer() -> None:
    run = trajectory("submit", status="submitted", submission="the patch")
    (found,) = converted(FORMAT, run, redact=False)
    assert found.trace["events"][-1]["content_ref"] == "the patch"
    assert found.trace["events"][0]["x_run"] == {"format": "swe-agent", "exit_status": "submitted"}


def test_the_task_is_the_first_prompt_that_is_no_demonstration() -> None:
    run = trajectory("ls")
    demo = {"role": "user", "content": "demo", "agent": "primary"}
    run["history"] = [
        {"role": "system", "content": "be good"},
        {**demo, "is_demo": True},
        {**demo, "tags": ["demo"]},
        {"role": "user", "content": [{"type": "text", "text": "fix it"}]},
        {"role": "user", "content": "later"},
    ]
    (found,) = converted(FORMAT, run, redact=False)
    first = found.trace["events"][0]
    assert (first["role"], first["to"], first["content_ref"]) == ("task", "primary", "fix it")


def test_the_tokens_of_the_run_are_on_its_last_step() -> None:
    stats = {"tokens_sent": 500, "tokens_received": 40, "api_calls": 5}
    (found,) = converted(FORMAT, trajectory("ls", "cat a", model_stats=stats))
    tokens = shown(found.trace, "x_tokens_input", "x_tokens_output")
    assert tokens[1:] == [
        ("tool_call", "main", None, None),
        ("tool_result", "main", None, None),
        ("tool_call", "main", 500, 40),
        ("tool_result", "main", None, None),
    ]
    assert lost(found, "on its last step") == [("ambiguous", 540)]
    assert lost(found, "model calls that are not turns") == [("dropped", 3)]


def test_attempts_beside_the_chosen_one_are_counted_as_lost() -> None:
    (found,) = converted(FORMAT, {**trajectory("ls"), "attempts": [{}, {}, {}]})
    assert lost(found, "attempts") == [("dropped", 2)]
    (alone,) = converted(FORMAT, {**trajectory("ls"), "attempts": [{}]})
    assert lost(alone, "attempts") == []


def test_the_id_follows_from_the_name_of_the_file() -> None:
    names = [recorded(trajectory("ls"), name=name) for name in ("a.traj", "a.traj.gz", "b.traj")]
    first, packed, other = (one.trace["trace_id"] for one in converted_files(FORMAT, *names))
    assert first == packed != other


def test_a_trajectory_without_turns_is_none() -> None:
    assert converted(FORMAT, {"trajectory": [], "info": {}}, {"info": {}}) == []


def test_turns_alone_are_not_enough_to_recognise_it() -> None:
    turn = {"action": "ls", "observation": ""}
    assert recognise(recorded({"trajectory": [turn], "info": {"exit_status": ""}}))
    assert recognise(recorded({"trajectory": [turn], "history": {"a": 1}}))
    assert not recognise(recorded({"trajectory": [turn]}))
    assert not recognise(recorded({"trajectory": [{"action": "ls"}], "info": {"a": 1}}))
    assert not recognise(recorded())
