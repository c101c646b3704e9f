"""What a session of Claude Code did, as the events of a trace."""

import json
import random
from collections import Counter

import pytest

from corpus.traces.convert.readers.claude_code.session import FORMAT
from tests.support.converted import converted as converted_rows
from tests.support.converted import each, lost, one_run
from tests.support.recorded_traces import Recorder, into, kinds, only, say, task, use
from tests.support.recorded_versions import notice


@pytest.mark.parametrize("kept", [True, False], ids=["with its file", "without"])
def test_a_helper_that_is_resumed_is_one_agent_and_the_call_a_tool_call(
    tmp_path, recorder, run, kept
):
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "look", "Explore"))
    recorder.ask("ab12", "look", agentId="ab12")
    recorder.step("ab12", "x1", say("seen"))
    recorder.result("main", "t1", "seen", agentId="ab12", totalTokens=5)
    recorder.step(
        "main", "m2", use("t2", "Task", prompt="look again", subagent_type="Explore", resume="ab12")
    )
    recorder.ask("ab12", "look again", agentId="ab12")
    recorder.step("ab12", "x2", use("c", "Read"))
    recorder.result("ab12", "c", "more")
    recorder.step("ab12", "x3", say("seen more"))
    recorder.result("main", "t2", "seen more", agentId="ab12", totalTokens=6)
    recorder.step("main", "m3", use("t3", "Task", prompt="and again", resume="nobody"))
    recorder.result("main", "t3", "no such agent", error=True)
    recorder.step("main", "m4", say("done"))
    inside = [row for row in recorder.rows if row["isSidechain"]]
    if kept:
        recorder.write(tmp_path / "agent-ab12.jsonl", inside)
    outside = [row for row in recorder.rows if row not in inside]
    (found,) = run(recorder.write(tmp_path / "s.jsonl", outside))
    trace = found.trace
    assert each(trace, "spawn", "to") == ["Explore-1"]
    own = [event for event in trace["events"] if event["agent"] == "Explore-1"]
    later = ["tool_call", "tool_result", "return"] if kept else []
    assert [event["type"] for event in own] == ["return", *later]
    assert only(trace, type="tool_call", agent="main", x_call_id="t2")["tool"] == "Task"
    assert trace["metrics"]["corpus.spawn_calls_failed"] == 0
    assert lost(found, "lets a sub-agent go on") == [("ambiguous", 2)]
    assert trace["costs"]["tokens"] == (0 if kept else 5)


def in_background(recorder):
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "watch"))
    recorder.result("main", "t1", "started", status="async_launched", agentId="bg")


def test_an_interruption_in_the_row_of_the_refused_call_counts(tmp_path, recorder, run):
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("a", "Bash"))
    recorder.result("main", "a", "The user doesn't want to proceed with this.", error=True)
    content = recorder.rows[-1]["message"]["content"]
    content.append(say("[Request interrupted by user for tool use]"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert [
        event["type"] for event, _ in into(found.trace, only(found.trace, role="interrupt"))
    ] == ["tool_result"]
    assert found.trace["events"][-1]["x_stop_reason"] == "external"


def test_attachments_without_a_meaning_are_counted_by_type(tmp_path, recorder, run):
    recorder.ask("main", "go")
    for _ in range(2):
        recorder.row("main", "attachment", None, attachment={"type": "new_reminder"})
    recorder.step("main", "m1", say("done"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert [count for _, count in lost(found, "attachment new_reminder")] == [2]


def converted(recorder):
    return one_run(FORMAT, *recorder.rows, redact=False)


def test_a_prompt_of_pictures_alone_is_a_prompt(recorder):
    picture = {"type": "image", "source": {"data": "aa"}}
    recorder.row("main", "user", {"content": [picture]})
    recorder.row("main", "user", {"content": [picture]}, isMeta=True)
    recorder.step("main", "m1", say("done"))
    found = converted(recorder)
    assert kinds(found.trace) == ["human_intervention", "return"]
    asked = only(found.trace, role="task")
    assert asked["content_ref"] == json.dumps([picture], sort_keys=True)


def test_a_turn_that_a_person_took_back_is_undone_and_counted(recorder):
    recorder.ask("main", "tea")
    recorder.step("main", "m1", say("which?"), input_tokens=1)
    before = recorder.heads["main"]
    recorder.ask("main", "green")
    recorder.step("main", "m2", use("c", "Boil"), input_tokens=2)
    recorder.result("main", "c", "hot")
    recorder.step("main", "m3", say("green tea"), input_tokens=3)
    recorder.heads["main"] = before
    recorder.ask("main", "black")
    recorder.step("main", "m4", say("black tea"), input_tokens=4)
    found = converted(recorder)
    assert [event.get("x_undone") for event in found.trace["events"]] == [None] * 2 + [True] * 4 + [
        None
    ] * 2
    assert found.trace["costs"]["tokens"] == 10
    causes = [cause for cause, _ in into(found.trace, found.trace["events"][-2])]
    assert [cause["type"] for cause in causes] == ["human_intervention", "return"]
    assert not any("x_undone" in cause for cause in causes)


def test_a_report_that_is_written_twice_returns_once(recorder):
    in_background(recorder)
    for step in ("m2", "m3"):
        recorder.ask("main", notice("t1", "bg"))
        recorder.step("main", step, use(f"c-{step}", "Read"))
        recorder.result("main", f"c-{step}", "x")
    found = converted(recorder)
    assert kinds(found.trace).count("aggregate") == 1
    assert kinds(found.trace, "helper-1") == ["return"]
    assert lost(found, "a second report") == [("dropped", 1)]


def test_a_report_of_a_failure_marks_the_return(recorder):
    in_background(recorder)
    recorder.ask("bg", "watch", agentId="bg")
    recorder.step("bg", "b1", say("seen"))
    recorder.rows[-1]["agentId"] = "bg"
    recorder.ask("main", notice("t1", "bg", "failed"))
    back = only(converted(recorder).trace, type="return", agent="helper-1")
    assert (back["x_error"], back["content_ref"]) == (True, "seen")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"isApiErrorMessage": True}, "external"),
        ({"message": {"id": "e", "model": "<synthetic>", "content": "No response."}}, "implicit"),
        ({"message": {"id": "e", "stop_reason": "max_tokens", "content": "cut"}}, "truncated"),
        ({"message": {"id": "e", "stop_reason": "refusal", "content": "no"}}, "external"),
    ],
)
def test_a_run_that_ends_with_an_error_or_at_a_limit_was_stopped_from_outside(
    recorder, more, reason
):
    recorder.ask("main", "go")
    recorder.step("main", "m1", say("done"))
    recorder.step("main", "e", say("API Error"))
    recorder.rows[-1].update(more)
    events = converted(recorder).trace["events"]
    assert [event["x_stop_reason"] for event in events if "x_stop_reason" in event] == [reason]


def test_a_message_to_an_agent_of_another_session_names_it(recorder):
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("c1", "SendMessage", recipient="ada"))
    recorder.step("main", "m2", use("c2", "SendMessage", to="bob"))
    recorder.result("main", "c1", "sent")
    found = converted(recorder)
    sent = [one for one in found.trace["events"] if one["type"] == "message"]
    assert [(one["from"], one["to"], one["x_call_id"]) for one in sent] == [
        ("main", "ada", "c1"),
        ("main", "bob", "c2"),
    ]
    assert lost(found, "not one of the session") == [("ambiguous", 2)]


@pytest.mark.parametrize("target", ["k1", "scout"])
def test_a_message_leads_to_the_next_step_of_the_sub_agent_that_it_names(recorder, target):
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("t1", "Agent", prompt="p", name="scout"))
    recorder.result("main", "t1", "started", status="async_launched", agentId="k1")
    recorder.step("main", "m2", use("c1", "SendMessage", to=target, message="look there"))
    recorder.ask("k1", "p", agentId="k1")
    recorder.step("k1", "k", say("seen"))
    recorder.rows[-1]["agentId"] = "k1"
    found = converted(recorder)
    message = only(found.trace, type="message")
    back = only(found.trace, type="return")
    assert (message["to"], back["agent"]) == ("agent-1", "agent-1")
    assert message["id"] in [event["id"] for event, _ in into(found.trace, back)]
    assert lost(found, "not one of the session") == []


def test_words_beside_a_tool_result_are_a_loss(recorder):
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("c", "Read"))
    recorder.result("main", "c", "x")
    recorder.rows[-1]["message"]["content"].append(say("mind the gap"))
    found = converted(recorder)
    assert kinds(found.trace) == ["human_intervention", "tool_call", "tool_result"]
    assert lost(found, "words beside") == [("dropped", 1)]


def random_session(luck):
    """A session of some agents in any order; how many calls and tokens it has."""
    log = Recorder()
    log.ask("main", "go")
    threads = ["main"]
    waiting: list[tuple[str, str]] = []
    calls, tokens = 0, 0
    for step in range(luck.randrange(3, 25)):
        thread, spent = luck.choice(threads), luck.randrange(50)
        what = luck.choice(["Read", "Task", "SendMessage", "answer", "result", "begin"])
        call = f"c{step}"
        if what == "result" and waiting:
            log.result(*waiting.pop(luck.randrange(len(waiting))), "x", error=luck.random() < 0.2)
        elif what == "begin" and waiting:
            kid = luck.choice(waiting)[1]
            threads.append(f"kid of {kid}")
            log.ask(f"kid of {kid}", f"prompt of {kid}")
        elif what == "answer":
            log.step(thread, f"m{step}", say("done"), input_tokens=spent)
            tokens += spent
        elif what in ("Read", "Task", "SendMessage"):
            asked = {"prompt": f"prompt of {call}", "to": luck.choice(["helper", "c1", ""])}
            log.step(thread, f"m{step}", use(call, what, **asked), input_tokens=spent)
            waiting.append((thread, call))
            calls += 1
            tokens += spent
    return log, calls, tokens


def test_every_call_and_every_token_of_any_session_is_counted_once():
    for seed in range(60):
        log, calls, tokens = random_session(random.Random(seed))
        traces = [one.trace for one in converted_rows(FORMAT, *log.rows)]
        events = [event for trace in traces for event in trace["events"]]
        told = Counter(event["type"] for event in events if "x_call_id" in event)
        assert told["tool_call"] + told["spawn"] + told["message"] == calls, seed
        assert sum(trace["costs"]["tokens"] for trace in traces) == tokens, seed
