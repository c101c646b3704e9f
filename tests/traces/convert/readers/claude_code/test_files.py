"""Which files are one session, and which call started each sub-agent of it."""

import pytest

from corpus.traces.convert.format import LossList
from corpus.traces.convert.readers.claude_code.files import Turn, sessions_of, turns_of
from tests.support.converted import lost, recorded
from tests.support.recorded_traces import Recorder, say, task, use, write_rows
from tests.support.recorded_versions import notice


def sessions(**files):
    """The sessions of files; a name with __ for a slash is below that folder."""
    documents = []
    for name, rows in files.items():
        path = name.replace("__", "/").replace("agent_", "agent-")
        documents.append(recorded(*rows, name=f"{path}.jsonl"))
    return list(sessions_of(documents))


def of_agent(rows, agent):
    return [{**row, "isSidechain": True, "agentId": agent} for row in rows]


def test_calls_of_two_threads_with_one_id_have_ids_of_their_own():
    log = Recorder()
    log.step("main", "m1", use("c", "Agent", prompt="p"))
    log.step("kid", "k1", use("c", "Read"))
    log.result("kid", "c", "of the kid")
    log.result("main", "c", "of main", agentId="kid")
    (found,) = sessions(log=log.rows)
    assert [call.id for call in found.spawn_calls] == ["c"]
    answers = {}
    for name, call in found.calls.items():
        if call.answer is not None:
            (block,) = call.answer.blocks("tool_result")
            answers[name] = block["content"]
    assert answers == {"c.2": "of the kid", "c": "of main"}


def children(session):
    """The thread that each call started, by the id of the call."""
    return {one.starter.id: name for name, one in session.threads.items() if one.starter}


def test_a_sub_agent_whose_call_is_named_but_missing_is_not_joined_to_another():
    log = Recorder()
    log.step("main", "m1", task("t1", "q"))
    kid = Recorder()
    kid.rows = [*log.rows]
    kid.ask("k", "p")
    note = {"agentType": "helper", "toolUseId": "elsewhere"}
    documents = [
        recorded(log.rows[0], name="s-1.jsonl"),
        recorded(kid.rows[1], name="s-1/subagents/agent-k.jsonl"),
        recorded(note, name="s-1/subagents/agent-k.meta.json"),
    ]
    (found,) = sessions_of(documents)
    assert (found.threads["k"].kind, children(found)) == ("helper", {})


@pytest.mark.parametrize(("calls", "expected"), [(("t1",), {"t1": "k"}), (("t1", "t2"), {})])
def test_one_call_and_one_sub_agent_that_are_left_belong_together(calls, expected):
    log = Recorder()
    log.step("main", "m1", *(task(call, call) for call in calls))
    log.ask("k", "p", agentId="k", isSidechain=True)
    (found,) = sessions(log=log.rows)
    assert children(found) == expected
    assert sum(one.kind == "inferred" for one in found.losses.values()) == len(expected)


def test_a_sub_agent_that_no_call_fits_is_inferred_to_be_one_of_the_agent_at_the_top(tmp_path, run):
    log = Recorder()
    log.ask("main", "hello")
    log.step("main", "m1", say("hello"))
    log.ask("lead", "go", agentId="lead")
    log.step("lead", "l1", task("t1", "look"))
    log.result("lead", "t1", "seen", agentId="kid")
    log.step("lead", "l2", use("t2", "Task", prompt="again", resume="kid"))
    log.result("lead", "t2", "seen again", agentId="kid")
    write_rows(tmp_path / "s-1.jsonl", log.rows[:2])
    (tmp_path / "s-1" / "subagents").mkdir(parents=True)
    write_rows(tmp_path / "s-1" / "subagents" / "agent-lead.jsonl", of_agent(log.rows[2:], "lead"))
    (found,) = run(tmp_path)
    spawns = [(one["agent"], one["to"]) for one in found.trace["events"] if one["type"] == "spawn"]
    assert spawns == [("main", "agent-1"), ("agent-1", "helper-1")]
    assert lost(found, "no call fits") == [("inferred", 1)]


def test_a_report_without_a_call_is_about_the_last_one_that_its_agent_answered():
    log = Recorder()
    log.step("main", "m1", task("t1", "p"))
    log.result("main", "t1", "started", agentId="k")
    log.ask("main", notice("", "k"))
    log.step("main", "m2", use("t2", "Task", resume="k"))
    log.result("main", "t2", "started", agentId="k")
    log.ask("main", notice("", "k"))
    log.ask("main", notice("", "nobody"))
    log.ask("main", notice("t9", "k"))
    (found,) = sessions(log=log.rows)
    reports = [turn for turn in found.turns if turn.notice]
    asked = list(map(found.call_of, reports))
    assert [call and call.id for call in asked] == ["t1", "t2", None, None]


def turn(content=None, kind="user", **more):
    return Turn({"type": kind, "message": {"content": content}, **more}, "s.jsonl:1", "")


@pytest.mark.parametrize(
    ("words", "more", "program"),
    [
        ("hello", {}, ""),
        ("hello", {"origin": {"kind": "human"}}, ""),
        ("hello", {"origin": {"kind": "hook"}}, "hook"),
        ("hello", {"isMeta": True}, "meta"),
        ("hello", {"isMeta": "yes"}, ""),
        ("hello", {"isCompactSummary": True}, "summary"),
        ("<command-name>/clear</command-name>", {}, "command-name"),
        (" \n<local-command-stdout>x", {}, "local-command-stdout"),
        ("<agent-notification>x", {}, "agent-notification"),
        ("<teammate-message>x", {}, "teammate-message"),
        ("<command-message>review", {}, ""),
        ("see <command-name>", {}, ""),
        ("<other-thing>x", {}, ""),
        ("Caveat: The messages below were generated by", {}, "caveat"),
        ("This session is being continued from a previous conversation that", {}, "summary"),
    ],
)
def test_what_the_program_wrote_is_told_from_what_a_person_wrote(words, more, program):
    assert turn(words, **more).written_by_program == program


def side(uuid, parent, **more):
    return {"uuid": uuid, "parentUuid": parent, "isSidechain": True, **more}


def test_rows_of_the_file_of_an_agent_are_its_own_unless_it_is_a_session():
    rows = [side("a", None), side("b", None, agentId="other")]
    losses = LossList()
    turns = turns_of(recorded(*rows, name="agent-x1.jsonl"), losses)
    assert ([one.thread for one in turns], list(losses)) == (["x1", "other"], [])
    whole = turns_of(recorded({"isSidechain": False}, *rows, name="agent-x1.jsonl"), losses)
    assert [one.thread for one in whole] == ["", "other"]
    # A row without an id is of no agent that is known.
    assert [(loss.kind, loss.place) for loss in losses.values()] == [
        ("missing", "agent-x1.jsonl:2")
    ]


def test_a_cycle_of_parents_ends(tmp_path, recorder, run):
    for number in range(4):
        recorder.step("side", f"x{number}", say("round"))
        recorder.rows[-1]["parentUuid"] = f"u{(number + 1) % 4}"
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert {event["agent"] for event in found.trace["events"]} == {"agent-1"}
