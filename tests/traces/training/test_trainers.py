"""Rows for trainers have the fields that each library publishes, and the turns of the recording."""

import io
import json
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from corpus.model.finding import UsageProblem
from corpus.traces.contents import Contents
from corpus.traces.convert.intake import convert_all, format_of
from corpus.traces.document import parse_document
from corpus.traces.training.credit import variant
from corpus.traces.training.trainers import RunChats, teach
from tests.support.converted import Readable
from tests.support.imported import findings_of, refused
from tests.support.made_traces import act, edge, run_of, runs
from tests.support.trained_traces import TOKENS, Recorded

OBJECTS = (list, dict)
# Fields with their types; a name with a question mark need not be there.
# verifiers 0.4.0: Episode, Trace and MessageNode of verifiers/v1.
EPISODE = {"id": str, "env": dict, "task": dict, "group": dict, "traces": list}
TRACE = {"id": str, "task": dict, "agent": dict, "tools": list, "nodes": list}
TRACE |= {"rewards": dict, "metrics": dict, "is_completed": bool}
NODE = {"parent": (int, type(None)), "message": dict, "sampled": bool, "timestamp": float}
NODE |= {"token_ids?": list, "mask?": list, "logprobs?": list, "advantages?": list}
# rLLM 0.3.0: what from_dict of Episode, Trajectory and Step reads.
RLLM = {"id": str, "task": str, "termination_reason": str, "is_correct": bool}
RLLM |= {"trajectories": list, "metrics": dict, "info": dict}
TRAJECTORY = {"uid": str, "name": str, "task": str, "steps": list, "reward": (float, type(None))}
STEP = {"prompt_ids": list, "response_ids": list, "logprobs": list, "chat_completions": list}
STEP |= {"observation": type(None), "thought": str, "action": type(None), "model_response": str}
STEP |= {"info": dict, "reward": float, "done": bool, "mc_return": float}
STEP |= {"advantage": (float, type(None))}
# TRL 1.10: dataset_formats.md.
SFT = {"messages": list, "tools?": list}
PREFERENCE = {"prompt": list, "chosen": list, "rejected": list, "tools?": list}
MESSAGE = {"role": str, "content": str, "tool_calls?": list, "tool_call_id?": str}
MESSAGE |= {"reasoning_content?": str}


def fits(found: dict[str, Any], schema: dict[str, Any]) -> None:
    """Check that an object has the fields of a schema, of their types, and no others."""
    assert found.keys() <= {name.rstrip("?") for name in schema}
    for name, kind in schema.items():
        if name in found or not name.endswith("?"):
            assert isinstance(found[name.rstrip("?")], kind), name


@pytest.fixture
def recorded():
    """Two runs that differ in their last answer, of which the first is better."""
    found = Recorded()
    found.traces[1]["rewards"]["team"] = 0.0
    found.traces[1]["events"][3]["content_ref"] = found.keep("assistant", "burnt")
    asked = found.keep("tool_call", {"heat": 200})
    tool = {"type": "function", "function": {"name": "oven", "parameters": {"type": "object"}}}
    for trace in found.traces:
        trace["events"][1]["content_ref"] = asked
        given = trace["events"][1]["x_contents"]
        given["tool_definitions"] = [found.keep("tool_definitions", [tool])]
    return found


def taught(recorded, trainer, purpose="offline", scheme="", channel="team"):
    chosen = variant(scheme, channel) if scheme else None
    those = [run_of(trace) for trace in recorded.traces]
    rows, losses = teach(trainer, those, recorded.contents, purpose, chosen, channel)
    assert len(losses) == len(those)
    return json.loads(json.dumps(rows, allow_nan=False)), [tuple(one.values()) for one in losses]


def test_verifiers_reads_nodes_with_an_advantage_for_each_sampled_token(recorded):
    episodes, _ = taught(recorded, "verifiers", scheme="rloo")
    assert [one["group"] for one in episodes] == [{"id": "bake"}] * 2
    for episode, advantage in zip(episodes, (1.0, -1.0), strict=True):
        fits(episode, EPISODE)
        (trace,) = episode["traces"]
        fits(trace, TRACE)
        assert trace["tools"][0].keys() == {"name", "description", "parameters"}
        sampled = [node for node in trace["nodes"] if node["sampled"]]
        assert [node["advantages"] for node in sampled] == [[advantage]] * 2
        for place, node in enumerate(trace["nodes"]):
            fits(node, NODE)
            fits(node["message"], MESSAGE)
            assert node["parent"] is None or node["parent"] < place
            if node["sampled"]:
                own = [one.get("token_ids", []) for one in path(trace, place)]
                assert [*chain(*own)] == TOKENS["prompt_token_ids"] + TOKENS["completion_token_ids"]
    call = sampled[0]["message"]["tool_calls"]
    assert call == [{"id": "c1", "name": "oven", "arguments": '{"heat": 200}'}]
    assert episodes[0]["traces"][0]["rewards"] == {"team": {"score": 1.0}}


def path(trace, place):
    """The nodes from the first message to one of them."""
    found = []
    while place is not None:
        found.insert(0, trace["nodes"][place])
        place = trace["nodes"][place]["parent"]
    return found


def test_a_prompt_that_continues_adds_its_new_tokens_alone(recorded):
    more = recorded.keep("tokens", {"prompt_token_ids": [1, 2, 5], "completion_token_ids": [6]})
    recorded.traces[0]["events"][3]["x_contents"]["tokens"] = [more]
    (trace,) = taught(recorded, "verifiers")[0][0]["traces"]
    assert [node["parent"] for node in trace["nodes"]] == [None, 0, 1, 2, 3]
    assert (trace["nodes"][-1]["token_ids"], trace["nodes"][-1]["mask"]) == ([5, 6], [False, True])
    assert "advantages" not in trace["nodes"][-1]


def test_an_advantage_without_tokens_to_put_it_on_is_a_loss(recorded):
    del recorded.traces[0]["events"][3]["x_contents"]["tokens"]
    _, (first, second) = taught(recorded, "verifiers", scheme="rloo")
    assert [(loss.kind, loss.place) for loss in first] == [("dropped", "done")]
    assert second == ()


def test_rllm_reads_episodes_with_an_advantage_for_each_step(recorded):
    episodes, _ = taught(recorded, "rllm", scheme="rloo")
    assert [one["id"] for one in episodes] == ["bake:0", "bake:1"]
    for episode in episodes:
        fits(episode, RLLM)
        (trajectory,) = episode["trajectories"]
        fits(trajectory, TRAJECTORY)
        for step in trajectory["steps"]:
            fits(step, STEP)
            assert step["chat_completions"][-1]["role"] == "assistant"
            for message in step["chat_completions"]:
                fits(message, MESSAGE)
    first = episodes[0]["trajectories"][0]
    assert first["reward"] == 1.0
    assert [step["advantage"] for step in first["steps"]] == [1.0, 1.0]
    assert [step["done"] for step in first["steps"]] == [False, True]


def test_a_colon_in_a_task_does_not_part_the_id_of_an_episode(recorded):
    for trace in recorded.traces:
        trace["task_id"] = "sha256:77"
    episodes, _ = taught(recorded, "rllm")
    assert [one["id"].split(":") for one in episodes] == [["sha256-77", "0"], ["sha256-77", "1"]]


def test_our_own_reader_of_rllm_finds_the_same_agents_steps_calls_and_rewards(recorded):
    episodes, _ = taught(recorded, "rllm")
    text = "".join(f"{json.dumps(one)}\n" for one in episodes)
    document = parse_document(Path("episodes.jsonl"), text.encode())
    found = format_of(document)
    assert found.name == "rllm"
    back = [run_of(one.trace) for one in convert_all({"rllm": [document]}, Readable())]
    for before, after in zip(map(run_of, recorded.traces), back, strict=True):
        assert after.agents == before.agents
        assert len(RunChats(after, recorded.contents).rollout.places) == 2
        calls = [[one.x_call_id for one in run.events if one.tool] for run in (before, after)]
        assert calls[0] == calls[1]
        assert after.trace.rewards == {"reward@lead": before.trace.rewards["team"]}


def test_trl_learns_from_conversations(recorded):
    rows, losses = taught(recorded, "trl", "sft")
    assert len(rows) == 2
    assert losses == [(), ()]
    for row in rows:
        fits(row, SFT)
        roles = [message["role"] for message in row["messages"]]
        assert roles == ["system", "user", "assistant", "tool", "assistant"]
        assert row["messages"][2]["tool_calls"][0]["function"]["arguments"] == {"heat": 200}
        assert row["tools"][0]["function"]["name"] == "oven"


def test_trl_prefers_the_better_run_from_where_both_part(recorded):
    (row,), _ = taught(recorded, "trl", "preference")
    fits(row, PREFERENCE)
    assert [message["role"] for message in row["prompt"]] == ["system", "user", "assistant", "tool"]
    assert [one["content"] for one in (*row["chosen"], *row["rejected"])] == ["turn 2", "burnt"]


def test_runs_part_at_an_answer_and_not_at_what_came_back_from_it(recorded):
    recorded.traces[1]["events"][2]["content_ref"] = recorded.keep("tool", "cold")
    (row,), _ = taught(recorded, "trl", "preference")
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert row["chosen"][0] == row["rejected"][0]


def test_of_three_runs_the_one_between_is_in_no_pair(recorded):
    recorded.traces.append(recorded.trace("c") | {"rewards": {"team": 0.5}})
    rows, losses = taught(recorded, "trl", "preference")
    assert len(rows) == 1
    assert [len(one) for one in losses] == [0, 0, 1]


def test_a_run_whose_texts_are_missing_is_refused(recorded):
    recorded.contents = Contents(io.BytesIO())
    for trainer, purpose in (("rllm", "offline"), ("trl", "sft")):
        findings = findings_of(taught, recorded, trainer, purpose)
        assert {(one.code, one.file) for one in findings} == {("OT515", "a"), ("OT515", "b")}


def test_a_turn_of_two_models_is_taught_to_nobody(recorded):
    recorded.traces[0]["events"][2]["x_model"] = "other"
    assert refused(taught, recorded, "verifiers") == ["OT517"]


def test_what_no_recording_tells_is_a_loss(recorded):
    del recorded.traces[0]["events"][1]["x_contents"]["system"]
    _, (first, second) = taught(recorded, "trl", "sft")
    assert [(loss.kind, loss.place, loss.count) for loss in first] == [
        ("inferred", "system prompt", 2)
    ]
    assert second == ()


def test_nothing_to_write_is_refused(recorded):
    with pytest.raises(UsageProblem):
        taught(recorded, "trl", "preference", channel="prm")


def test_an_agent_hears_its_prompt_and_its_parent_the_answer_when_it_comes():
    """A parent goes on while its child works: the answer is after what it wrote meanwhile."""
    found = Recorded()
    say = found.keep
    lead: dict[str, Any] = {"agent": "lead", "x_steps": 1}
    events: list[dict[str, Any]] = [
        {"id": "plan", "t": 1, "type": "spawn", **lead, "to": "ann", "x_call_id": "s1"},
        {"id": "wait", "t": 2, "type": "message", **lead, "to": "ann"},
        act("back", 3, "return", "ann", to="lead", x_steps=1),
        {"id": "end", "t": 4, "type": "return", **lead},
    ]
    events[0]["content_ref"] = say("tool_call", {"prompt": "buy tea", "kind": "buyer"})
    for event, words in zip(events[1:], ("hurry", "bought", "done"), strict=True):
        event["content_ref"] = say("assistant", words)
    events[2]["x_contents"] = {"user": [say("user", "buy tea")]}
    order = [event["id"] for event in events]
    edges = []
    for source, target in pairwise(order):
        edges.append(edge(source, target))
    run = run_of({**found.traces[0], "events": events, "edges": edges})
    chats = RunChats(run, found.contents).chats
    ann = [(one["role"], one["content"]) for one in chats["ann"].messages]
    assert ann == [("user", "buy tea"), ("user", "hurry"), ("assistant", "bought")]
    heard = [(one["role"], one["content"]) for one in chats["lead"].messages]
    assert heard[1:] == [("assistant", "hurry"), ("tool", "bought"), ("assistant", "done")]
    (call,) = chats["lead"].messages[0]["tool_calls"]
    assert call["id"] == chats["lead"].messages[2]["tool_call_id"] == "s1"


def test_words_that_are_recorded_with_a_step_and_its_return_are_said_once(recorded):
    last = recorded.traces[0]["events"][3]
    last["x_contents"]["assistant"] = [last["content_ref"]]
    rows, _ = taught(recorded, "trl", "sft")
    assert [row["messages"][-1]["content"] for row in rows] == ["turn 2", "burnt"]


@pytest.mark.parametrize(
    ("written", "arguments"), [({}, {}), ("hot", {"input": "hot"}), ([1], {"input": [1]})]
)
def test_arguments_are_an_object(recorded, written, arguments):
    recorded.traces[0]["events"][1]["content_ref"] = recorded.keep("tool_call", written)
    row = taught(recorded, "trl", "sft")[0][0]
    assert row["messages"][2]["tool_calls"][0]["function"]["arguments"] == arguments


@given(run=runs())
def test_every_step_of_an_agent_has_one_answer(run):
    found = RunChats(run, Contents(io.BytesIO()))
    for agent, chat in found.chats.items():
        own = [step for step, name in enumerate(found.rollout.agents) if name == agent]
        assert set(chat.turns) <= set(own)
        places = list(chat.turns.values())
        assert len(set(places)) == len(places)
        assert all(chat.messages[place]["role"] == "assistant" for place in places)
