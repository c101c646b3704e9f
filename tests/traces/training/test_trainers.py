"""Rows for trainers have the fields that each library publishes, and the turns of the recording."""

import io
import json
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given

from corpus.model.finding import UsageProblem
from corpus.traces.contents import Contents
from corpus.traces.training.chats import RunChats
from corpus.traces.training.credit import variant
from corpus.traces.training.trainers import teach
from tests.support.imported import findings_of, refused
from tests.support.made_traces import act, edge, run_of, runs
from tests.support.trained_traces import TOKENS, Recorded

# What the trainers' own code takes is in tests/conformance/trainers.
PROVENANCE = {
    *("trace", "agent", "stretch", "model", "task", "attempt", "reward", "policy_version"),
    *("stop", "finish_reason", "sampling", "missing"),
}
GRADED = {f"{one}_{key}" for one in ("chosen", "rejected") for key in ("trace", "reward", "model")}


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


def taught(recorded, trainer, purpose="offline", scheme="", channel="team", **options):
    chosen = variant(scheme, channel) if scheme else None
    those = [run_of(trace) for trace in recorded.traces]
    rows, losses = teach(those, recorded.contents, trainer, purpose, chosen, channel, **options)
    assert len(losses) == len(those)
    return json.loads(json.dumps(rows, allow_nan=False)), [tuple(one.values()) for one in losses]


def test_verifiers_reads_nodes_with_an_advantage_for_each_sampled_token(recorded):
    episodes, _ = taught(recorded, "verifiers", scheme="rloo")
    assert [one["group"] for one in episodes] == [{"id": "bake"}] * 2
    for episode, advantage in zip(episodes, (1.0, -1.0), strict=True):
        assert (episode["ok"], episode["errors"]) == (True, [])
        (trace,) = episode["traces"]
        assert (trace["ok"], trace["stop_condition"]) == (True, "agent_completed")
        assert trace["agent"]["trainable"]
        assert trace["tools"][0].keys() == {"name", "description", "parameters"}
        sampled = [node for node in trace["nodes"] if node["sampled"]]
        assert [node["advantages"] for node in sampled] == [[advantage]] * 2
        for place, node in enumerate(trace["nodes"]):
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
        (trajectory,) = episode["trajectories"]
        for step in trajectory["steps"]:
            assert step["model_output"]["prompt_ids"] == TOKENS["prompt_token_ids"]
            assert step["model_output"]["completion_ids"] == step["response_ids"]
        # The last step has the conversation of all.
        roles = [[one["role"] for one in step["chat_completions"]] for step in trajectory["steps"]]
        assert roles == [[], ["system", "user", "assistant", "tool", "assistant"]]
    first = episodes[0]["trajectories"][0]
    assert first["reward"] == 1.0
    assert [step["advantage"] for step in first["steps"]] == [1.0, 1.0]
    assert [step["done"] for step in first["steps"]] == [False, True]


def test_a_colon_in_a_task_does_not_part_the_id_of_an_episode(recorded):
    for trace in recorded.traces:
        trace["task_id"] = "sha256:77"
    episodes, _ = taught(recorded, "rllm")
    assert [one["id"].split(":") for one in episodes] == [["sha256-77", "0"], ["sha256-77", "1"]]


def test_trl_learns_from_conversations(recorded):
    rows, losses = taught(recorded, "trl", "sft")
    assert len(rows) == 2
    assert losses == [(), ()]
    for row in rows:
        assert row.keys() == {"messages", "tools", *PROVENANCE}
        roles = [message["role"] for message in row["messages"]]
        assert roles == ["system", "user", "assistant", "tool", "assistant"]
        assert row["messages"][2]["tool_calls"][0]["function"]["arguments"] == {"heat": 200}
        assert row["tools"][0]["function"]["name"] == "oven"


def test_trl_prefers_the_better_answer_where_both_part(recorded):
    for call, result in (recorded.traces[1]["events"][1:3],):
        call["x_call_id"] = result["x_call_id"] = "other"
    (row,), _ = taught(recorded, "trl", "preference")
    known = {"prompt", "chosen", "rejected", "tools", "task", "agent"}
    assert row.keys() == known | GRADED
    assert [message["role"] for message in row["prompt"]] == ["system", "user", "assistant", "tool"]
    assert [one["content"] for one in (*row["chosen"], *row["rejected"])] == ["turn 2", "burnt"]
    assert (row["chosen_trace"], row["rejected_reward"]) == ("a", 0.0)


def test_runs_in_which_the_environment_answered_otherwise_are_no_pair(recorded):
    recorded.traces[1]["events"][2]["content_ref"] = recorded.keep("tool", "cold")
    with pytest.raises(UsageProblem):
        taught(recorded, "trl", "preference")


def test_an_answer_is_the_last_message_of_its_pair(recorded):
    recorded.traces[1]["events"][1]["content_ref"] = recorded.keep("tool_call", {"heat": 90})
    (row,), _ = taught(recorded, "trl", "preference")
    assert [len(row[name]) for name in ("prompt", "chosen", "rejected")] == [2, 1, 1]


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
    ann = [(one["role"], one["content"]) for one in chats["ann"][0].messages]
    assert ann == [("user", "buy tea"), ("user", "hurry"), ("assistant", "bought")]
    heard = [(one["role"], one["content"]) for one in chats["lead"][0].messages]
    assert heard[1:] == [("assistant", "hurry"), ("tool", "bought"), ("assistant", "done")]
    (call,) = chats["lead"][0].messages[0]["tool_calls"]
    assert call["id"] == chats["lead"][0].messages[2]["tool_call_id"] == "s1"


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
    for agent, chat in ((chat.agent, chat) for chats in found.chats.values() for chat in chats):
        own = [step for step, name in enumerate(found.rollout.agents) if name == agent]
        assert set(chat.turns) <= set(own)
        places = list(chat.turns.values())
        assert len(set(places)) == len(places)
        assert all(chat.messages[place]["role"] == "assistant" for place in places)


def with_more_turns(recorded, *turns):
    """Let the first run go on; each turn has the keys of its event."""
    trace = recorded.traces[0]
    for number, keys in enumerate(turns):
        words = recorded.keep("assistant", f"more {number}")
        one = act(f"more{number}", 4 + number, "return", "lead", to="user", x_steps=1, x_model="m")
        trace["events"].append({**one, "content_ref": words, **keys})
        trace["edges"].append(edge("done" if not number else f"more{number - 1}", one["id"]))


def test_a_compacted_context_is_a_row_of_its_own(recorded):
    summary = recorded.keep("user", "bread is baked")
    with_more_turns(recorded, {"x_compacted": True, "x_contents": {"user": [summary]}}, {})
    rows, _ = taught(recorded, "trl", "sft")
    assert [(row["trace"], row["stretch"]) for row in rows] == [("a", 0), ("a", 1), ("b", 0)]
    told = [one["content"] for one in rows[1]["messages"]]
    assert told == ["You bake.", "bread is baked", "more 0", "more 1"]
    assert rows[1]["missing"] == ["what the compaction kept"]
    (trace,) = taught(recorded, "verifiers")[0][0]["traces"]
    roots = [place for place, node in enumerate(trace["nodes"]) if node["parent"] is None]
    assert trace["nodes"][roots[-1] + 1]["message"]["content"] == "bread is baked"


def test_what_another_model_wrote_is_context_and_not_trained(recorded):
    with_more_turns(recorded, {"x_model": "n"})
    rows, _ = taught(recorded, "trl", "sft")
    assert [(row["trace"], row["model"]) for row in rows] == [("a", "m"), ("a", "n"), ("b", "m")]
    assert [one["content"] for one in rows[1]["completion"]] == ["more 0"]
    assert [one["role"] for one in rows[1]["prompt"]].count("assistant") == 2
    (episode, _), _ = taught(recorded, "verifiers")
    models = [one["agent"]["config"]["model"] for one in episode["traces"]]
    assert models == ["m", "n"]


def test_a_program_that_shortens_the_context_begins_a_row(recorded):
    full = [{"role": "user", "content": "bake bread"}]
    for keys, told in (({}, full), ({}, [{"role": "user", "content": "only this"}])):
        keys["x_contents"] = {"messages": [recorded.keep("messages", told)]}
        with_more_turns(recorded, keys)
        recorded.traces[0]["events"][-1]["id"] += str(len(recorded.traces[0]["events"]))
    recorded.traces[0]["edges"] = []
    rows, _ = taught(recorded, "trl", "sft")
    told = [one["content"] for one in rows[1]["prompt" if "prompt" in rows[1] else "messages"]]
    assert told[0] == "only this"


def test_turns_that_were_taken_back_are_in_no_context(recorded):
    with_more_turns(recorded, {"x_undone": True}, {})
    row, _ = taught(recorded, "trl", "sft")[0]
    assert [one["content"] for one in row["messages"]][-2:] == ["turn 2", "more 1"]


def with_helper(recorded):
    """Let a helper, who has no reward, take a step in both runs."""
    for trace in recorded.traces:
        event = act("help", 2.5, "return", "helper", x_steps=1, x_model="h")
        event["content_ref"] = recorded.keep("assistant", "hint")
        event["x_contents"] = {"user": [recorded.keep("user", "how hot?")]}
        trace["events"].insert(3, event)


def test_only_who_is_named_is_trained(recorded):
    with_helper(recorded)
    rows, losses = taught(recorded, "trl", "sft", train=["helper"])
    assert [row["agent"] for row in rows] == ["helper", "helper"]
    assert all(any(loss.place == "lead" for loss in one) for one in losses)
    (episode, _), _ = taught(recorded, "verifiers", train=["m"])
    trained = {one["agent"]["name"]: one["agent"]["trainable"] for one in episode["traces"]}
    assert trained == {"lead": True, "helper": False}


def test_an_agent_without_a_reward_is_not_trained_as_one_that_failed(recorded):
    with_helper(recorded)
    (episode, _), _ = taught(recorded, "rllm")
    assert [one["name"] for one in episode["trajectories"]] == ["lead"]
    (episode, _), _ = taught(recorded, "verifiers")
    assert [one["agent"]["trainable"] for one in episode["traces"]] == [True, False]
    # With credit, its reward is what the scheme reads.
    (episode, _), _ = taught(recorded, "rllm", scheme="rloo")
    assert [one["reward"] for one in episode["trajectories"]] == [1.0, 1.0]
    assert [one["steps"][0]["advantage"] for one in episode["trajectories"]] == [1.0, 1.0]


def test_unfit_runs_are_left_out_where_that_is_asked_for(recorded):
    del recorded.traces[0]["events"][2]["content_ref"]
    assert refused(taught, recorded, "trl", "sft") == ["OT515"]
    rows, (first, second) = taught(recorded, "trl", "sft", skip_unfit=True)
    assert [row["trace"] for row in rows] == ["b"]
    assert [(loss.kind, loss.place) for loss in first] == [("dropped", "a")]
    assert second == ()


def test_a_run_that_crashed_before_a_step_is_left_out_and_counts_in_the_credit(recorded):
    crashed = recorded.trace("crashed") | {"rewards": {"team": 4.0}, "edges": []}
    crashed["events"] = crashed["events"][:1]
    recorded.traces.append(crashed)
    episodes, (*_, lost) = taught(recorded, "rllm", scheme="grpo:std=none")
    advantages = [one["trajectories"][0]["steps"][0]["advantage"] for one in episodes]
    assert advantages == pytest.approx([1 - 5 / 3, -5 / 3])
    assert [loss.place for loss in lost] == ["crashed"]


def test_a_mask_within_an_answer_is_kept_or_refused(recorded):
    masked = {"prompt_token_ids": [1], "completion_token_ids": [2, 3], "loss_mask": [1, 0]}
    recorded.traces[0]["events"][3]["x_contents"]["tokens"] = [recorded.keep("tokens", masked)]
    assert refused(taught, recorded, "rllm") == ["OT520"]
    (trace,) = taught(recorded, "verifiers")[0][0]["traces"]
    assert trace["nodes"][-1]["mask"] == [False, True, False]


@pytest.mark.parametrize(
    ("run", "ok", "condition", "reason"),
    [
        ({}, True, "agent_completed", "env_done"),
        ({"stop": "max_turns_reached"}, True, "max_turns", "max_turns_exceeded"),
        ({"stop": "max_output_tokens"}, True, "max_output_tokens", "max_response_length_exceeded"),
        ({"stop": "timeout"}, True, "timeout", "timeout"),
        ({"limit": "max_prompt_length"}, True, "max_total_tokens", "max_prompt_length_exceeded"),
        ({"stop": "has_error"}, False, "has_error", "error"),
        ({"stop": "Exception"}, False, "Exception", "error"),
    ],
)
def test_how_a_run_ended_is_written_as_the_trainer_names_it(recorded, run, ok, condition, reason):
    recorded.traces[0]["events"][0]["x_run"] = {"format": "made-up", **run}
    episode = taught(recorded, "verifiers")[0][0]
    assert (episode["ok"], episode["traces"][0]["stop_condition"]) == (ok, condition)
    assert taught(recorded, "rllm")[0][0]["termination_reason"] == reason


def test_a_run_that_failed_is_not_ok(recorded):
    recorded.traces[0]["events"][3]["x_error"] = True
    episode = taught(recorded, "verifiers")[0][0]
    assert (episode["ok"], episode["traces"][0]["ok"]) == (False, False)
    assert episode["errors"]
    assert taught(recorded, "rllm")[0][0]["termination_reason"] == "error"


def test_a_handoff_without_words_is_the_call_that_makes_it(recorded):
    handing = recorded.traces[0]["events"][1]
    handing |= {"type": "message", "role": "handoff", "to": "closer"}
    del handing["content_ref"]
    recorded.traces[0]["edges"] = []
    recorded.traces[0]["events"].pop(2)
    (row, *_) = taught(recorded, "trl", "sft")[0]
    (call,) = row["messages"][2]["tool_calls"]
    assert call["function"]["arguments"] == {"agent": "closer"}


def test_of_several_channels_none_is_taken_in_silence(recorded):
    rows, (first, _) = taught(recorded, "trl", "sft", channel="")
    assert {row["reward"] for row in rows} == {None}
    assert [(loss.kind, loss.place) for loss in first] == [("ambiguous", "reward")]
