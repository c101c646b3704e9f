"""What a trace has for training: each need is found on every trained turn, or the trace is unfit."""

import io
import json

import pytest

from corpus.traces.contents import Content, Contents
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.runs import valid_run
from corpus.traces.training.fitness import NEEDS, PURPOSES, fitness

TOKENS = {"prompt_token_ids": [1], "completion_token_ids": [2], "logprobs": [-0.5]}


class Recorded:
    """Two runs of a task with all that a trainer could need, and their contents."""

    def __init__(self):
        self.contents = Contents(io.BytesIO())
        self.traces = [self.trace("a"), self.trace("b")]

    def keep(self, role, written):
        content = Content.of(role, written)
        self.contents.add(content)
        return content.hash

    def trace(self, name):
        asked = self.keep("user", "bake bread")
        events = [
            {"id": "ask", "t": 0, "type": "human_intervention", "agent": "user", "to": "lead"},
            {"id": "heat", "t": 1, "type": "tool_call", "agent": "lead", "tool": "oven"},
            {"id": "hot", "t": 2, "type": "tool_result", "agent": "lead", "tool": "oven"},
            {"id": "done", "t": 3, "type": "return", "agent": "lead", "to": "user"},
        ]
        events[0]["content_ref"] = asked
        for number, event in enumerate(events[1:]):
            event["content_ref"] = self.keep("assistant", f"turn {number}")
        for event in events[1:3]:
            event["x_call_id"] = "c1"
        for event in (events[1], events[3]):
            tokens = [self.keep("tokens", TOKENS | {"policy_version": 7})]
            event |= {"x_steps": 1, "x_model": "m", "x_rewards": {"prm": 0.5}}
            event["x_contents"] = {"tokens": tokens}
        events[1]["x_contents"]["system"] = [self.keep("system", "You bake.")]
        events[1]["x_contents"]["tool_definitions"] = [self.keep("tool_definitions", ["oven"])]
        costs = {"tokens": 0, "wall_clock_s": 3}
        edges = []
        for source, target in (("ask", "heat"), ("heat", "hot"), ("hot", "done")):
            edges.append({"src": source, "dst": target, "type": "causal"})
        head = {"trace_id": name, "task_id": "bake", "events": events, "edges": edges}
        return head | {"rewards": {"team": 1.0}, "costs": costs}

    def fitness(self, contents=None, train=()):
        pairs = []
        for number, trace in enumerate(self.traces, 1):
            document = TraceText("t.jsonl", number, json.dumps(trace).encode(), True)
            run, findings = valid_run(document)
            assert run is not None, findings
            pairs.append((document, run))
        return fitness(pairs, self.contents if contents is None else contents, train)


@pytest.fixture
def recorded():
    return Recorded()


def test_runs_with_everything_are_fit_for_everything(recorded):
    for found in recorded.fitness():
        assert found.turns == 2
        assert found.found == dict.fromkeys(NEEDS, 2)
        assert found.fit_for() == list(PURPOSES)


def test_without_the_file_contents_and_tokens_are_missing(recorded):
    first, _ = recorded.fitness(Contents(io.BytesIO()))
    needs = ["contents", "tools", "system prompt", "token ids", "log probs", "policy version"]
    assert first.lacks() == needs
    assert first.fit_for() == []
    assert {one.code for one in first.unfit("sft")} == {"OT515"}


@pytest.mark.parametrize(
    ("key", "need"),
    [("content_ref", "contents"), ("x_model", "one owner"), ("x_rewards", "step reward")],
)
def test_one_turn_that_lacks_a_need_is_enough(recorded, key, need):
    last = recorded.traces[0]["events"][-1]
    del last[key]
    if key == "content_ref":
        del last["x_contents"]
    first, second = recorded.fitness()
    assert need in first.lacks()
    assert first.found[need] == 1
    assert second.fit_for() == list(PURPOSES)


def test_results_of_tools_are_contents(recorded):
    del recorded.traces[0]["events"][2]["content_ref"]
    assert recorded.fitness()[0].lacks() == ["contents"]


def test_the_words_of_an_act_without_content_of_its_own_are_enough(recorded):
    call = recorded.traces[0]["events"][1]
    call["x_contents"]["assistant"] = [call.pop("content_ref")]
    assert recorded.fitness()[0].lacks() == []


def test_tools_are_needed_where_the_agent_calls_some(recorded):
    call = recorded.traces[0]["events"][1]
    del call["x_contents"]["tool_definitions"]
    assert recorded.fitness()[0].lacks() == ["tools"]
    del recorded.traces[0]["events"][2]
    recorded.traces[0]["edges"] = [{"src": "ask", "dst": "heat", "type": "causal"}]
    call["type"] = "message"
    assert recorded.fitness()[0].lacks() == []


def test_messages_tell_whether_there_was_a_system_prompt(recorded):
    given = recorded.traces[0]["events"][1]["x_contents"]
    del given["system"]
    assert recorded.fitness()[0].lacks() == ["system prompt"]
    given["messages"] = [recorded.keep("messages", [{"role": "user", "content": "bake bread"}])]
    assert recorded.fitness()[0].lacks() == []


def test_a_frozen_model_is_refused_for_online_training_alone(recorded):
    old = recorded.keep("tokens", TOKENS)
    for trace in recorded.traces:
        for event in trace["events"]:
            if "x_contents" in event:
                event["x_contents"]["tokens"] = [old]
    first, _ = recorded.fitness()
    assert [one.code for one in first.unfit("online")] == ["OT516"]
    assert first.fit_for() == ["sft", "preference", "stepwise", "offline"]
    recorded.traces[0]["events"][0]["x_run"] = {"policy_version": 7}
    assert recorded.fitness()[0].fit_for() == list(PURPOSES)


def test_a_group_needs_a_second_run(recorded):
    recorded.traces[1]["task_id"] = "fry"
    first, _ = recorded.fitness()
    assert first.lacks() == ["group"]
    assert first.fit_for() == ["sft", "stepwise", "offline"]


def test_each_turn_has_one_owner_and_one_rule(recorded):
    first, second = (trace["events"] for trace in recorded.traces)
    first[2]["x_model"] = "other"
    second[3]["x_rewards"]["team"] = 0.5
    one, other = recorded.fitness()
    assert [(found.code, found.value) for found in one.findings] == [("OT517", "heat")]
    assert [(found.code, found.value) for found in other.findings] == [("OT518", "done")]
    assert (one.fit_for(), other.fit_for()) == (["sft"], ["sft"])
    assert other.findings[0].column == "/events/3"


def test_turns_of_agents_that_are_not_trained_need_nothing(recorded):
    events = recorded.traces[0]["events"]
    spawned = {"id": "spawn", "t": 2.5, "type": "spawn", "agent": "lead", "to": "helper"}
    events.insert(3, spawned | {"role": "aide"})
    events.insert(4, {"id": "help", "t": 2.6, "type": "return", "agent": "helper", "x_steps": 1})
    recorded.traces[0]["edges"].append({"src": "hot", "dst": "spawn", "type": "causal"})
    recorded.traces[0]["edges"].append({"src": "spawn", "dst": "help", "type": "spawn"})
    assert [recorded.fitness(train=[name])[0].turns for name in ("lead", "aide", "m")] == [2, 1, 2]
    assert recorded.fitness(train=["nobody"])[0].fit_for() == []
