"""What the threads of Codex did, as the events of a trace."""

import random
from collections import Counter

import pytest

from corpus.traces.convert.readers.codex import FORMAT
from tests.support.converted import converted_files, each, lost, one_run, recorded
from tests.support.recorded_samples import codex_kid, codex_root, iso
from tests.support.recorded_traces import kinds, only, write_rows


@pytest.fixture
def trace(tmp_path, run):
    write_rows(tmp_path / "rollout-kid.jsonl", codex_kid())
    write_rows(tmp_path / "rollout-root.jsonl", codex_root())
    (found,) = run(tmp_path)
    return found.trace


def test_usage_repeated_by_the_harness_is_counted_once(trace):
    assert trace["costs"]["tokens"] == 150
    assert trace["metrics"]["corpus.steps"] == 3 + 2


def test_a_call_recorded_twice_is_one_call(trace):
    given = each(trace, "tool_call", "tool")
    assert given == ["grep", "shell"]
    assert trace["events"][-1]["x_stop_reason"] == "implicit"


def test_an_interrupted_turn_ends_the_run_from_outside(tmp_path, run):
    rows = codex_root()[:3]
    rows.append(
        {
            **rows[-1],
            "type": "event_msg",
            "payload": {"type": "turn_aborted", "reason": "interrupted"},
        }
    )
    (found,) = run(write_rows(tmp_path / "r.jsonl", rows))
    assert only(found.trace, role="interrupt")["type"] == "human_intervention"
    assert found.trace["events"][-1]["x_stop_reason"] == "external"


def test_what_the_parent_of_a_lone_sub_agent_asked_is_not_asked_by_a_person(tmp_path, run):
    (found,) = run(write_rows(tmp_path / "rollout-kid.jsonl", codex_kid()))
    assert kinds(found.trace, "user") == []
    assert found.trace["task_id"] == "unknown"
    assert lost(found, "a thread that is missing") == [("ambiguous", 1)]


def event(kind, /, **payload):
    return "event_msg", {"type": kind, **payload}


def item(kind, /, **payload):
    return "response_item", {"type": kind, **payload}


PROMPT = event("user_message", message="go")
DONE = event("task_complete", last_agent_message="done")
CHILD = {"agent_thread_id": "kid", "agent_path": "/root/Ada"}


def activity(kind):
    return event("sub_agent_activity", kind=kind, event_id=kind, **CHILD)


SPAWN = activity("started")


def converted(*rows):
    """The trace of a root thread whose rows are one second apart."""
    written = [("session_meta", {"id": "root"}), *rows]
    numbered = []
    for second, (kind, payload) in enumerate(written):
        numbered.append({"timestamp": iso(second), "type": kind, "payload": payload})
    return one_run(FORMAT, *numbered, redact=False)


def words(author, recipient="", kind="MESSAGE"):
    content = [{"text": f"Message Type: {kind}\nhello"}]
    return item("agent_message", author=author, recipient=recipient, content=content)


def test_the_end_of_an_unknown_sub_agent_is_a_loss():
    found = converted(PROMPT, activity("completed"))
    assert lost(found, "whose start is not in the files") == [("dropped", 1)]


def test_what_old_versions_tell_of_sub_agents_is_missing():
    found = converted(PROMPT, event("collab_agent_spawn_end", call_id="s1", new_thread_id="kid"))
    assert kinds(found.trace) == ["human_intervention"]
    assert lost(found, "Codex before 0.150") == [("missing", 1)]


def test_a_call_for_an_agent_that_only_began_stays_a_call():
    asked = item("function_call", name="spawn_agent", arguments="{}", call_id="s1")
    failed = item("function_call_output", call_id="s1", output="no such role", success=False)
    found = converted(PROMPT, asked, failed)
    assert kinds(found.trace, "main") == ["tool_call", "tool_result"]


def test_an_unknown_agent_has_a_name_of_its_own():
    """Under the path of the root there may be an agent called like the root is here."""
    found = converted(PROMPT, words("/root/main", "/root"), words("main", "/root"))
    sent = [(one["from"], one["to"]) for one in found.trace["events"] if one["type"] == "message"]
    assert sent == [("main#2", "main")] * 2


def test_messages_without_a_receiver_or_to_oneself_are_losses():
    nobody = event("sub_agent_activity", kind="interacted")
    oneself = event("sub_agent_activity", kind="interacted", agent_thread_id="root")
    found = converted(PROMPT, nobody, oneself)
    assert kinds(found.trace) == ["human_intervention"]
    assert lost(found, "without a receiver") == lost(found, "to itself") == [("dropped", 1)]


def test_only_a_sub_agent_that_does_not_go_on_is_ended_by_an_interruption():
    found = converted(PROMPT, activity("interrupted"), SPAWN, activity("interrupted"))
    told = [(one["type"], one.get("role"), one["to"]) for one in found.trace["events"][1:]]
    assert told == [
        ("message", "interrupt", "Ada"),
        ("spawn", None, "Ada"),
        ("despawn", None, "Ada"),
    ]
    goes_on = converted(PROMPT, SPAWN, activity("interrupted"), activity("interacted"))
    assert "despawn" not in kinds(goes_on.trace)


def tokens(last, total):
    info = {"total_token_usage": {"total_tokens": total}}
    if last is not None:
        info["last_token_usage"] = last
    return event("token_count", info=info)


def test_tokens_that_no_step_can_carry_are_a_loss():
    found = converted(PROMPT, tokens({"input_tokens": 7}, 7), tokens(None, 20), DONE)
    assert found.trace["costs"]["tokens"] == 0
    assert lost(found, "before the first model step") == [("missing", 7)]
    assert lost(found, "only the sum") == [("missing", 13)]


def test_without_events_of_the_harness_the_messages_of_the_user_are_prompts():
    def message(role, written):
        return item("message", role=role, content=[{"text": written}])

    context = message("user", "<environment_context>x")
    found = converted(message("developer", "x"), context, message("user", "go"))
    assert [one["role"] for one in found.trace["events"]] == ["task"]
    assert lost(found, "messages of the harness") == [("dropped", 1)]


@pytest.mark.parametrize(
    ("status", "seen"), [("approved", [None]), ("DENIED", [True]), ("in_progress", [])]
)
def test_an_assessment_is_a_safety_event_when_it_is_made(status, seen):
    found = converted(PROMPT, event("guardian_assessment", status=status))
    events = found.trace["events"]
    assert [one.get("x_error") for one in events if one["type"] == "safety_event"] == seen


def random_threads(luck):
    """A root thread and a sub-agent in any order; how many calls and tokens they have."""
    files = {}
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "root"}}}
    for name, more in (("root", {}), ("kid", {"source": source})):
        files[name] = [{"type": "session_meta", "payload": {"id": name, **more}}]
    totals = Counter[str]()
    calls = 0
    for second in range(luck.randrange(5, 40)):
        name = luck.choice([*files])
        call = f"c{second}"
        spent = luck.randrange(1, 50)
        # In words of its own: a sub-agent that begins with those of its parent is a fork.
        rows = [item("message", role="assistant", content=[{"text": call}])]
        match luck.choice(["call", "search", "usage", "words", "again"]):
            case "call":
                rows = [item("function_call", name="shell", arguments="{}", call_id=call)]
                if luck.random() < 0.8:
                    rows.append(item("function_call_output", call_id=call, output="x"))
                calls += 1
            case "search":
                rows = [item("web_search_call", status="completed", action={"query": call})]
                calls += 1
            case "usage":
                totals[name] += spent
                rows.append(tokens({"input_tokens": spent}, totals[name]))
            case "again":
                rows = [tokens({"input_tokens": spent}, totals[name])] * bool(totals[name])
        for kind, payload in rows:
            stamp = {"timestamp": iso(second)}
            files[name].append({**stamp, "type": kind, "payload": payload})
    documents = []
    for name, written in files.items():
        documents.append(recorded(*written, name=f"rollout-{name}.jsonl"))
    return documents, calls, totals.total()


def test_every_call_and_every_token_of_any_threads_is_counted_once():
    for seed in range(60):
        documents, calls, spent = random_threads(random.Random(seed))
        for found in converted_files(FORMAT, *documents):
            costs = found.trace["costs"]
            assert (costs["tool_calls"], costs["tokens"]) == (calls, spent), seed
            assert costs["wall_clock_s"] < 40, seed


def test_threads_that_name_each_other_as_parent_end(tmp_path, run):
    for one, other in (("a", "b"), ("b", "a")):
        rows = codex_kid()
        rows[0]["payload"] = {"id": one, "parent_thread_id": other}
        write_rows(tmp_path / f"{one}.jsonl", rows)
    assert run(tmp_path)


def test_a_fork_of_a_fork_repeats_neither(tmp_path, run):
    root, kid = codex_root(), codex_kid()
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "kid", "depth": 2}}}
    meta = {**kid[0], "payload": {"id": "grandkid", "source": spawn}}
    start = [{**row, "timestamp": kid[0]["timestamp"]} for row in root[1:10]]
    call = {"type": "custom_tool_call", "name": "own", "input": "", "call_id": "g1"}
    own = {**kid[2], "payload": call}
    write_rows(tmp_path / "rollout-root.jsonl", root)
    write_rows(tmp_path / "rollout-kid.jsonl", [kid[0], *start, *kid[2:]])
    write_rows(tmp_path / "rollout-grandkid.jsonl", [meta, *start, *kid[2:4], own])
    (found,) = run(tmp_path)
    calls = each(found.trace, "tool_call", "tool")
    assert sorted(calls) == ["grep", "own", "shell"]


def rollout(name, *rows):
    return recorded(*rows, name=name)


def meta(**payload):
    return {"type": "session_meta", "payload": payload}


def test_a_copy_of_a_file_changes_nothing_but_the_losses(tmp_path, run):
    path = write_rows(tmp_path / "rollout-root.jsonl", codex_root())
    (plain,) = run(path)
    (both,) = run(path, write_rows(tmp_path / "copy.jsonl", codex_root()))
    for one in (plain, both):
        del one.trace["events"][0]["x_run"]
    assert both.trace == plain.trace
    assert [count for _, count in lost(both, "another file")] == [18]


@pytest.mark.parametrize("kind", ["review", {"thread_spawn": {"parent_thread_id": "gone"}}])
def test_what_a_lone_sub_agent_is_asked_is_no_word_of_a_person(tmp_path, run, kind):
    """Codex 0.60 and later write a review as a sub-agent without the id of who started it."""
    rows = codex_kid()
    rows[0]["payload"]["source"] = {"subagent": kind}
    (found,) = run(write_rows(tmp_path / "rollout-kid.jsonl", rows))
    assert "human_intervention" not in [event["type"] for event in found.trace["events"]]
