"""What rows of Codex tell of agents that work together."""

import pytest

from corpus.traces.convert.readers.codex import RolloutRow, Thread, message_type, started_threads


def row(name, thread="root", /, **payload):
    return RolloutRow(Thread(thread), "r:1", 0.0, "event_msg", name, {"type": name, **payload})


def thread(name, parent="", path="", nickname=""):
    return Thread(name, parent, path, nickname, role="", version="")


CHILD = {"agent_thread_id": "kid", "agent_path": "/root/reader"}


@pytest.mark.parametrize(
    "spawn",
    [
        row("sub_agent_activity", kind="started"),
        row("sub_agent_activity", kind="started", agent_thread_id="root"),
        row("sub_agent_activity", kind="interacted", **CHILD),
    ],
)
def test_a_spawn_of_nobody_or_of_itself_starts_no_thread(spawn):
    assert started_threads([spawn], [], {}, {}) == {}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Message Type: FINAL_ANSWER\nPayload:", "FINAL_ANSWER"),
        ("  Message Type:NEW_TASK ", "NEW_TASK"),
        ("see Message Type: FINAL_ANSWER", ""),
        ("", ""),
    ],
)
def test_the_type_of_a_message_is_in_its_first_line(words, kind):
    assert message_type(row("agent_message", content=[{"text": words}])) == kind
