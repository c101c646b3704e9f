"""Small recordings of real shapes: each model call, tool call and token of them counts once."""

from pathlib import Path

import pytest

from tests.support.converted import lost
from tests.support.recorded_traces import kinds

CASES = Path(__file__).with_name("cases")


def counted(run, name):
    """Runs, model steps, tools used, agents, tokens and tasks of all files of a case."""
    traces = [found.trace for found in run(CASES / name)]
    events = [event for trace in traces for event in trace["events"]]
    agents = set()
    for number, trace in enumerate(traces):
        agents |= {(number, one["agent"]) for one in trace["events"]} - {(number, "user")}
    return (
        len(traces),
        int(sum(trace["metrics"]["corpus.steps"] for trace in traces)),
        sum(event["type"] == "tool_call" for event in events),
        len(agents),
        sum(trace["costs"]["tokens"] for trace in traces),
        len({trace["task_id"] for trace in traces}),
    )


# fmt: off
#: Name, runs, model steps, tools used, agents, tokens and tasks.
COUNTS = [
    # A checkpoint replaces the history, and the log goes on.
    ("gemini-set-messages",         1, 4, 2, 1,  5_345, 1),
    # What the program writes in the name of the user is no task.
    ("gemini-two-tasks",            2, 4, 2, 2,  4_600, 2),
    ("gemini-context",              1, 2, 1, 1,  2_300, 1),
    # A fork, a resumed session and a sub-agent begin with a copy of another conversation.
    ("codex-user-fork",             2, 3, 1, 2,  4_010, 2),
    ("codex-subagent-fork",         1, 5, 2, 2,  6_470, 1),
    ("claude-fork-new-uuid",        2, 3, 1, 2,  1_677, 2),
    ("claude-fork-agent",           1, 4, 1, 2,  2_294, 1),
    ("claude-dup-history",          1, 2, 0, 1,     51, 1),
    ("codex-reemit",                1, 3, 1, 1,  4_010, 1),
    # Calls of another model, and what the server of the model carries out.
    ("claude-advisor",              1, 2, 1, 1, 12_347, 1),
    ("claude-btw",                  1, 3, 1, 1,  1_670, 1),
    ("claude-missing-agent",        1, 2, 0, 2, 39_348, 1),
    # Spans that group others are no agents.
    ("adk.json",                    1, 5, 2, 3,    426, 1),
    ("otlp_root_agent.json",        1, 2, 0, 2,    175, 1),
    ("otlp_workflow_v010.json",     1, 2, 0, 2,    175, 1),
    ("atif-llm-call-count.json",    1, 1, 1, 1,    320, 1),
    ("langfuse-cached.json",        1, 3, 0, 1, 71_826, 1),
    ("chat_messages.jsonl",         1, 2, 1, 1,      0, 1),
    ("nemo_gym_nested.jsonl",       1, 2, 1, 1,      0, 1),
    ("sts.jsonl",                   1, 2, 1, 1,      0, 1),
    ("verifiers_v1_traces.jsonl",  10, 44, 10, 24,   0, 2),
    ("inspect-eval",                3, 11, 8, 5,   738, 3),
    ("parts_order",                 2, 2, 0, 2,      0, 1),
]
# fmt: on


@pytest.mark.parametrize(("name", "runs", "steps", "tools", "agents", "tokens", "tasks"), COUNTS)
def test_everything_counts_once(run, name, runs, steps, tools, agents, tokens, tasks):
    assert counted(run, name) == (runs, steps, tools, agents, tokens, tasks)


def test_each_prompt_of_a_person_is_one_event(run):
    prompts = {"codex-prompt": 2, "claude-dup-history": 2, "gemini-set-messages": 2}
    for name, number in prompts.items():
        (found,) = run(CASES / name)
        assert kinds(found.trace, "user") == ["human_intervention"] * number
        asked = {event["content_ref"] for event in found.trace["events"][:1]}
        for event in found.trace["events"]:
            assert not asked.intersection(event.get("x_contents", {}).get("system", ()))


def test_a_repeated_conversation_leaves_the_times_of_the_first(run):
    (found,) = run(CASES / "claude-dup-history")
    assert [event["t"] for event in found.trace["events"]] == [0, 1, 10.2, 12]
    assert lost(found, "a resumed conversation repeats") == [("dropped", 2)]


def test_a_transfer_between_agents_is_a_message(run):
    (found,) = run(CASES / "adk.json")
    (message,) = [event for event in found.trace["events"] if event["type"] == "message"]
    assert (message["agent"], message["to"]) == ("lead", "closer")


def test_a_workflow_and_an_agent_that_only_runs_others_are_one_tree(run):
    flows = [
        run(CASES / name)[0].trace for name in ("otlp_root_agent.json", "otlp_workflow_v010.json")
    ]
    first, second = [[(one["type"], one["agent"]) for one in flow["events"]] for flow in flows]
    assert first == second
