"""Which files are one session, and which call started each sub-agent of it."""

import pytest

from corpus.traces.convert.readers.claude_code.files import Turn, sessions_of, turns_of
from tests.support.converted import recorded
from tests.support.recorded_traces import Recorder, say, task, use
from tests.support.recorded_versions import notice


def sessions(**files):
    """The sessions of files; a name with __ for a slash is below that folder."""
    documents = []
    for name, rows in files.items():
        path = name.replace("__", "/").replace("agent_", "agent-")
        documents.append(recorded(*rows, name=f"{path}.jsonl"))
    return list(sessions_of(documents))


def losses(session):
    return [(loss.kind, loss.count) for loss in session.losses.values()]


def of_agent(rows, agent):
    return [{**row, "isSidechain": True, "agentId": agent} for row in rows]


def test_calls_of_two_threads_with_one_id_have_ids_of_their_own():
    log = Recorder()
    log.step("main", "m1", use("c", "Agent", prompt="p"))
    log.step("kid", "k1", use("c", "Read"))
    log.result("kid", "c", "of the kid")
    log.result("main", "c", "of main")
    (found,) = sessions(log=log.rows)
    assert [call.id for call in found.spawn_calls] == ["c"]
    answers = {}
    for name, call in found.calls.items():
        if call.answer is not None:
            (block,) = call.answer.blocks("tool_result")
            answers[name] = block["content"]
    assert answers == {"c.2": "of the kid", "c": "of main"}


def joined(*calls, agent="", prompt="p", **report):
    """A session of some calls, of which the first is answered, and one sub-agent after them."""
    log = Recorder()
    log.step("main", "m1", *calls)
    log.result("main", "t1", "x", **report)
    kid = Recorder()
    kid.rows = [*log.rows]
    kid.ask("kid", prompt)
    rows = kid.rows[len(log.rows) :]
    found = sessions(log=log.rows + (of_agent(rows, agent) if agent else rows))
    return next(one for one in found if one.calls)


def children(session):
    """The thread that each call started, by the id of the call."""
    return {one.starter.id: name for name, one in session.threads.items() if one.starter}


def guessed(session):
    """The ids of the calls that are joined by prompt or time."""
    return [name for name, call in session.calls.items() if call.is_guessed]


def test_calls_of_one_prompt_are_ambiguous():
    found = joined(task("t1", "p"), task("t2", "p"))
    assert list(children(found)) == ["t1"]
    assert losses(found) == [("ambiguous", 1), ("inferred", 1)]


def test_a_sub_agent_that_no_prompt_fits_is_joined_to_the_last_call_before_it():
    found = joined(task("t1", "q"), task("t2", "r"))
    assert (list(children(found)), guessed(found)) == (["t2"], ["t2"])


@pytest.mark.parametrize("prompt", ["p", "another"])
def test_a_call_that_another_agent_answered_is_not_taken(prompt):
    """Guessing by prompt or time must not contradict what the recorder wrote."""
    found = joined(task("t1", "p"), agent="k", prompt=prompt, agentId="gone")
    assert (children(found), guessed(found)) == ({}, [])
    assert "k" not in found.threads, "it is a trace of its own"


def test_a_sub_agent_whose_call_is_named_but_missing_is_not_joined_to_another():
    log = Recorder()
    log.step("main", "m1", task("t1", "q"))
    kid = Recorder()
    kid.rows = [*log.rows]
    kid.ask("kid", "p")
    note = {"agentType": "helper", "toolUseId": "elsewhere"}
    documents = [
        recorded(log.rows[0], name="s-1.jsonl"),
        recorded(kid.rows[1], name="s-1/subagents/agent-k.jsonl"),
        recorded(note, name="s-1/subagents/agent-k.meta.json"),
    ]
    stranger, main = sessions_of(documents)
    kinds_of_agents = {name: thread.kind for name, thread in stranger.threads.items()}
    assert (stranger.name, kinds_of_agents) == ("s-1.k", {"k": "helper"})
    assert (children(main), losses(stranger)) == ({}, [("ambiguous", 1)])


def test_a_resumption_stays_one_where_no_call_fits_the_agent_that_resumes():
    log = Recorder()
    log.ask("lead", "go", agentId="lead")
    log.step("lead", "l1", task("t1", "look"))
    log.result("lead", "t1", "seen", agentId="kid")
    log.step("lead", "l2", use("t2", "Task", prompt="again", resume="kid"))
    log.result("lead", "t2", "seen again", agentId="kid")
    lead = of_agent(log.rows, "lead")
    main = Recorder()
    main.ask("main", "hello")
    stranger, _ = sessions(main=main.rows, lead=lead)
    assert [(call.id, call.first and call.first.id) for call in stranger.spawn_calls] == [
        ("t1", None),
        ("t2", "t1"),
    ]


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
    turns = turns_of(recorded(*rows, name="agent-x1.jsonl"))
    assert [one.thread for one in turns] == ["x1", "other"]
    whole = turns_of(recorded({"isSidechain": False}, *rows, name="agent-x1.jsonl"))
    assert [one.thread for one in whole] == ["", "a", "other"]
    assert [one.place for one in whole] == [f"agent-x1.jsonl:{line}" for line in (1, 2, 3)]


def test_a_cycle_of_parents_ends(tmp_path, recorder, run):
    for number in range(4):
        recorder.step("side", f"x{number}", say("round"))
        recorder.rows[-1]["parentUuid"] = f"u{(number + 1) % 4}"
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert {event["agent"] for event in found.trace["events"]} == {"agent-1"}
