"""What Codex records of agents that work together.

In the words of its several generations of tools.

In older versions each tool of the model has an event of its own (``collab_agent_spawn_end`` and
others). In newer ones the tools of the namespace ``collaboration`` leave one event for all
(``sub_agent_activity``, from 0.153 on an item of the type ``SubAgentActivity``), answers arrive as
``agent_message``, and a sub-agent names its parent in the first row of its own file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.traces.convert.codex.thread import RolloutRow, Thread
from corpus.traces.convert.lookup import (
    JsonObject,
    first_text,
    parsed,
    record,
    records,
    text,
    value,
)

#: Path of the agent at the top.
ROOT_PATH = "/root"
#: Type of the message that brings the answer of a sub-agent to its parent.
FINAL_ANSWER = "FINAL_ANSWER"
#: Type of the message that brings a task to a sub-agent, first that of its spawn.
NEW_TASK = "NEW_TASK"
#: Tool with which an agent waits for any of its sub-agents.
WAIT_TOOL = "wait_agent"

_SPAWN_TOOL = "spawn_agent"
_TYPE_LINE = "Message Type:"


@dataclass(frozen=True, slots=True)
class Activity:
    """One event about a sub-agent.

    Attributes
    ----------
    kind : str
        ``started``, ``interacted``, ``interrupted`` or ``completed``.
    child, path : str
        Thread and path of the sub-agent.
    call : str
        Id of the tool call that did it.
    """

    kind: str
    child: str
    path: str
    call: str


def activity_of(row: RolloutRow) -> Activity | None:
    """Return the activity that a row records, in the older or the newer form."""
    node = row.payload
    if row.name == "item_completed":
        node = record(row.payload, "item")
        if text(node, "type") != "SubAgentActivity":
            return None
    elif row.name != "sub_agent_activity":
        return None
    return Activity(
        kind=text(node, "kind"),
        child=text(node, "agent_thread_id"),
        path=text(node, "agent_path"),
        call=first_text(node, "event_id", "id"),
    )


@dataclass(slots=True)
class SpawnRecord:
    """What the rows of all threads tell about the start of one sub-agent.

    Attributes
    ----------
    parent, child : str
        The threads.
    nickname, path, role : str
        What it is called; empty where no row tells.
    asked : object
        Its prompt; some versions encrypt it.
    stated : bool
        Whether a row of the parent records the start.
    """

    parent: str
    child: str
    nickname: str = ""
    path: str = ""
    role: str = ""
    asked: Any = None
    stated: bool = True

    @property
    def name(self) -> str:
        """The name that a reader knows the agent by."""
        return self.nickname or self.path.rpartition("/")[2] or self.role


@dataclass(frozen=True, slots=True)
class EndedAgent:
    """A sub-agent that a wait has found at its end.

    Attributes
    ----------
    thread : str
        Of the sub-agent.
    answer : object
        What it answered, or why it failed; ``None`` where it ended without a word.
    failed : bool
        Whether an error ended it.
    """

    thread: str
    answer: Any
    failed: bool


def spawn_records(rows: Sequence[RolloutRow], members: Iterable[Thread]) -> dict[str, SpawnRecord]:
    """Return how each sub-agent was started, by its thread.

    By its parent's rows, else by its own.
    """
    calls: dict[str, RolloutRow] = {}
    for row in rows:
        if text(row.payload, "name").endswith(_SPAWN_TOOL):
            calls[row.call] = row
    found: dict[str, SpawnRecord] = {}
    for row in rows:
        spawn = _spawn_of_row(row, calls)
        if spawn is not None and spawn.child and spawn.child != spawn.parent:
            found.setdefault(spawn.child, spawn)
    for thread in members:
        if thread.parent and thread.parent != thread.id:
            unstated = SpawnRecord(thread.parent, thread.id, stated=False)
            spawn = found.setdefault(thread.id, unstated)
            spawn.nickname = spawn.nickname or thread.nickname
            spawn.path = spawn.path or thread.path
            spawn.role = spawn.role or thread.role
    return found


def _spawn_of_row(row: RolloutRow, calls: dict[str, RolloutRow]) -> SpawnRecord | None:
    if row.name == "collab_agent_spawn_end":
        return SpawnRecord(
            parent=text(row.payload, "sender_thread_id") or row.thread,
            child=text(row.payload, "new_thread_id"),
            nickname=text(row.payload, "new_agent_nickname"),
            role=text(row.payload, "new_agent_role"),
            asked=value(row.payload, "prompt"),
        )
    activity = activity_of(row)
    if activity is None or activity.kind != "started":
        return None
    asked = {}
    if activity.call in calls:
        asked = arguments_of(calls[activity.call])
    return SpawnRecord(
        parent=row.thread,
        child=activity.child,
        path=activity.path,
        role=text(asked, "agent_type"),
        asked=value(asked, "message") or value(asked, "prompt"),
    )


def arguments_of(row: RolloutRow) -> JsonObject:
    """Return the arguments of a call, which are JSON inside a string."""
    return _json_object(text(row.payload, "arguments"))


def timed_out(output: object) -> bool:
    """Whether the output of a wait tells that no sub-agent ended in time."""
    return value(_json_object(output), "timed_out") is True


def ended_agents(row: RolloutRow) -> list[EndedAgent]:
    """Return the sub-agents of which the end of a wait tells that they have ended.

    In a list, in the first versions by their threads.
    """
    states: dict[str, Any] = {}
    for state in records(row.payload, "agent_statuses"):
        states[text(state, "thread_id")] = value(state, "status")
    states = states or record(row.payload, "statuses")
    ended = []
    for thread, status in states.items():
        # One that still runs has a word for its status, one that has ended an object.
        if "completed" in record(status):
            ended.append(EndedAgent(thread, value(status, "completed"), failed=False))
        elif "errored" in record(status):
            ended.append(EndedAgent(thread, value(status, "errored"), failed=True))
    return ended


def _json_object(written: object) -> JsonObject:
    return record(parsed(written))


def message_type(row: RolloutRow) -> str:
    """Return the type that the first line of an ``agent_message`` names, or the empty string."""
    words = text(row.payload, "content", 0, "text").lstrip()
    if not words.startswith(_TYPE_LINE):
        return ""
    first, _, _ = words.removeprefix(_TYPE_LINE).partition("\n")
    return first.strip()
