"""What the steps of a trajectory did, as the events of a trace."""

from pathlib import Path

import pytest

from corpus.traces.convert.readers.atif import FORMAT, companions
from tests.support.converted import converted as converted_rows
from tests.support.converted import each, lost, one_run, recorded, shown
from tests.support.recorded_samples import atif_run
from tests.support.recorded_traces import kinds, write_rows


def test_a_missing_continuation_is_not_taken_as_the_end(tmp_path, run):
    first = atif_run()
    first["continued_trajectory_ref"] = "../../etc/passwd"
    (found,) = run(write_rows(tmp_path / "t.json", [first]))
    assert found.trace["events"][-1]["x_stop_reason"] == "truncated"


def test_a_very_deep_chain_of_sub_agents_ends(tmp_path, run):
    rows = []
    for depth in range(300):
        refs = [{"trajectory_id": f"t{depth + 1}"}]
        step = {"source": "agent", "observation": {"results": [{"subagent_trajectory_ref": refs}]}}
        rows.append(
            {
                "schema_version": "ATIF-v1.7",
                "trajectory_id": f"t{depth}",
                "agent": {"name": "a"},
                "steps": [step],
            }
        )
    assert run(write_rows(tmp_path / "deep.jsonl", rows))


def converted(*steps, **more):
    node = {"schema_version": "ATIF-v1.7", "agent": {"name": "solo"}, "steps": list(steps), **more}
    return one_run(FORMAT, node, redact=False)


def agent_step(calls, *results, **more):
    written = [{"tool_call_id": call, "function_name": "bash"} for call in calls]
    step = {"source": "agent", "message": "m", "tool_calls": written, **more}
    return {**step, "observation": {"results": list(results)}}


def result(call, content):
    return {"source_call_id": call, "content": content}


def answers(found):
    """The id and content of the call behind each result, and the content of the result."""
    pairs = []
    for event in found.trace["events"]:
        if event["type"] == "tool_result":
            pairs.append((event.get("x_call_id"), event["content_ref"]))
    return pairs


def test_a_second_result_of_one_call_is_a_loss():
    found = converted(agent_step(["a"], result("a", "1"), result("a", "2")))
    assert answers(found) == [("a", "1")]
    assert lost(found, "a second result") == [("dropped", 1)]


def test_calls_of_one_id_in_one_step_are_answered_in_order():
    found = converted(agent_step(["a", "a"], result("a", "1"), result("a", "2")))
    assert answers(found) == [("a", "1"), ("a.2", "2")]


def test_what_answers_the_call_that_ends_a_trajectory_invents_no_call():
    finish = [{"tool_call_id": "e", "function_name": "Finish"}]
    found = converted({**agent_step([], result("e", "bye")), "tool_calls": finish})
    assert kinds(found.trace) == ["return"]
    assert found.trace["events"][-1]["x_stop_reason"] == "explicit"
    assert lost(found, "that ends a trajectory") == [("dropped", 1)]


def test_a_sub_agent_that_has_not_answered_does_not_return_what_its_own_one_did():
    grandkid = {"trajectory_id": "g", "agent": {"name": "g"}, "steps": [agent_step([])]}
    asking = {"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "g"}]}
    kid = {"trajectory_id": "k", "agent": {"name": "k"}, "steps": [agent_step(["c"], asking)]}
    asked = {"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "k"}]}
    found = converted(agent_step(["c"], asked), subagent_trajectories=[kid, grandkid])
    returns = [event for event in found.trace["events"] if event["type"] == "return"]
    assert [(back["agent"], back["to"]) for back in returns] == [("g", "k"), ("k", "solo")]
    assert ["x_inferred" in back for back in returns] == [True, True]
    assert returns[1]["x_inferred"] is True
    assert lost(found, "without an answer of its own") == [("inferred", 1)]


def test_calls_without_an_id_are_not_taken_for_the_call_of_a_sub_agent():
    reference = {"subagent_trajectory_ref": [{"trajectory_id": "gone"}]}
    found = converted(agent_step([""], reference))
    assert kinds(found.trace, "solo") == ["orchestrator_decision", "tool_call", "spawn"]


def test_only_plain_names_of_files_beside_it_are_companions():
    paths = ["kid.json", "../up.json", "/etc/passwd", ".", "..", "", 7]
    steps = [{"observation": {"results": [{"subagent_trajectory_ref": []}]}}]
    steps[0]["observation"]["results"][0]["subagent_trajectory_ref"] = [
        {"trajectory_path": path} for path in paths
    ]
    node = {"continued_trajectory_ref": "rest.json", "steps": steps}
    document = recorded(node, name="runs/t.json")
    assert list(companions(document)) == [Path("runs/kid.json"), Path("runs/rest.json")]


def side_node(*steps):
    """A session of Claude Code as Harbor converts it."""
    agent = {"name": "lead", "version": "1"}
    return {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": agent, "steps": list(steps)}


def side_chains(*steps):
    return one_run(FORMAT, side_node(*steps))


def side_step(source, message, chain=None, **more):
    extra = {"is_sidechain": chain is not None, **({"agent_id": chain} if chain else {})}
    return {"step_id": 1, "source": source, "message": message, "extra": extra, **more}


def asking(name, role, prompt, agent=""):
    """A call that starts a sub-agent, as keys of a step; the id of the agent is in the result."""
    asked = {"subagent_type": role, "prompt": prompt}
    call = {"tool_call_id": name, "function_name": "Agent", "arguments": asked}
    stated = {"tool_result_metadata": {"tool_use_result": {"agentId": agent}}}
    result = {"source_call_id": name, "content": "seen", "extra": stated if agent else {}}
    return {"tool_calls": [call], "observation": {"results": [result]}}


def test_side_chains_are_sub_agents_and_words_of_the_program_no_prompts():
    found = side_chains(
        side_step("user", "go"),
        side_step("agent", "", **asking("c", "scout", "look", "a1")),
        side_step("user", "look", "a1"),
        side_step("agent", "seen", "a1"),
        side_step("agent", "done"),
        side_step("user", "<local-command-stdout>x</local-command-stdout>"),
    )
    assert shown(found.trace, "to") == [
        ("human_intervention", "user", "lead"),
        ("orchestrator_decision", "lead", None),
        ("spawn", "lead", "scout"),
        ("return", "scout", "lead"),
        ("return", "lead", "user"),
    ]


@pytest.mark.parametrize(
    ("program", "context"),
    [
        ("codex", "<environment_context>\n  <cwd>/work</cwd>"),
        ("codex", "# AGENTS.md instructions for /work"),
        ("gemini-cli", "<session_context>\nToday is Monday."),
        ("claude-code", "<system-reminder>be brief</system-reminder>"),
        ("another", "<system-reminder>be brief</system-reminder>"),
    ],
)
def test_what_a_program_puts_before_the_prompt_is_not_the_task(program, context):
    def trace(*told):
        steps = [{"source": "user", "message": words} for words in told]
        steps.append({"source": "agent", "message": "done"})
        agent = {"name": program, "version": "1"}
        node = {"schema_version": "ATIF-v1.8", "session_id": "s", "agent": agent, "steps": steps}
        return one_run(FORMAT, node).trace

    found = trace(context, "go")
    assert each(found, "human_intervention", "role") == ["task"]
    assert found["task_id"] == trace("go")["task_id"]


def test_a_side_chain_without_the_id_of_a_call_is_a_trace_of_its_own():
    asked = asking("c", "scout", "look")
    node = side_node(side_step("agent", "", **asked), side_step("agent", "seen", "a1"))
    lead, other = converted_rows(FORMAT, node)
    assert kinds(lead.trace) == ["tool_call", "tool_result"]
    assert lost(other, "no step in a trace") == [("ambiguous", 1)]


def test_a_side_chain_may_start_another_one():
    found = side_chains(
        side_step("user", "go"),
        side_step("agent", "", **asking("c", "scout", "look", "a1")),
        side_step("user", "look", "a1"),
        side_step("agent", "", "a1", **asking("d", "helper", "help", "a2")),
        side_step("user", "help", "a2"),
        side_step("agent", "helped", "a2"),
        side_step("agent", "seen", "a1"),
        side_step("agent", "done"),
    )
    spawns = [(one["agent"], one["to"]) for one in found.trace["events"] if one["type"] == "spawn"]
    assert spawns == [("lead", "scout"), ("scout", "helper")]
