"""Codex rollouts: the session files of the Codex command line, one file per thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus.traces.convert.actions import Actions
from corpus.traces.convert.agent_names import USER, AgentNames
from corpus.traces.convert.codex.collaboration import (
    FINAL_ANSWER,
    NEW_TASK,
    ROOT_PATH,
    WAIT_TOOL,
    activity_of,
    arguments_of,
    ended_agents,
    message_type,
    spawn_records,
    timed_out,
)
from corpus.traces.convert.codex.thread import (
    RolloutRow,
    Thread,
    drop_repeats,
    in_time,
    runs_of,
    threads_of,
)
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import (
    JsonObject,
    count,
    number,
    record,
    stated_count,
    text,
    value,
)
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import usage_with_cache_in_input

_ROWS = frozenset(
    {"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"}
)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_WHOLE_CALLS = frozenset({"web_search_call", "image_generation_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_TOOL_BY_END = {
    "web_search_end": "web_search",
    "mcp_tool_call_end": "mcp",
    "exec_command_end": "shell",
    "patch_apply_end": "apply_patch",
    "image_generation_end": "image_generation",
    "view_image_tool_call": "view_image",
    "dynamic_tool_call_response": "dynamic_tool",
}
# What the harness puts in front of the first prompt, as messages of the user.
_CONTEXT = ("<environment_context>", "<user_instructions>", "# AGENTS.md", "<permissions")


def recognise(document: RecordedFile) -> bool:
    """Look for rows of a payload under one of the row types of a rollout."""
    for row in document.rows[:50]:
        has_payload = isinstance(value(row.value, "payload"), dict)
        if has_payload and text(row.value, "type") in _ROWS:
            return True
    return False


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files of the sub-agents that a thread started, as they lie in its folder."""
    for row in document.rows:
        payload = record(row.value, "payload")
        node = record(payload, "item") or payload
        for child in (text(node, "agent_thread_id"), text(node, "new_thread_id")):
            if child and child.replace("-", "").isalnum():
                yield from sorted(document.path.parent.glob(f"rollout-*{child}.jsonl*"))


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each thread that no other one started, with all threads below it."""
    threads = threads_of(documents)
    repeats = drop_repeats(threads)
    for top, members in runs_of(threads):
        repeated = sum(repeats[thread.id] for thread in members)
        walk = _RolloutWalk(top, members, redaction)
        if repeated:
            what = "rows of its parent that a forked thread repeats"
            walk.draft.lose(DROPPED, "rows", what, repeated)
        copied = sum(thread.copied for thread in members)
        if copied:
            what = "rows of a thread that another file of it repeats"
            walk.draft.lose(DROPPED, "rows", what, copied)
        walk.walk()
        if len(walk.draft):
            yield walk.conversion()


class _RolloutWalk:
    """One run in time order over all its threads.

    Attributes
    ----------
    in_step, back, waited : set of str
        Threads whose model call still runs, that got a return since their last step, and whose wait
        has ended since.
    early, tasked : set of str
        Threads that began before the record of their start, and whose first task was delivered.
    stopped_by_agents : dict of str to str
        Place at which a parent stopped a sub-agent for good, by thread.
    pending, asked_again : dict of str to int
        What the next return of a sub-agent answers: its spawn, or a message after its last return.
    read : set of int
        Returns that a parent has read.
    models : dict of str to str
        The model that each thread calls, as the context of its last turn states it.
    total, left : Counter
        Usage that the harness reported last, by thread; rows left out, by type.
    whole_calls, whole_ends : Counter
        Calls that the server answered, by thread and tool: those that the model and those that the
        harness recorded.
    """

    def __init__(self, top: Thread, members: Sequence[Thread], redaction: Redaction) -> None:
        self.top = top
        self.redaction = redaction
        self.draft = Draft(top.id, "codex", redaction)
        self.draft.run["files"] = len(members)
        self.draft.run["version"] = redaction.token(top.version)
        self.actions = Actions(self.draft)
        self.rows = in_time(members)
        self.records = spawn_records(self.rows, members)
        self.addresses: dict[str, str] = {}
        for started in self.records.values():
            for address in (started.path, started.nickname):
                if address:
                    self.addresses.setdefault(address, started.child)
        self.given = AgentNames(redaction)
        self.names: dict[str, str] = {top.id: self.given.unique("main")}
        self.spawns: dict[str, int] = {}
        self.returns: dict[str, int] = {}
        self.pending: dict[str, int] = {}
        self.asked_again: dict[str, int] = {}
        self.read: set[int] = set()
        self.early: set[str] = set()
        self.tasked: set[str] = set()
        self.waited: set[str] = set()
        self.sent: Counter[tuple[str, str]] = Counter()
        self.delivered: Counter[tuple[str, str]] = Counter()
        self.calls: dict[tuple[str, str], int] = {}
        self.whole_calls: Counter[tuple[str, str]] = Counter()
        self.whole_ends: Counter[tuple[str, str]] = Counter()
        self.models: dict[str, str] = {}
        self.in_step: set[str] = set()
        self.back: set[str] = set()
        self.last_words: dict[str, Any] = {}
        self.total: dict[str, int] = {}
        self.left = Counter[str]()
        self.stop = "truncated"
        self.collaboration_calls: set[str] = set()
        self.stopped_by_agents: dict[str, str] = {}
        self._index_collaboration()
        self.arguments: dict[str, JsonObject] = {}
        self.prompted: set[str] = set()
        for row in self.rows:
            if row.name == "user_message":
                self.prompted.add(row.thread)
            elif row.name == "function_call" and row.call in self.collaboration_calls:
                self.arguments[row.call] = arguments_of(row)
        self.handlers = self._handlers()

    def _index_collaboration(self) -> None:
        """Find the calls that have events of their own, and the last word to each sub-agent."""
        for row in self.rows:
            if row.name.startswith("collab_"):
                self.collaboration_calls.add(row.call)
            activity = activity_of(row)
            if activity is None:
                continue
            self.collaboration_calls.add(activity.call)
            if activity.kind == "interrupted":
                self.stopped_by_agents[activity.child] = row.place
            elif activity.kind == "interacted":
                self.stopped_by_agents.pop(activity.child, None)
        # Without an id an event tells of no call that it was this one.
        self.collaboration_calls.discard("")

    def walk(self) -> None:
        for row in self.rows:
            self._ensure_started(row)
            if row.kind == "turn_context":
                self._note_model(row)
            handler = self.handlers.get(row.name)
            if handler is None:
                self.left[f"{row.kind} {row.name}".strip()] += 1
            else:
                handler(row)

    def _note_model(self, row: RolloutRow) -> None:
        model = text(row.payload, "model")
        if model:
            self.models[row.thread] = model

    def conversion(self) -> Conversion:
        for kind, times in sorted(self.left.items()):
            name = self.redaction.name(kind, "type")
            self.draft.lose(DROPPED, "rows", f"rows of type {name}", times)
        self.draft.stop_reason = self.stop
        return self.draft.finish()

    def _handlers(self) -> dict[str, Callable[[RolloutRow], None]]:
        handlers: dict[str, Callable[[RolloutRow], None]] = {
            "message": self._message,
            "user_message": self._user_message,
            "token_count": self._token_count,
            "task_complete": self._task_complete,
            "turn_aborted": self._turn_aborted,
            "guardian_assessment": self._guardian,
            "agent_message": self._agent_message,
            "sub_agent_activity": self._activity,
            "item_completed": self._activity,
            "collab_agent_spawn_end": self._collab_spawn,
            "collab_agent_interaction_end": self._interaction,
            "collab_waiting_end": self._waiting,
            "collab_close_end": self._close,
            "reasoning": self._model,
        }
        handlers |= dict.fromkeys(_CALLS, self._call)
        handlers |= dict.fromkeys(_WHOLE_CALLS, self._whole_call)
        handlers |= dict.fromkeys(_ANSWERS, self._answer)
        handlers |= dict.fromkeys(_TOOL_BY_END, self._end_of_call)
        return handlers

    def _agent(self, thread: str) -> str:
        """Return the name of the agent of a thread; it is made up where no row names it."""
        if thread not in self.names:
            wanted = self.records[thread].name if thread in self.records else ""
            self.names[thread] = self.given.unique(wanted)
        return self.names[thread]

    def _model(self, row: RolloutRow) -> None:
        """Begin a model step, unless this row is one more item of the step that runs."""
        if row.thread in self.in_step:
            return
        self.in_step.add(row.thread)
        # The step before had no visible action: it is over now, and needs an event of its own.
        agent = self._agent(row.thread)
        self.draft.settle(agent)
        if row.thread in self.waited:
            self.waited.discard(row.thread)
            self._read_after_wait(row.thread)
        self.draft.step(agent, row.time)
        if row.thread in self.back:
            self.back.discard(row.thread)
            self.draft.settle(agent, (), "aggregate")

    def _end_step(self, row: RolloutRow) -> None:
        self.in_step.discard(row.thread)

    def _message(self, row: RolloutRow) -> None:
        role = text(row.payload, "role")
        content = value(row.payload, "content")
        if role == "assistant":
            self._model(row)
            self.last_words[row.thread] = content
        elif role == "user" and row.thread not in self.prompted:
            if not text(content, 0, "text").startswith(_CONTEXT):
                self._prompt(row, content)
        else:
            self.left["messages of the harness"] += 1

    def _user_message(self, row: RolloutRow) -> None:
        self._prompt(row, value(row.payload, "message"))

    def _prompt(self, row: RolloutRow, content: object) -> None:
        # In a thread that another one started, the harness writes as the user what that one asked.
        if row.thread != self.top.id:
            return
        self._end_step(row)
        if self.top.parent or self.top.is_sub_agent:
            what = "what a thread that is missing asked of the one at the top"
            self.draft.lose(AMBIGUOUS, row.place, what)
        else:
            self.actions.prompt("main", row.time, content)

    def _call(self, row: RolloutRow) -> None:
        self._model(row)
        agent = self._agent(row.thread)
        tool = text(row.payload, "name") or row.name
        if row.call in self.collaboration_calls:
            # The call has an event of its own; the step before a spawn is a decision.
            if "spawn" in tool:
                self.draft.settle(agent, ())
            return
        asked = None
        for field in ("arguments", "input", "action"):
            asked = asked or value(row.payload, field)
        self._tool_call(row, tool, asked, row.time)

    def _tool_call(self, row: RolloutRow, tool: str, asked: object, time: float | None) -> int:
        call_id = row.call or f"call-{len(self.draft) + 1}"
        agent = self._agent(row.thread)
        call = self.actions.tool_call(agent, time, tool, call_id, asked)
        if row.call:
            self.calls[row.thread, row.call] = call
        return call

    def _whole_call(self, row: RolloutRow) -> None:
        """A call that the server answered: one row holds both."""
        self._model(row)
        tool = row.name.removesuffix("_call")
        if self._is_told(row.thread, tool, self.whole_calls, self.whole_ends):
            return
        asked = value(row.payload, "action")
        call = self._tool_call(row, tool, asked, row.time)
        self.actions.tool_result(call, row.time, None)

    def _is_told(
        self,
        thread: str,
        tool: str,
        side: Counter[tuple[str, str]],
        other: Counter[tuple[str, str]],
    ) -> bool:
        """Count a call that the server answered; whether its other record was there before.

        The record of the model has no id of the call, so the two are joined by their number.
        """
        side[thread, tool] += 1
        return side[thread, tool] <= other[thread, tool]

    def _answer(self, row: RolloutRow) -> None:
        # Items of one model call have no common id: a result is what ends the step.
        self._end_step(row)
        call = self.calls.get((row.thread, row.call))
        if call is None:
            if row.call not in self.collaboration_calls:
                what = "a tool result whose call is not in the files"
                self.draft.lose(DROPPED, row.place, what)
        elif self.draft.answered(call):
            self.draft.lose(DROPPED, row.place, "a second result of one tool call")
        else:
            output = value(row.payload, "output") or value(row.payload, "tools")
            failed = value(row.payload, "success") is False
            self.actions.tool_result(call, row.time, output, failed=failed)
            tool = self.draft.entry(call).keys["tool"]
            if tool == WAIT_TOOL and not timed_out(output):
                self.waited.add(row.thread)

    def _end_of_call(self, row: RolloutRow) -> None:
        """The harness' own record of a call.

        It counts only where the model's record of the call is missing.
        """
        if (row.thread, row.call) in self.calls:
            return
        tool = _TOOL_BY_END[row.name]
        if f"{tool}_call" in _WHOLE_CALLS:
            if self._is_told(row.thread, tool, self.whole_ends, self.whole_calls):
                return
        payload = row.payload
        tool = text(payload, "invocation", "tool")
        tool = tool or text(payload, "tool") or _TOOL_BY_END[row.name]
        seconds = number(payload, "duration", "secs") or 0.0
        nanoseconds = number(payload, "duration", "nanos") or 0.0
        seconds += nanoseconds / 1e9
        # The row is written when the call has ended; only its duration tells when it began.
        began = row.time
        if row.time is not None and 0 < seconds <= row.time:
            began = row.time - seconds
        what = "the start of a tool call of which only the end is recorded"
        self.draft.lose(INFERRED, row.place, what)
        asked = value(payload, "invocation")
        call = self._tool_call(row, tool, asked, began)
        self.draft.entry(call).marks.add("t")
        # A result of the protocol for tools is an object with the key Ok or Err.
        failed = value(payload, "success") is False or "Err" in record(payload, "result")
        answer = value(payload, "result")
        self.actions.tool_result(call, row.time, answer, failed=failed)

    def _spawn(self, row: RolloutRow, child: str) -> None:
        """Start a sub-agent at a row of its parent that records it."""
        has_thread = child in self.records and child != self.top.id
        if child in self.early:
            # It has begun by its own file already; this is the parent's record of it.
            self.early.discard(child)
        elif child in self.spawns or not has_thread:
            self.draft.lose(DROPPED, row.place, "a spawn that made no thread")
        else:
            self._begin_agent(row, child)

    def _begin_agent(self, row: RolloutRow, child: str, marks: tuple[str, ...] = ()) -> None:
        started = self.records[child]
        self.spawns[child] = self.actions.spawn(
            self._agent(started.parent),
            self._agent(child),
            row.time,
            child,
            started.asked,
            started.role,
            marks,
        )
        self.pending[child] = self.spawns[child]

    def _ensure_started(self, row: RolloutRow) -> None:
        """Start the sub-agent whose row this is, where no row of its parent did so before.

        Its own first row names its parent; and the parent's record may be written a moment later.
        """
        started = self.records.get(row.thread)
        has_begun = row.thread in self.spawns or row.thread == self.top.id
        if has_begun or started is None:
            return
        if started.stated:
            self.early.add(row.thread)
        what = "a spawn is placed at the first row of the sub-agent"
        self.draft.lose(INFERRED, row.place, what)
        self._begin_agent(row, row.thread, ("t",))

    def _collab_spawn(self, row: RolloutRow) -> None:
        self._spawn(row, text(row.payload, "new_thread_id"))

    def _activity(self, row: RolloutRow) -> None:
        activity = activity_of(row)
        if activity is None:
            kind = text(row.payload, "item", "type")
            self.left[f"{row.kind} {row.name} {kind}".strip()] += 1
        elif activity.kind == "started":
            self._spawn(row, activity.child)
        elif activity.kind == "completed":
            self._complete(row, activity.child, None)
        elif self.stopped_by_agents.get(activity.child) == row.place:
            if activity.child in self.spawns:
                self.draft.add(
                    "despawn", self._agent(row.thread), row.time, to=self._agent(activity.child)
                )
        elif activity.kind in ("interacted", "interrupted"):
            role = "interrupt" if activity.kind == "interrupted" else ""
            asked = value(self.arguments.get(activity.call), "message")
            self._send(row, row.thread, activity.child, asked, self.sent, role)
        else:
            name = self.redaction.name(activity.kind, "kind")
            self.left[f"{row.kind} {row.name} {name}"] += 1

    def _interaction(self, row: RolloutRow) -> None:
        sender = text(row.payload, "sender_thread_id") or row.thread
        receiver = text(row.payload, "receiver_thread_id")
        asked = value(row.payload, "prompt")
        self._send(row, sender, receiver, asked, self.sent)

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
        kind = message_type(row)
        if kind == FINAL_ANSWER and sender in self.spawns:
            self._complete(row, sender, content)
        elif kind == NEW_TASK and receiver in self.spawns and receiver not in self.tasked:
            # The first task of a sub-agent is what its spawn asks.
            self.tasked.add(receiver)
        elif recipient:
            self._send(row, sender, receiver, content, self.delivered)

    def _thread_at(self, address: str) -> str:
        """Return the thread of an agent by its path or name; for an unknown one its name."""
        if address == ROOT_PATH:
            return self.top.id
        if address in self.addresses:
            return self.addresses[address]
        below_root = address.removeprefix(f"{ROOT_PATH}/")
        if below_root not in self.names:
            # A name of its own: that of a known agent would make the two one.
            self.names[below_root] = self.given.unique(below_root)
        return below_root

    def _send(
        self,
        row: RolloutRow,
        sender: str,
        receiver: str,
        content: object,
        side: Counter[tuple[str, str]],
        role: str = "",
    ) -> None:
        """Add a message, unless the file of the other side has told of it.

        `side` counts what was sent or what was delivered between two agents.
        """
        if not receiver:
            self.draft.lose(DROPPED, row.place, "a message without a receiver")
            return
        sending_agent = self._agent(sender)
        receiving_agent = self._agent(receiver)
        if sending_agent == receiving_agent:
            self.draft.lose(DROPPED, row.place, "a message of an agent to itself")
            return
        other = self.delivered if side is self.sent else self.sent
        side[sender, receiver] += 1
        if side[sender, receiver] <= other[sender, receiver]:
            return
        message = self.actions.message(sending_agent, receiving_agent, row.time, content, role=role)
        if receiver in self.returns:
            # If it goes on, it returns once more, and that answers the message.
            self.asked_again[receiver] = message

    def _waiting(self, row: RolloutRow) -> None:
        """Let whoever completed return, at the time its own thread tells, else now."""
        sender = text(row.payload, "sender_thread_id") or row.thread
        for ended in ended_agents(row):
            self._complete(row, ended.thread, ended.answer, sender, failed=ended.failed)
        self._end_step(row)

    def _complete(
        self,
        row: RolloutRow,
        child: str,
        content: object,
        parent: str | None = None,
        *,
        failed: bool = False,
    ) -> None:
        """Give the return of a sub-agent to its parent, which reads it now."""
        if child not in self.spawns:
            what = "the end of a sub-agent whose start is not in the files"
            self.draft.lose(DROPPED, row.place, what)
            return
        has_returned = child in self.returns
        if has_returned and child in self.asked_again:
            # It was sent a message after its last return: this is the answer to that.
            has_returned = not self._was_read(child)
        if not has_returned:
            what = "a sub-agent ends when its parent reads the result"
            self.draft.lose(INFERRED, row.place, what)
            self._return(row, child, content, ("t",), failed=failed)
        self._give_to_parent(child, parent or row.thread)
        self._end_step(row)

    def _was_read(self, child: str) -> bool:
        return self.returns[child] in self.read

    def _give_to_parent(self, child: str, parent: str, *, inferred: bool = False) -> None:
        # A return is reported in several ways; the parent reads it once.
        if not self._was_read(child):
            back = self.returns[child]
            self.read.add(back)
            agent = self._agent(parent)
            asked = self.pending[child]
            self.draft.replace(agent, asked, back, inferred=inferred)
            self.back.add(parent)

    def _read_after_wait(self, parent: str) -> None:
        """Let a step after a wait depend on all sub-agents that have ended.

        Though no row names them.
        """
        for child in self.returns:
            is_own = self.records[child].parent == parent
            if is_own and not self._was_read(child):
                what = "a sub-agent that ended before its parent had waited counts as read"
                self.draft.lose(INFERRED, self._agent(child), what)
                self._give_to_parent(child, parent, inferred=True)

    def _return(
        self,
        row: RolloutRow,
        child: str,
        content: object,
        marks: tuple[str, ...] = (),
        *,
        failed: bool = False,
    ) -> None:
        spawn = self.draft.entry(self.spawns[child])
        call_id = spawn.keys.get("x_call_id")
        last_asked = self.pending[child]
        self.pending[child] = self.asked_again.pop(child, last_asked)
        self.returns[child] = self.actions.hand_back(
            self._agent(child),
            spawn.agent,
            row.time,
            content,
            marks,
            x_call_id=call_id,
            x_error=failed or None,
        )

    def _close(self, row: RolloutRow) -> None:
        sender = text(row.payload, "sender_thread_id") or row.thread
        child = text(row.payload, "receiver_thread_id")
        if child in self.spawns:
            agent = self._agent(sender)
            self.draft.add("despawn", agent, row.time, to=self._agent(child))

    def _task_complete(self, row: RolloutRow) -> None:
        self._end_step(row)
        thread = row.thread
        content = value(row.payload, "last_agent_message")
        content = content or self.last_words.get(thread)
        owes_answer = thread not in self.returns or thread in self.asked_again
        if thread in self.spawns and owes_answer:
            self._return(row, thread, content)
        elif thread == self.top.id:
            self.actions.hand_back("main", USER, row.time, content)
            self.stop = "implicit"

    def _turn_aborted(self, row: RolloutRow) -> None:
        self._end_step(row)
        by_person = text(row.payload, "reason") == "interrupted"
        if by_person and row.thread not in self.stopped_by_agents:
            self.actions.interrupt(self._agent(row.thread), row.time)
        # A later task_complete of the same thread overrides this: the person went on.
        if row.thread == self.top.id:
            self.stop = "external"

    def _guardian(self, row: RolloutRow) -> None:
        status = text(row.payload, "status").lower()
        if status == "in_progress":
            return
        denied = status in ("denied", "rejected", "aborted", "timed_out")
        error = denied or None
        agent = self._agent(row.thread)
        self.draft.add("safety_event", agent, row.time, role="guardian", x_error=error)

    def _token_count(self, row: RolloutRow) -> None:
        """Put the usage of the last model call on its step.

        The harness repeats it when limits change.
        """
        total = count(row.payload, "info", "total_token_usage", "total_tokens")
        last = record(row.payload, "info", "last_token_usage")
        # Cached input is part of input_tokens here, reasoning of output_tokens.
        usage = usage_with_cache_in_input(
            stated_count(last, "input_tokens"),
            stated_count(last, "cached_input_tokens"),
            stated_count(last, "cache_write_input_tokens"),
            stated_count(last, "output_tokens"),
            stated_count(last, "reasoning_output_tokens"),
            self.models.get(row.thread, ""),
        )
        before = self.total.get(row.thread, 0)
        if not usage.total:
            if total > before:
                what = "tokens of which only the sum is reported"
                self.draft.lose(DROPPED, row.place, what, total - before)
                self.total[row.thread] = total
            return
        if total > 0 and total == before:
            return
        self.total[row.thread] = total
        agent = self._agent(row.thread)
        if not self.draft.spend(agent, usage):
            what = "tokens before the first model step"
            self.draft.lose(DROPPED, row.place, what, usage.total)
        self._end_step(row)


FORMAT = RecordedFormat(
    name="codex",
    title="Codex rollouts, one file per thread; name all files of a run together",
    recognise=recognise,
    convert=convert,
    companions=companions,
)
