"""Codex rollouts: the session files of the Codex command line, one file per thread.

Threads are joined by the parent they name, and by what they record of each other: the tools for
agents that work together leave one event (``sub_agent_activity``, from 0.153 on an item of the type
``SubAgentActivity``), answers arrive as ``agent_message``, and a sub-agent names its parent in the
first row of its own file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.traces.convert.events import USER, QueuedEvent, in_time
from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.people import program_behind
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import stated_usage
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import (
    JsonObject,
    count,
    first_text,
    is_plain_name,
    iso_time,
    items,
    parsed,
    plain_text,
    record,
    text,
    value,
)

#: Type of the row that tells what happened to a sub-agent.
ACTIVITY = "sub_agent_activity"
#: Path of the agent at the top.
ROOT_PATH = "/root"

_TYPE_LINE = "Message Type:"
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_WHOLE_CALLS = frozenset({"web_search_call", "image_generation_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
# Whose file tells of a message.
_SENDER, _RECEIVER = 1, -1


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
        names = ("event_id", "id") if self.name == ACTIVITY else ("call_id",)
        return first_text(self.payload, *names)

    @property
    def content(self) -> str:
        """What the row tells, without its time."""
        return json.dumps([self.name, self.payload], sort_keys=True)


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
    forked_from : str
        Id of the thread that it begins with a copy of.
    rows : list of RolloutRow
        In the order of the file.
    repeats : Counter
        How many rows repeat others, by what they are.
    asked : object
        Its prompt; some versions encrypt it.
    is_stated : bool
        Whether a row of its parent records its start, until that is walked.
    name : str
        Of its agent; empty until it is needed.
    in_step, got_return, has_waited : bool
        Whether its model call still runs, whether it got a return since its last step, and whether
        its wait has ended since.
    is_tasked : bool
        Whether its first task was delivered.
    prompts, undone : set of str
        What a person typed, as the harness records it, and the places of rows that were taken back.
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
    forked_from: str = ""
    rows: list[RolloutRow] = field(default_factory=list)
    repeats: Counter[str] = field(default_factory=Counter)
    asked: Any = None
    is_stated: bool = False
    name: str = ""
    in_step: bool = False
    got_return: bool = False
    has_waited: bool = False
    is_tasked: bool = False
    prompts: set[str] = field(default_factory=set)
    undone: set[str] = field(default_factory=set)
    stopped_at: str = ""
    spawn: QueuedEvent | None = None
    back: QueuedEvent | None = None
    is_read: bool = False
    pending: QueuedEvent | None = None
    asked_again: QueuedEvent | None = None
    model: str = ""
    total: int = 0
    last_words: Any = None


def threads_of(documents: Sequence[RecordedFile]) -> dict[str, Thread]:
    """Read every file as a thread; two files of one thread are put together."""
    found: dict[str, Thread] = {}
    for document in documents:
        metas = [row.value for row in document.objects if text(row.value, "type") == "session_meta"]
        # A forked thread repeats the rows of its parent, so the first one is its own.
        meta = record(metas, "0.payload")
        stated = {**meta, **record(meta, "source.subagent.thread_spawn")}
        thread = Thread(
            id=first_text(meta, "id", "session_id") or unnamed("thread", document.path.name),
            parent=text(stated, "parent_thread_id"),
            path=text(stated, "agent_path"),
            nickname=text(stated, "agent_nickname"),
            role=text(stated, "agent_role"),
            version=text(meta, "cli_version"),
            is_sub_agent="subagent" in record(meta, "source"),
            forked_from=text(meta, "forked_from_id"),
        )
        thread = found.setdefault(thread.id, thread)
        # A packed copy may lie beside a file; read twice, all work would be done twice.
        known = {(row.time, row.kind, row.content) for row in thread.rows}
        for one in document.objects:
            payload, kind = record(one.value, "payload"), text(one.value, "type")
            # From 0.153 on what happens to a sub-agent is an item.
            if text(payload, "item.type") == "SubAgentActivity":
                payload = {**record(payload, "item"), "type": ACTIVITY}
            time = iso_time(value(one.value, "timestamp"))
            place, name = document.place(one.line), text(payload, "type")
            row = RolloutRow(thread, place, time, kind, name, payload)
            if known and (row.time, row.kind, row.content) in known:
                thread.repeats["rows of a thread that another file of it repeats"] += 1
            else:
                thread.rows.append(row)
    return found


def above(thread: Thread, threads: dict[str, Thread], *links: str) -> list[Thread]:
    """Return a thread and those above it by some links, each once, also where they run in a circle.

    The links are ``parent``, and ``forked_from`` for those that a thread may begin with a copy of.
    """
    found = {thread.id: thread}
    waiting = [thread]
    for one in waiting:
        for name in [getattr(one, link) for link in links]:
            if name in threads and name not in found:
                found[name] = threads[name]
                waiting.append(threads[name])
    return waiting


def own_rows_begin(thread: Thread) -> int:
    """Return where the history ends that a forked thread begins with, else 0.

    A row with the meta data of another thread begins it. It is written at once; whoever works again
    takes longer to begin.
    """
    rows = thread.rows
    foreign = next((place for place, row in enumerate(rows) if row.kind != "session_meta"), 0) - 1
    if foreign < 1 or text(rows[foreign].payload, "id") in ("", thread.id):
        return 0
    for place, row in enumerate(rows):
        if row.name == "thread_settings_applied":
            return place
    for place, row in enumerate(rows[foreign + 1 :], start=foreign + 1):
        if row.name == "task_started" and (row.time or 0.0) - (rows[place - 1].time or 0.0) > 0.1:
            return place
    return 0


def roll_back(thread: Thread) -> None:
    """Note the rows of the turns that a person took back."""
    turns: list[int] = []
    for place, row in enumerate(thread.rows):
        if row.name == "user_message":
            turns.append(place)
        elif row.name == "thread_rolled_back" and (number := count(row.payload, "num_turns")):
            begin = turns[-number] if number <= len(turns) else 0
            thread.undone |= {one.place for one in thread.rows[begin:place]}
            del turns[-number:]


def drop_repeats(threads: dict[str, Thread]) -> None:
    """Drop the rows that forked threads begin with.

    A sub-agent may be started with the conversation of its parent, which its file then repeats:
    counted there, all calls of the parent would be its own as well.
    """
    origins = [above(thread, threads, "parent", "forked_from") for thread in threads.values()]
    contents: dict[str, set[str]] = {}
    # From below: the rows of a parent are looked up as they are in its file.
    for thread, *others in sorted(origins, key=len, reverse=True):
        known = []
        for other in others:
            if other.id not in contents:
                contents[other.id] = {row.content for row in other.rows}
            known.append(contents[other.id])
        repeated = []
        for row in thread.rows:
            if row.kind in ("response_item", "event_msg"):
                content = row.content
                if not any(content in rows for rows in known):
                    break
                repeated.append(row)
        border = own_rows_begin(thread)
        if border > len(repeated):
            repeated = [row for row in thread.rows[:border] if row.kind != "session_meta"]
        # A task in the same words alone makes no fork.
        if "response_item" in {row.kind for row in repeated}:
            thread.repeats["rows of its parent that a forked thread repeats"] = len(repeated)
            gone = set(repeated)
            thread.rows = [row for row in thread.rows if row not in gone]


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files of the sub-agents that a thread started, as they lie in its folder."""
    for row in document.rows:
        payload = record(row.value, "payload")
        node = record(payload, "item") or payload
        child = text(node, "agent_thread_id")
        if is_plain_name(child):
            yield from sorted(document.path.parent.glob(f"rollout-*{child}.jsonl*"))


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each thread that no other one started, with all threads below it."""
    threads = threads_of(documents)
    drop_repeats(threads)
    for thread in threads.values():
        roll_back(thread)
    # A thread whose parent is missing is a top one.
    runs: dict[str, list[Thread]] = {}
    for thread in threads.values():
        runs.setdefault(above(thread, threads, "parent")[-1].id, []).append(thread)
    for top, members in runs.items():
        run = _RolloutRecorder(threads[top], members, redaction)
        for thread in members:
            for what, times in thread.repeats.items():
                run.dropped(what, "rows", times)
        run.walk()
        if len(run):
            yield run.finish()


class _RolloutRecorder(Recorder):
    """One run in time order over all its threads.

    `told` counts the messages that the files of both agents record, without an id that would join
    the two: what one side is ahead of the other.
    """

    def __init__(self, top: Thread, members: Sequence[Thread], redaction: Redaction) -> None:
        super().__init__(top.id, "codex", redaction)
        self.top = top
        self.run["version"] = redaction.token(top.version)
        self.rows: list[RolloutRow] = in_time(thread.rows for thread in members)
        self.threads = {thread.id: thread for thread in members}
        top.name = self.new_agent("main")
        self.told: Counter[tuple[str, str]] = Counter()
        self.stop_reason = "truncated"
        # Arguments of calls by their ids, and which of them have events of their own.
        self.calls: dict[str, JsonObject] = {}
        self.collaboration_calls: set[str] = set()
        for row in self.rows:
            if row.name == "user_message":
                row.thread.prompts.add(text(row.payload, "message"))
            elif row.name == "function_call":
                self.calls[row.call] = record(parsed(text(row.payload, "arguments")))
            elif row.name == ACTIVITY:
                self.collaboration_calls.add(row.call)
        # Without an id an event tells of no call that it was this one.
        self.calls.pop("", None)
        self.collaboration_calls.discard("")
        # Threads that others started: by the rows of these, else by their own.
        self.started: dict[str, Thread] = {}
        for row in self.rows:
            child = text(row.payload, "agent_thread_id")
            is_start = row.name == ACTIVITY and text(row.payload, "kind") == "started"
            if not is_start or child in ("", row.thread.id) or child in self.started:
                continue
            asked = self.calls.get(row.call)
            thread = self.started[child] = self._thread(child)
            thread.parent = row.thread.id
            thread.path = text(row.payload, "agent_path") or thread.path
            thread.role = text(asked, "agent_type") or thread.role
            thread.asked = value(asked, "message")
            thread.is_stated = True
        for thread in members:
            if thread.parent and thread.parent != thread.id:
                self.started.setdefault(thread.id, thread)
        self.addresses = {ROOT_PATH: top.id}
        for thread in self.started.values():
            for address in filter(None, (thread.path, thread.nickname)):
                self.addresses.setdefault(address, thread.id)
        # The last word to each sub-agent.
        for row in self.rows:
            kind = text(row.payload, "kind")
            if row.name == ACTIVITY and kind in ("interrupted", "interacted"):
                self._child(row).stopped_at = row.place if kind == "interrupted" else ""

    def _thread(self, name: str) -> Thread:
        """Return a thread by its id; of one that is not in the input there is only that."""
        return self.threads.setdefault(name, Thread(name))

    def _child(self, row: RolloutRow) -> Thread:
        return self._thread(text(row.payload, "agent_thread_id"))

    def walk(self) -> None:
        for row in self.rows:
            self.at(row.time, row.place)
            payload, thread = row.payload, row.thread
            if thread.id in self.started and thread.spawn is None and thread is not self.top:
                # No row of its parent started it before: its own first row names its parent, whose
                # record may be written a moment later.
                self.inferred("a spawn is placed at the first row of the sub-agent")
                self._begin_agent(thread, ("t",))
            if thread.undone or row.name == "thread_rolled_back":
                self.undo(self._agent(thread), row.place in thread.undone)
            if row.kind == "turn_context":
                thread.model = text(payload, "model") or thread.model
            elif row.kind == "session_meta":
                system = value(payload, "base_instructions.text") or value(payload, "instructions")
                tools = value(payload, "dynamic_tools")
                self.keep(self._agent(thread), system=system, tool_definitions=tools)
            elif row.kind == "compacted":
                thread.in_step = False
                self.compact(self._agent(thread), value(payload, "message"))
                continue
            match row.name:
                case "message":
                    self._message(row)
                case "reasoning":
                    thought = [value(payload, "content"), value(payload, "summary")]
                    self.keep(self._model(row), reasoning=words_of(thought)[0])
                case "user_message":
                    words = value(payload, "message")
                    attached = [*items(payload, "images"), *items(payload, "local_images")]
                    parts = [{"type": "input_image", "image_url": one} for one in attached]
                    self._prompt(row, [{"type": "text", "text": words}, *parts] if parts else words)
                case "token_count":
                    self._token_count(row)
                case "task_complete":
                    thread.in_step = False
                    content = value(payload, "last_agent_message") or thread.last_words
                    if thread is self.top:
                        self.hand_back("main", USER, content)
                        self.stop_reason = "implicit"
                    elif thread.back is None or thread.asked_again is not None:
                        self._return(thread, content)
                case "turn_aborted":
                    thread.in_step = False
                    if text(payload, "reason") == "interrupted" and not thread.stopped_at:
                        self.interrupt(self._agent(thread))
                    # A later task_complete of the same thread overrides this: the person went on.
                    if thread is self.top:
                        self.stop_reason = "external"
                case "guardian_assessment":
                    status = text(payload, "status").lower()
                    if status != "in_progress":
                        denied = status in ("denied", "rejected", "aborted", "timed_out")
                        agent = self._agent(thread)
                        self.add("safety_event", agent, role="guardian", x_error=denied or None)
                case "agent_message":
                    self._agent_message(row)
                case "sub_agent_activity":
                    self._activity(row)
                case name if name.startswith("collab_"):
                    self.missing("what Codex before 0.150 tells of sub-agents", "rows")
                case name if name in _CALLS:
                    self._call(row)
                case name if name in _WHOLE_CALLS:
                    # A call that the server answered: one row holds both.
                    agent, action = self._model(row), value(payload, "action")
                    call = self.tool_call(agent, name.removesuffix("_call"), row.call, action)
                    self.tool_result(call, None)
                case name if name in _ANSWERS:
                    self._answer_of_tool(row)
                case "thread_rolled_back":
                    thread.in_step = False
                case _:
                    self._skip(row, text(payload, "item.type"))

    def _skip(self, row: RolloutRow, kind: str = "") -> None:
        self.unknown("rows of type", f"{row.kind} {row.name} {kind}".strip(), "rows")

    def _agent(self, thread: Thread) -> str:
        """Return the name of the agent of a thread; it is made up where no row names it."""
        title = thread.nickname or thread.path.rpartition("/")[2] or thread.role
        thread.name = thread.name or self.new_agent(title)
        return thread.name

    def _model(self, row: RolloutRow) -> str:
        """Begin a model step, unless this row is one more item of the step that runs.

        Return the agent.
        """
        thread = row.thread
        agent = self._agent(thread)
        if thread.in_step:
            return agent
        thread.in_step = True
        # The step before had no visible action: it is over now, and needs an event of its own.
        self.settle(agent)
        if thread.has_waited:
            thread.has_waited = False
            # The step depends on all sub-agents that have ended, though no row names them.
            for child in self.threads.values():
                if child.parent == thread.id and child.back is not None and not child.is_read:
                    what = "a sub-agent that ended before its parent had waited counts as read"
                    self.inferred(what, self._agent(child))
                    self._give_to_parent(child, thread, inferred=True)
        self.step(agent)
        if thread.got_return:
            thread.got_return = False
            self.settle(agent, (), "aggregate")
        return agent

    def _message(self, row: RolloutRow) -> None:
        role = text(row.payload, "role")
        content = value(row.payload, "content")
        if role == "assistant":
            self.keep(self._model(row), assistant=content)
            row.thread.last_words = content
        elif role == "user" and not row.thread.prompts:
            if not program_behind(text(content, "0.text"), "codex"):
                self._prompt(row, content)
        elif role == "user" and plain_text(content) in row.thread.prompts:
            # The harness records what a person typed as an event, too.
            return
        else:
            self.keep(self._agent(row.thread), system=words_of(content)[0])
            self.unknown("rows of type", "messages of the harness", "rows")

    def _prompt(self, row: RolloutRow, content: object) -> None:
        # In a thread that another one started, the harness writes as the user what that one asked.
        if row.thread is not self.top:
            return
        self.top.in_step = False
        if self.top.parent or self.top.is_sub_agent:
            self.ambiguous("what a thread that is missing asked of the one at the top")
        else:
            self.prompt("main", content)

    def _call(self, row: RolloutRow) -> None:
        agent = self._model(row)
        tool = text(row.payload, "name") or row.name
        if row.call in self.collaboration_calls:
            # The call has an event of its own; the step before a spawn is a decision.
            if "spawn" in tool:
                self.settle(agent, ())
            return
        asked = None
        for name in ("arguments", "input", "action"):
            asked = asked or row.payload.get(name)
        self.tool_call(agent, tool, row.call, asked)

    def _answer_of_tool(self, row: RolloutRow) -> None:
        # Items of one model call have no common id: a result is what ends the step.
        row.thread.in_step = False
        agent = self._agent(row.thread)
        if row.call in self.collaboration_calls and self.called(agent, row.call) is None:
            return
        output = row.payload.get("output", row.payload.get("tools"))
        call = self.result(agent, row.call, output, failed=row.payload.get("success") is False)
        is_wait = call is not None and call.keys["tool"] == "wait_agent"
        if is_wait and value(parsed(output), "timed_out") is not True:
            row.thread.has_waited = True

    def _begin_agent(self, child: Thread, marks: tuple[str, ...] = ()) -> None:
        parent, name = self._agent(self._thread(child.parent)), self._agent(child)
        child.spawn = self.spawn(parent, name, child.id, child.asked, child.role, marks)
        child.pending = child.spawn

    def _activity(self, row: RolloutRow) -> None:
        kind = text(row.payload, "kind")
        child = self._child(row)
        if kind == "started":
            if not child.is_stated or child is self.top:
                self.dropped("a spawn that made no thread")
            elif child.spawn is None:
                self._begin_agent(child)
            # Else it has begun by its own file already; this is the parent's record of it.
            child.is_stated = False
        elif kind == "completed":
            self._complete(row, child, None)
        elif child.stopped_at == row.place:
            if child.spawn is not None:
                self.add("despawn", self._agent(row.thread), to=self._agent(child))
        elif kind in ("interacted", "interrupted"):
            role = "interrupt" if kind == "interrupted" else ""
            asked = value(self.calls.get(row.call), "message")
            self._send(row.thread, child, asked, _SENDER, role)
        else:
            self._skip(row, self.redaction.name(kind, "kind"))

    def _agent_message(self, row: RolloutRow) -> None:
        """Take a message between agents, as the receiver got it.

        The harness uses the same name for what the model tells the user.
        """
        author = text(row.payload, "author")
        recipient = text(row.payload, "recipient")
        if not author:
            return
        sender = self._thread_at(author)
        receiver = self._thread_at(recipient) if recipient else row.thread
        content = value(row.payload, "content")
        # The first line names the type.
        kind, _, _ = text(content, "0.text").lstrip().partition("\n")
        kind = kind.removeprefix(_TYPE_LINE).strip()
        if kind == "FINAL_ANSWER" and sender.spawn is not None:
            self._complete(row, sender, content)
        elif kind == "NEW_TASK" and receiver.spawn is not None and not receiver.is_tasked:
            # The first task of a sub-agent is what its spawn asks.
            receiver.is_tasked = True
        elif recipient:
            self._send(sender, receiver, content, _RECEIVER)

    def _thread_at(self, address: str) -> Thread:
        """Return the thread of an agent by its path or name; for an unknown one its name."""
        if address in self.addresses:
            return self._thread(self.addresses[address])
        thread = self._thread(address.removeprefix(f"{ROOT_PATH}/"))
        # A name of its own: that of a known agent would make the two one.
        thread.name = thread.name or self.new_agent(thread.id)
        return thread

    def _send(
        self, sender: Thread, receiver: Thread, content: object, side: int, role: str = ""
    ) -> None:
        """Add a message, unless the file of the other side has told of it."""
        if not receiver.id:
            self.dropped("a message without a receiver")
        elif sender is receiver:
            self.dropped("a message of an agent to itself")
        else:
            one, other = self._agent(sender), self._agent(receiver)
            self.told[one, other] += side
            if side * self.told[one, other] > 0:
                message = self.message(one, other, content, role=role)
                # If it goes on, it returns once more, and that answers the message.
                if receiver.back is not None:
                    receiver.asked_again = message

    def _complete(self, row: RolloutRow, child: Thread, content: object) -> None:
        """Give the return of a sub-agent to its parent, which reads it now."""
        if child.spawn is None:
            self.dropped("the end of a sub-agent whose start is not in the files")
            return
        # If it was sent a message after its last return, this is the answer to that.
        if child.back is None or (child.asked_again is not None and child.is_read):
            self.inferred("a sub-agent ends when its parent reads the result")
            self._return(child, content, ("t",))
        self._give_to_parent(child, row.thread)
        row.thread.in_step = False

    def _give_to_parent(self, child: Thread, parent: Thread, *, inferred: bool = False) -> None:
        # A return is reported in several ways; the parent reads it once.
        if not child.is_read and child.back is not None and child.pending is not None:
            child.is_read = True
            self.replace(self._agent(parent), child.pending, child.back, inferred=inferred)
            parent.got_return = True

    def _return(self, child: Thread, content: object, marks: tuple[str, ...] = ()) -> None:
        if child.spawn is None:
            return
        if child.asked_again is not None:
            child.pending, child.asked_again = child.asked_again, None
        child.back = self.return_of(child.spawn, content, marks)
        child.is_read = False

    def _token_count(self, row: RolloutRow) -> None:
        """Put the usage of the last model call on its step.

        The harness repeats it when limits change.
        """
        thread = row.thread
        total = count(row.payload, "info.total_token_usage.total_tokens")
        usage = stated_usage(
            value(row.payload, "info.last_token_usage"),
            thread.model,
            input="input_tokens",
            cached="cached_input_tokens",
            cache_write="cache_write_input_tokens",
            output="output_tokens",
            reasoning="reasoning_output_tokens",
        )
        if not usage.total:
            if total > thread.total:
                self.missing("tokens of which only the sum is reported", count=total - thread.total)
                thread.total = total
        elif total == 0 or total != thread.total:
            thread.total = total
            thread.in_step = False
            if not self.spend(self._agent(thread), usage):
                self.missing("tokens before the first model step", count=usage.total)


FORMAT = RecordedFormat("codex", convert, companions)
