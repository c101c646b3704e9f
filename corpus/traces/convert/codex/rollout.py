"""Codex rollout files: threads joined by the parent they name, and what they record of each other.

In older versions each tool of the model for agents that work together has an event of its own
(``collab_agent_spawn_end`` and others). In newer ones the tools of the namespace ``collaboration``
leave one event for all (``sub_agent_activity``, from 0.153 on an item of the type
``SubAgentActivity``), answers arrive as ``agent_message``, and a sub-agent names its parent in the
first row of its own file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.traces.convert.format import unnamed
from corpus.traces.convert.ordering import QueuedEvent
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    iso_time,
    parsed,
    record,
    records,
    text,
    value,
)

#: Type of the row that tells what happened to a sub-agent.
ACTIVITY = "sub_agent_activity"
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
_CONVERSATION = frozenset({"response_item", "event_msg"})


@dataclass(eq=False, frozen=True, slots=True)
class RolloutRow:
    """One row of a rollout.

    Attributes
    ----------
    thread : Thread
        The thread whose file holds the row.
    place : str
        ``file:line``.
    time : float or None
        Seconds since 1970.
    kind, name : str
        Type of the row, and of its payload.
    payload : dict
        As it is in the file; what an item tells of a sub-agent is as in an event of its own.
    """

    thread: Thread
    place: str
    time: float | None
    kind: str
    name: str
    payload: JsonObject

    @property
    def call(self) -> str:
        """Id of the tool call that the row belongs to."""
        names = ("event_id", "id") if self.name == ACTIVITY else ("call_id", "callId")
        return first_text(self.payload, *names)

    @property
    def sender(self) -> str:
        """Id of the thread that acts."""
        return text(self.payload, "sender_thread_id") or self.thread.id

    @property
    def content(self) -> str:
        """What the row tells, without its time."""
        return json.dumps([self.name, self.payload], sort_keys=True)

    @property
    def arguments(self) -> JsonObject:
        """The arguments of a call, which are JSON inside a string."""
        return record(parsed(text(self.payload, "arguments")))


@dataclass(eq=False, slots=True)
class Thread:
    """One thread: what rows tell of it, and what the walk through them has found so far.

    Attributes
    ----------
    id, parent : str
        Ids of the thread and of the one that started it; `parent` is empty at the top.
    path, nickname, role : str
        How other agents address it (``/root/reader``), what people call it, what it was started as.
    version : str
        Of the recorder.
    is_sub_agent : bool
        Whether an agent started it, also where it does not tell which (a review, for example).
    rows : list of RolloutRow
        In the order of the file.
    left_out : list of RolloutRow
        Rows that a further file of the thread repeats.
    asked : object
        Its prompt; some versions encrypt it.
    is_stated : bool
        Whether a row of its parent records its start.
    name : str
        Of its agent; empty until it is needed.
    in_step, got_return, has_waited : bool
        Whether its model call still runs, whether it got a return since its last step, and whether
        its wait has ended since.
    is_early, is_tasked, is_prompted : bool
        Whether it began before the record of its start, its first task was delivered, and the
        harness records what a person types.
    stopped_at : str
        Place at which its parent stopped it for good.
    spawn, back : QueuedEvent or None
        Its start, and its last return; `is_read` once its parent has read that.
    pending, asked_again : QueuedEvent or None
        What its next return answers: its spawn, or a message after its last return.
    model : str
        The one it calls, as the context of its last turn states it.
    total : int
        Tokens that the harness reported last.
    last_words : object
        What its model wrote last.
    """

    id: str
    parent: str = ""
    path: str = ""
    nickname: str = ""
    role: str = ""
    version: str = ""
    is_sub_agent: bool = False
    rows: list[RolloutRow] = field(default_factory=list)
    left_out: list[RolloutRow] = field(default_factory=list)
    asked: Any = None
    is_stated: bool = False
    name: str = ""
    in_step: bool = False
    got_return: bool = False
    has_waited: bool = False
    is_early: bool = False
    is_tasked: bool = False
    is_prompted: bool = False
    stopped_at: str = ""
    spawn: QueuedEvent | None = None
    back: QueuedEvent | None = None
    is_read: bool = False
    pending: QueuedEvent | None = None
    asked_again: QueuedEvent | None = None
    model: str = ""
    total: int = 0
    last_words: Any = None

    @property
    def title(self) -> str:
        """The name that a reader knows the agent by."""
        return self.nickname or self.path.rpartition("/")[2] or self.role


def threads_of(documents: Sequence[RecordedFile]) -> dict[str, Thread]:
    """Read every file as a thread; two files of one thread are put together."""
    found: dict[str, Thread] = {}
    for document in documents:
        thread = _thread(document)
        thread = found.setdefault(thread.id, thread)
        # A packed copy may lie beside a file; read twice, all work would be done twice.
        known = {(row.time, row.kind, row.content) for row in thread.rows}
        for one in document.objects:
            payload = record(one.value, "payload")
            # From 0.153 on what happens to a sub-agent is an item.
            if text(payload, "item.type") == "SubAgentActivity":
                payload = {**record(payload, "item"), "type": ACTIVITY}
            row = RolloutRow(
                thread=thread,
                place=document.place(one.line),
                time=iso_time(value(one.value, "timestamp")),
                kind=text(one.value, "type"),
                name=text(payload, "type"),
                payload=payload,
            )
            repeats = bool(known) and (row.time, row.kind, row.content) in known
            rows = thread.left_out if repeats else thread.rows
            rows.append(row)
    return found


def _thread(document: RecordedFile) -> Thread:
    meta: JsonObject = {}
    for row in document.objects:
        if text(row.value, "type") == "session_meta":
            # A forked thread repeats the rows of its parent, so the first one is its own.
            meta = record(row.value, "payload")
            break
    spawn = record(meta, "source.subagent.thread_spawn")
    return Thread(
        id=first_text(meta, "id", "session_id") or unnamed("thread", document.path.name),
        parent=text(spawn, "parent_thread_id") or text(meta, "parent_thread_id"),
        path=text(spawn, "agent_path") or text(meta, "agent_path"),
        nickname=text(meta, "agent_nickname") or text(spawn, "agent_nickname"),
        role=text(meta, "agent_role") or text(spawn, "agent_role"),
        version=text(meta, "cli_version"),
        is_sub_agent="subagent" in record(meta, "source"),
    )


def ancestors_of(thread: Thread, threads: dict[str, Thread]) -> list[Thread]:
    """Return the threads above one, nearest first; each once, also where they run in a circle."""
    found = []
    seen = {thread.id}
    here = thread
    while here.parent in threads and here.parent not in seen:
        here = threads[here.parent]
        seen.add(here.id)
        found.append(here)
    return found


def runs_of(threads: dict[str, Thread]) -> Iterator[tuple[Thread, list[Thread]]]:
    """Yield each run as its top thread and all its threads.

    A thread whose parent is missing is a top one.
    """
    runs: dict[str, list[Thread]] = {}
    for thread in threads.values():
        top = [thread, *ancestors_of(thread, threads)][-1]
        runs.setdefault(top.id, []).append(thread)
    for name, members in runs.items():
        yield threads[name], members


def drop_repeats(threads: dict[str, Thread]) -> dict[str, list[RolloutRow]]:
    """Drop the rows that forked threads begin with; return them by thread.

    A sub-agent may be started with the conversation of its parent, which its file then repeats:
    counted there, all calls of the parent would be its own as well.
    """
    contents: dict[str, set[str]] = {}
    starts: dict[str, list[RolloutRow]] = {}
    for thread in threads.values():
        above = ancestors_of(thread, threads)
        for ancestor in above:
            if ancestor.id not in contents:
                contents[ancestor.id] = {row.content for row in ancestor.rows}
        known = [contents[ancestor.id] for ancestor in above]
        starts[thread.id] = _repeated_start(thread, known)
    # Only now: the rows of a parent are looked up as they are in its file.
    for name, repeated in starts.items():
        places = {row.place for row in repeated}
        thread = threads[name]
        thread.rows = [row for row in thread.rows if row.place not in places]
    return starts


def _repeated_start(thread: Thread, known: Sequence[set[str]]) -> list[RolloutRow]:
    repeated = []
    for row in thread.rows:
        if row.kind not in _CONVERSATION:
            continue
        content = row.content
        if not any(content in contents for contents in known):
            break
        repeated.append(row)
    # A task in the same words alone makes no fork.
    kinds = {row.kind for row in repeated}
    return repeated if "response_item" in kinds else []


def started_threads(
    rows: Sequence[RolloutRow], members: Iterable[Thread], threads: dict[str, Thread]
) -> dict[str, Thread]:
    """Return the threads that others started, with all that rows tell of the start.

    By its parent's rows, else by its own. Threads that have no file are added to `threads`.
    """
    calls: dict[str, RolloutRow] = {}
    for row in rows:
        if text(row.payload, "name").endswith(_SPAWN_TOOL):
            calls[row.call] = row
    found: dict[str, Thread] = {}
    for row in rows:
        child, parent, asked = "", row.thread.id, record(row.payload)
        if row.name == "collab_agent_spawn_end":
            child, parent = text(asked, "new_thread_id"), row.sender
        elif row.name == ACTIVITY and text(asked, "kind") == "started":
            child = text(asked, "agent_thread_id")
            given = calls[row.call].arguments if row.call in calls else {}
            asked = {**given, "agent_path": text(asked, "agent_path")}
        if not child or child == parent or child in found:
            continue
        thread = threads.setdefault(child, Thread(child))
        thread.parent = parent
        thread.nickname = text(asked, "new_agent_nickname") or thread.nickname
        thread.path = text(asked, "agent_path") or thread.path
        thread.role = first_text(asked, "new_agent_role", "agent_type") or thread.role
        thread.asked = value(asked, "message") or value(asked, "prompt")
        thread.is_stated = True
        found[child] = thread
    for thread in members:
        if thread.parent and thread.parent != thread.id:
            found.setdefault(thread.id, thread)
    return found


def timed_out(output: object) -> bool:
    """Whether the output of a wait tells that no sub-agent ended in time."""
    return value(record(parsed(output)), "timed_out") is True


def ended_agents(row: RolloutRow) -> Iterator[tuple[str, Any, bool]]:
    """Yield the threads of which the end of a wait tells that they have ended.

    With what each answered, or why it failed, and whether an error ended it. They are in a list, in
    the first versions by their threads.
    """
    states: dict[str, Any] = {}
    for state in records(row.payload, "agent_statuses"):
        states[text(state, "thread_id")] = value(state, "status")
    states = states or record(row.payload, "statuses")
    for thread, status in states.items():
        # One that still runs has a word for its status, one that has ended an object.
        for word in ("completed", "errored"):
            if word in record(status):
                yield thread, value(status, word), word == "errored"
                break


def message_type(row: RolloutRow) -> str:
    """Return the type that the first line of an ``agent_message`` names, or the empty string."""
    words = text(row.payload, "content.0.text").lstrip()
    if not words.startswith(_TYPE_LINE):
        return ""
    first, _, _ = words.removeprefix(_TYPE_LINE).partition("\n")
    return first.strip()
