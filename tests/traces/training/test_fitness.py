"""What a trace has for training: each need is found on every trained turn, or the trace is unfit."""

import io

import pytest

from corpus.traces.contents import Contents
from corpus.traces.training.fitness import PURPOSES
from corpus.traces.training.tables import NEEDS
from tests.support.made_traces import act, edge
from tests.support.trained_traces import TOKENS, Recorded


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
    assert first.misfit("contents", "sft").code == "OT515"


@pytest.mark.parametrize(("key", "need"), [("content_ref", "contents"), ("x_model", "one owner")])
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
    recorded.traces[0]["edges"] = [edge("ask", "heat")]
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
    assert first.lacks("online") == ["policy version"]
    assert first.misfit("policy version", "online").code == "OT515"
    assert first.fit_for() == ["sft", "preference", "offline"]
    recorded.traces[0]["events"][0]["x_run"] = {"policy_version": 7}
    assert recorded.fitness()[0].fit_for() == list(PURPOSES)


def test_a_prompt_to_nobody_is_heard_by_the_main_agent(recorded):
    asked, call, *_ = recorded.traces[0]["events"]
    del asked["to"], call["x_contents"]["system"]
    assert recorded.fitness()[0].lacks() == ["system prompt"]


def test_a_group_needs_a_second_run(recorded):
    recorded.traces[1]["task_id"] = "fry"
    first, _ = recorded.fitness()
    assert first.lacks() == ["group"]
    assert first.fit_for() == ["sft", "offline"]


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
    spawned = act("spawn", 2.5, "spawn", "lead", to="helper")
    events.insert(3, spawned | {"role": "aide"})
    events.insert(4, act("help", 2.6, "return", "helper", x_steps=1))
    recorded.traces[0]["edges"].append(edge("hot", "spawn"))
    recorded.traces[0]["edges"].append(edge("spawn", "help", "spawn"))
    assert [recorded.fitness(train=[name])[0].turns for name in ("lead", "aide", "m")] == [2, 1, 2]
    assert recorded.fitness(train=["nobody"])[0].fit_for() == []
