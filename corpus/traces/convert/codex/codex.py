"""Codex rollouts: the session files of the Codex command line, one file per thread."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.traces.convert.codex.rollout import (
    FINAL_ANSWER,
    NEW_TASK,
    ROOT_PATH,
    WAIT_TOOL,
    RolloutRow,
    Thread,
    activity_of,
    arguments_of,
    drop_repeats,
    ended_agents,
    in_time,
    message_type,
    runs_of,
    spawn_records,
    threads_of,
    timed_out,
)
from corpus.traces.convert.document import RecordedFile, marked
from corpus.traces.convert.format import (
    MODEL_CALLS,
    OUTPUT,
    TOKENS,
    TOOL_CALLS,
    Conversion,
    RecordedFormat,
)
from corpus.traces.convert.lookup import JsonObject, count, number, record, text, value
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.names import USER
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import Usage, stated_usage

recognise = marked(
    "payload type=session_meta|turn_context|response_item|event_msg|compacted|world_state"
)

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_WHOLE_CALLS = frozenset({"web_search_call", "image_generation_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_MODEL_ROWS = _CALLS | _WHOLE_CALLS | {"reasoning"}
_ENDS_OF_STEPS = _ANSWERS | {"user_message", "task_complete", "turn_aborted", "collab_waiting_end"}
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
        run = _RolloutRecorder(top, members, redaction)
        for thread in members:
            run.leave_out(repeats[thread.id], "rows of its parent that a forked thread repeats")
            run.leave_out(thread.left_out, "rows of a thread that another file of it repeats")
        run.walk()
        if len(run):
            yield run.finish()


@dataclass(slots=True)
class _ThreadState:
    """What one thread has done so far, and what it waits for.

    Attributes
    ----------
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
    spawn, back : int or None
        Its start, and its last return; `is_read` once its parent has read that.
    pending, asked_again : int or None
        What its next return answers: its spawn, or a message after its last return.
    model : str
        The one it calls, as the context of its last turn states it.
    total : int
        Tokens that the harness reported last.
    last_words : object
        What its model wrote last.
    """

    name: str = ""
    in_step: bool = False
    got_return: bool = False
    has_waited: bool = False
    is_early: bool = False
    is_tasked: bool = False
    is_prompted: bool = False
    stopped_at: str = ""
    spawn: int | None = None
    back: int | None = None
    is_read: bool = False
    pending: int | None = None
    asked_again: int | None = None
    model: str = ""
    total: int = 0
    last_words: Any = None


class _RolloutRecorder(Recorder):
    """One run in time order over all its threads.

    `told` counts by side what both the model and the harness record of a call, or the files of both
    agents of a message, without an id that would join the two.
    """

    def __init__(self, top: Thread, members: Sequence[Thread], redaction: Redaction) -> None:
        super().__init__(top.id, "codex", redaction)
        self.top = top
        self.run["files"] = len(members)
        self.run["version"] = redaction.token(top.version)
        self.rows = in_time(members)
        self.records = spawn_records(self.rows, members)
        self.addresses: dict[str, str] = {}
        for started in self.records.values():
            for address in (started.path, started.nickname):
                self.addresses.setdefault(address, started.child)
        self.addresses.pop("", None)
        self.threads: dict[str, _ThreadState] = defaultdict(_ThreadState)
        self.threads[top.id].name = self.new_agent("main")
        self.returned: list[str] = []
        self.told: Counter[tuple[str, str, str]] = Counter()
        self.calls: dict[tuple[str, str], int] = {}
        self.collaboration_calls: set[str] = set()
        self.arguments: dict[str, JsonObject] = {}
        self.stop_reason = "truncated"
        self.merged[TOOL_CALLS] = 0
        self._index()
        self.handlers = self._handlers()

    def _index(self) -> None:
        """Find the calls that have events of their own, and the last word to each sub-agent."""
        for row in self.rows:
            if row.name == "user_message":
                self.threads[row.thread].is_prompted = True
            if row.name.startswith("collab_"):
                self.collaboration_calls.add(row.call)
            activity = activity_of(row)
            if activity is None:
                continue
            self.collaboration_calls.add(activity.call)
            if activity.kind in ("interrupted", "interacted"):
                is_stop = activity.kind == "interrupted"
                self.threads[activity.child].stopped_at = row.place if is_stop else ""
        # Without an id an event tells of no call that it was this one.
        self.collaboration_calls.discard("")
        for row in self.rows:
            if row.name == "function_call" and row.call in self.collaboration_calls:
                self.arguments[row.call] = arguments_of(row)

    def leave_out(self, rows: Sequence[RolloutRow], what: str) -> None:
        """Note rows that repeat others, with the calls and tokens that they state again."""
        if rows:
            self.dropped("rows", what, len(rows))
        before = 0
        in_step = False
        for row in rows:
            is_model = row.name in _MODEL_ROWS or text(row.payload, "role") == "assistant"
            self.reported[MODEL_CALLS] += is_model and not in_step
            in_step = (in_step or is_model) and row.name not in _ENDS_OF_STEPS
            self.reported[TOOL_CALLS] += row.name in _CALLS | _WHOLE_CALLS
            total = count(row.payload, "info", "total_token_usage", "total_tokens")
            usage = _usage_of(row)
            if row.name == "token_count" and (not total or total != before):
                self._report(usage.total or max(0, total - before), usage.output)
                before = total or before
                in_step = in_step and not usage.total

    def _report(self, tokens: int, output: int | None = 0) -> None:
        self.reported[TOKENS] += tokens
        self.reported[OUTPUT] += output or 0

    def walk(self) -> None:
        for row in self.rows:
            self._ensure_started(row)
            if row.kind == "turn_context" and (model := text(row.payload, "model")):
                self.threads[row.thread].model = model
            elif row.kind == "session_meta":
                instructions = value(row.payload, "base_instructions", "text")
                system = instructions or value(row.payload, "instructions")
                tools = value(row.payload, "dynamic_tools")
                self.keep(self._agent(row.thread), system=system, tool_definitions=tools)
            handler = self.handlers.get(row.name)
            if handler is None:
                self._skip(row)
            else:
                handler(row)

    def _skip(self, row: RolloutRow, kind: str = "") -> None:
        self.unknown("rows", "rows of type", f"{row.kind} {row.name} {kind}".strip())

    def _handlers(self) -> dict[str, Callable[[RolloutRow], None]]:
        return {
            "message": self._message,
            "user_message": lambda row: self._prompt(row, value(row.payload, "message")),
            "token_count": self._token_count,
            "task_complete": self._task_complete,
            "turn_aborted": self._turn_aborted,
            "guardian_assessment": self._guardian,
            "agent_message": self._agent_message,
            "sub_agent_activity": self._activity,
            "item_completed": self._activity,
            "collab_agent_spawn_end": lambda row: self._start(
                row, text(row.payload, "new_thread_id")
            ),
            "collab_agent_interaction_end": self._interaction,
            "collab_waiting_end": self._waiting,
            "collab_close_end": self._close,
            "reasoning": self._reasoning,
            **dict.fromkeys(_CALLS, self._call),
            **dict.fromkeys(_WHOLE_CALLS, self._whole_call),
            **dict.fromkeys(_ANSWERS, self._answer_of_tool),
            **dict.fromkeys(_TOOL_BY_END, self._end_of_call),
        }

    def _agent(self, thread: str) -> str:
        """Return the name of the agent of a thread; it is made up where no row names it."""
        state = self.threads[thread]
        if not state.name:
            wanted = self.records[thread].name if thread in self.records else ""
            state.name = self.new_agent(wanted)
        return state.name

    def _model(self, row: RolloutRow) -> None:
        """Begin a model step, unless this row is one more item of the step that runs."""
        state = self.threads[row.thread]
        if state.in_step:
            return
        state.in_step = True
        # The step before had no visible action: it is over now, and needs an event of its own.
        agent = self._agent(row.thread)
        self.settle(agent)
        if state.has_waited:
            state.has_waited = False
            self._read_after_wait(row.thread)
        self.step(agent, row.time)
        if state.got_return:
            state.got_return = False
            self.settle(agent, (), "aggregate")

    def _message(self, row: RolloutRow) -> None:
        role = text(row.payload, "role")
        content = value(row.payload, "content")
        if role == "assistant":
            self._model(row)
            self.keep(self._agent(row.thread), assistant=content)
            self.threads[row.thread].last_words = content
        elif role == "user" and not self.threads[row.thread].is_prompted:
            if not text(content, 0, "text").startswith(_CONTEXT):
                self._prompt(row, content)
        else:
            self.keep(self._agent(row.thread), system=words_of(content)[0])
            self.unknown("rows", "rows of type", "messages of the harness")

    def _reasoning(self, row: RolloutRow) -> None:
        self._model(row)
        thoughts = []
        for key in ("content", "summary"):
            thoughts.append(str(words_of(value(row.payload, key) or [])[0] or ""))
        self.keep(self._agent(row.thread), reasoning="\n".join(filter(None, thoughts)))

    def _prompt(self, row: RolloutRow, content: object) -> None:
        # In a thread that another one started, the harness writes as the user what that one asked.
        if row.thread != self.top.id:
            return
        self.threads[row.thread].in_step = False
        if self.top.parent or self.top.is_sub_agent:
            self.ambiguous(row.place, "what a thread that is missing asked of the one at the top")
        else:
            self.prompt("main", row.time, content)

    def _call(self, row: RolloutRow) -> None:
        self._model(row)
        tool = text(row.payload, "name") or row.name
        if row.call in self.collaboration_calls:
            self.merged[TOOL_CALLS] += 1
            # The call has an event of its own; the step before a spawn is a decision.
            if "spawn" in tool:
                self.settle(self._agent(row.thread), ())
            return
        asked = None
        for field in ("arguments", "input", "action"):
            asked = asked or value(row.payload, field)
        self._tool_call(row, tool, asked, row.time)

    def _tool_call(self, row: RolloutRow, tool: str, asked: object, time: float | None) -> int:
        call = self.tool_call(self._agent(row.thread), time, tool, row.call, asked)
        if row.call:
            self.calls[row.thread, row.call] = call
        return call

    def _whole_call(self, row: RolloutRow) -> None:
        """A call that the server answered: one row holds both."""
        self._model(row)
        tool = row.name.removesuffix("_call")
        if not self._is_told(row.thread, tool, "model", "harness"):
            call = self._tool_call(row, tool, value(row.payload, "action"), row.time)
            self.tool_result(call, row.time, None)

    def _is_told(self, one: str, other: str, side: str, other_side: str) -> bool:
        """Count what one side records; whether the other side has recorded it before."""
        self.told[side, one, other] += 1
        return self.told[side, one, other] <= self.told[other_side, one, other]

    def _answer_of_tool(self, row: RolloutRow) -> None:
        # Items of one model call have no common id: a result is what ends the step.
        self.threads[row.thread].in_step = False
        call = self.calls.get((row.thread, row.call))
        if call is None:
            if row.call not in self.collaboration_calls:
                self.dropped(row.place, "a tool result whose call is not in the files")
        elif self.answered(call):
            self.dropped(row.place, "a second result of one tool call")
        else:
            output = value(row.payload, "output") or value(row.payload, "tools")
            failed = value(row.payload, "success") is False
            self.tool_result(call, row.time, output, failed=failed)
            if self.entry(call).keys["tool"] == WAIT_TOOL and not timed_out(output):
                self.threads[row.thread].has_waited = True

    def _end_of_call(self, row: RolloutRow) -> None:
        """The harness' own record of a call.

        It counts only where the model's record of the call is missing.
        """
        if (row.thread, row.call) in self.calls:
            return
        tool = _TOOL_BY_END[row.name]
        is_whole = f"{tool}_call" in _WHOLE_CALLS
        if is_whole and self._is_told(row.thread, tool, "harness", "model"):
            return
        payload = row.payload
        tool = text(payload, "invocation", "tool") or text(payload, "tool") or tool
        seconds = number(payload, "duration", "secs") or 0.0
        seconds += (number(payload, "duration", "nanos") or 0.0) / 1e9
        # The row is written when the call has ended; only its duration tells when it began.
        began = row.time
        if row.time is not None and 0 < seconds <= row.time:
            began = row.time - seconds
        self.inferred(row.place, "the start of a tool call of which only the end is recorded")
        call = self._tool_call(row, tool, value(payload, "invocation"), began)
        self.entry(call).marks.add("t")
        # A result of the protocol for tools is an object with the key Ok or Err.
        failed = value(payload, "success") is False or "Err" in record(payload, "result")
        self.tool_result(call, row.time, value(payload, "result"), failed=failed)

    def _start(self, row: RolloutRow, child: str) -> None:
        """Start a sub-agent at a row of its parent that records it."""
        state = self.threads[child]
        if state.is_early:
            # It has begun by its own file already; this is the parent's record of it.
            state.is_early = False
        elif state.spawn is not None or child not in self.records or child == self.top.id:
            self.dropped(row.place, "a spawn that made no thread")
        else:
            self._begin_agent(row, child)

    def _begin_agent(self, row: RolloutRow, child: str, marks: tuple[str, ...] = ()) -> None:
        started = self.records[child]
        parent, name = self._agent(started.parent), self._agent(child)
        state = self.threads[child]
        state.spawn = self.spawn(parent, name, row.time, child, started.asked, started.role, marks)
        state.pending = state.spawn

    def _ensure_started(self, row: RolloutRow) -> None:
        """Start the sub-agent whose row this is, where no row of its parent did so before.

        Its own first row names its parent; and the parent's record may be written a moment later.
        """
        started = self.records.get(row.thread)
        state = self.threads[row.thread]
        if started is None or state.spawn is not None or row.thread == self.top.id:
            return
        state.is_early = started.stated
        self.inferred(row.place, "a spawn is placed at the first row of the sub-agent")
        self._begin_agent(row, row.thread, ("t",))

    def _activity(self, row: RolloutRow) -> None:
        activity = activity_of(row)
        if activity is None:
            self._skip(row, text(row.payload, "item", "type"))
        elif activity.kind == "started":
            self._start(row, activity.child)
        elif activity.kind == "completed":
            self._complete(row, activity.child, None)
        elif self.threads[activity.child].stopped_at == row.place:
            self._stop(row, row.thread, activity.child)
        elif activity.kind in ("interacted", "interrupted"):
            role = "interrupt" if activity.kind == "interrupted" else ""
            asked = value(self.arguments.get(activity.call), "message")
            self._send(row, row.thread, activity.child, asked, "sent", role)
        else:
            self._skip(row, self.redaction.name(activity.kind, "kind"))

    def _interaction(self, row: RolloutRow) -> None:
        receiver = text(row.payload, "receiver_thread_id")
        self._send(row, _sender(row), receiver, value(row.payload, "prompt"), "sent")

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
        state = self.threads[receiver]
        if kind == FINAL_ANSWER and self.threads[sender].spawn is not None:
            self._complete(row, sender, content)
        elif kind == NEW_TASK and state.spawn is not None and not state.is_tasked:
            # The first task of a sub-agent is what its spawn asks.
            state.is_tasked = True
        elif recipient:
            self._send(row, sender, receiver, content, "delivered")

    def _thread_at(self, address: str) -> str:
        """Return the thread of an agent by its path or name; for an unknown one its name."""
        if address == ROOT_PATH:
            return self.top.id
        if address in self.addresses:
            return self.addresses[address]
        below_root = address.removeprefix(f"{ROOT_PATH}/")
        state = self.threads[below_root]
        # A name of its own: that of a known agent would make the two one.
        state.name = state.name or self.new_agent(below_root)
        return below_root

    def _send(
        self,
        row: RolloutRow,
        sender: str,
        receiver: str,
        content: object,
        side: str,
        role: str = "",
    ) -> None:
        """Add a message, unless the file of the other side has told of it."""
        if not receiver:
            self.dropped(row.place, "a message without a receiver")
            return
        sending_agent = self._agent(sender)
        receiving_agent = self._agent(receiver)
        if sending_agent == receiving_agent:
            self.dropped(row.place, "a message of an agent to itself")
            return
        other_side = "delivered" if side == "sent" else "sent"
        if not self._is_told(sender, receiver, side, other_side):
            message = self.message(sending_agent, receiving_agent, row.time, content, role=role)
            if self.threads[receiver].back is not None:
                # If it goes on, it returns once more, and that answers the message.
                self.threads[receiver].asked_again = message

    def _waiting(self, row: RolloutRow) -> None:
        """Let whoever completed return, at the time its own thread tells, else now."""
        for ended in ended_agents(row):
            self._complete(row, ended.thread, ended.answer, _sender(row), failed=ended.failed)
        self.threads[row.thread].in_step = False

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
        state = self.threads[child]
        if state.spawn is None:
            self.dropped(row.place, "the end of a sub-agent whose start is not in the files")
            return
        # If it was sent a message after its last return, this is the answer to that.
        if state.back is None or (state.asked_again is not None and state.is_read):
            self.inferred(row.place, "a sub-agent ends when its parent reads the result")
            self._return(row, child, content, ("t",), failed=failed)
        self._give_to_parent(child, parent or row.thread)
        self.threads[row.thread].in_step = False

    def _give_to_parent(self, child: str, parent: str, *, inferred: bool = False) -> None:
        state = self.threads[child]
        # A return is reported in several ways; the parent reads it once.
        if not state.is_read and state.back is not None and state.pending is not None:
            state.is_read = True
            self.replace(self._agent(parent), state.pending, state.back, inferred=inferred)
            self.threads[parent].got_return = True

    def _read_after_wait(self, parent: str) -> None:
        """Let a step after a wait depend on all sub-agents that have ended.

        Though no row names them.
        """
        for child in self.returned:
            if self.records[child].parent == parent and not self.threads[child].is_read:
                what = "a sub-agent that ended before its parent had waited counts as read"
                self.inferred(self._agent(child), what)
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
        state = self.threads[child]
        if state.spawn is None:
            return
        if state.back is None:
            self.returned.append(child)
        if state.asked_again is not None:
            state.pending, state.asked_again = state.asked_again, None
        state.back = self.return_of(state.spawn, row.time, content, marks, failed=failed)
        state.is_read = False

    def _close(self, row: RolloutRow) -> None:
        child = text(row.payload, "receiver_thread_id")
        self._stop(row, _sender(row), child)

    def _stop(self, row: RolloutRow, parent: str, child: str) -> None:
        if self.threads[child].spawn is not None:
            self.add("despawn", self._agent(parent), row.time, to=self._agent(child))

    def _task_complete(self, row: RolloutRow) -> None:
        state = self.threads[row.thread]
        state.in_step = False
        content = value(row.payload, "last_agent_message") or state.last_words
        owes_answer = state.back is None or state.asked_again is not None
        if state.spawn is not None and owes_answer:
            self._return(row, row.thread, content)
        elif row.thread == self.top.id:
            self.hand_back("main", USER, row.time, content)
            self.stop_reason = "implicit"

    def _turn_aborted(self, row: RolloutRow) -> None:
        state = self.threads[row.thread]
        state.in_step = False
        by_person = text(row.payload, "reason") == "interrupted"
        if by_person and not state.stopped_at:
            self.interrupt(self._agent(row.thread), row.time)
        # A later task_complete of the same thread overrides this: the person went on.
        if row.thread == self.top.id:
            self.stop_reason = "external"

    def _guardian(self, row: RolloutRow) -> None:
        status = text(row.payload, "status").lower()
        if status != "in_progress":
            denied = status in ("denied", "rejected", "aborted", "timed_out")
            agent = self._agent(row.thread)
            self.add("safety_event", agent, row.time, role="guardian", x_error=denied or None)

    def _token_count(self, row: RolloutRow) -> None:
        """Put the usage of the last model call on its step.

        The harness repeats it when limits change.
        """
        total = count(row.payload, "info", "total_token_usage", "total_tokens")
        state = self.threads[row.thread]
        usage = _usage_of(row, state.model)
        before = state.total
        if not usage.total:
            if total > before:
                what = "tokens of which only the sum is reported"
                self.dropped(row.place, what, total - before)
                self._report(total - before)
                state.total = total
            return
        if total > 0 and total == before:
            return
        state.total = total
        if not self.spend(self._agent(row.thread), usage):
            self.dropped(row.place, "tokens before the first model step", usage.total)
            self._report(usage.total, usage.output)
        state.in_step = False


def _usage_of(row: RolloutRow, model: str = "") -> Usage:
    """Return the tokens of the last model call; what was cached is part of the input here."""
    names = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens")
    return stated_usage(
        value(row.payload, "info", "last_token_usage"),
        *names,
        "output_tokens",
        "reasoning_output_tokens",
        model=model,
    )


def _sender(row: RolloutRow) -> str:
    return text(row.payload, "sender_thread_id") or row.thread


FORMAT = RecordedFormat(
    "codex",
    "Codex rollouts, one file per thread; name all files of a run together",
    recognise,
    convert,
    companions,
)
