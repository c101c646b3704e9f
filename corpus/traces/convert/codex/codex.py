"""Codex rollouts: the session files of the Codex command line, one file a thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from corpus.traces.convert.codex.thread import RolloutRow, Thread, in_time, runs_of, threads_of
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import count, items, number, record, text, value
from corpus.traces.convert.redaction import Redaction

_ROWS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_WHOLE_CALLS = frozenset({"web_search_call", "image_generation_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_MODEL = _CALLS | _WHOLE_CALLS | {"reasoning"}
_ENDS = {
    "web_search_end": "web_search",
    "mcp_tool_call_end": "mcp",
    "exec_command_end": "shell",
    "patch_apply_end": "apply_patch",
    "image_generation_end": "image_generation",
    "view_image_tool_call": "view_image",
    "dynamic_tool_call_response": "dynamic_tool",
}
_CONTEXT = ("<environment_context>", "<user_instructions>", "# AGENTS.md", "<permissions")


def recognise(document: RecordedFile) -> bool:
    """Look for rows of a payload under one of the row types of a rollout."""
    rows = [row.value for row in document.rows[:50] if isinstance(row.value, dict)]
    return any(text(row, "type") in _ROWS and isinstance(value(row, "payload"), dict) for row in rows)


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each thread that no other one started, with all threads below it."""
    for top, members in runs_of(threads_of(documents)):
        walk = _RolloutWalk(top, members, redaction)
        walk.walk()
        if len(walk.draft):
            yield walk.conversion()


class _RolloutWalk:
    """One run in time order over all its threads."""

    def __init__(self, top: Thread, members: Sequence[Thread], redaction: Redaction) -> None:
        self.top = top
        self.members = members
        self.redaction = redaction
        self.draft = Draft(top.id, "codex", redaction)
        self.draft.run.update({"files": len(members), "version": redaction.token(top.version)})
        self.rows = in_time(members)
        self.names: dict[str, str] = {top.id: "main"}
        self.spawns: dict[str, int] = {}
        self.returns: dict[str, int] = {}
        self.calls: dict[str, int] = {}
        self.in_step: set[str] = set()
        self.back: set[str] = set()
        self.said: dict[str, Any] = {}
        self.total: dict[str, int] = {}
        self.left = Counter[str]()
        self.stop = "truncated"
        self.collab = {row.call for row in self.rows if row.name.startswith("collab_")}
        self.prompted = {row.thread for row in self.rows if row.name == "user_message"}
        self.handlers = self._handlers()

    def walk(self) -> None:
        for row in self.rows:
            handler = self.handlers.get(row.name)
            if handler is None:
                self.left[f"{row.kind} {row.name}".strip()] += 1
            else:
                handler(row)

    def conversion(self) -> Conversion:
        for kind, times in sorted(self.left.items()):
            self.draft.lose(DROPPED, "rows", f"rows of type {self.redaction.name(kind, 'type')}", times)
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
            "collab_agent_spawn_end": self._spawn,
            "collab_agent_interaction_end": self._interaction,
            "collab_waiting_end": self._waiting,
            "collab_close_end": self._close,
            "reasoning": self._model,
        }
        handlers |= dict.fromkeys(_CALLS, self._call)
        handlers |= dict.fromkeys(_WHOLE_CALLS, self._whole_call)
        handlers |= dict.fromkeys(_ANSWERS, self._answer)
        handlers |= dict.fromkeys(_ENDS, self._end_of_call)
        return handlers

    def _agent(self, thread: str) -> str:
        """Return the name of the agent of a thread; it is made up where no row names it."""
        if thread not in self.names:
            known = next((one for one in self.members if one.id == thread), None)
            wanted = (known.nickname or known.role) if known is not None else ""
            self.names[thread] = self._free_name(wanted)
        return self.names[thread]

    def _free_name(self, wanted: str) -> str:
        base = self.redaction.name(wanted, "agent")
        number_ = 1 + sum(name == base or name.startswith(f"{base}#") for name in self.names.values())
        return base if number_ == 1 else f"{base}#{number_}"

    def _model(self, row: RolloutRow) -> None:
        """Begin a model step, unless this row is one more item of the step that runs."""
        if row.thread in self.in_step:
            return
        self.in_step.add(row.thread)
        agent = self._agent(row.thread)
        self.draft.settle(agent)
        self.draft.step(agent, row.time)
        if row.thread in self.back:
            self.back.discard(row.thread)
            self.draft.settle(agent, (), "aggregate")

    def _message(self, row: RolloutRow) -> None:
        role = text(row.payload, "role")
        said = value(row.payload, "content")
        if role == "assistant":
            self._model(row)
            self.said[row.thread] = said
        elif role == "user" and row.thread not in self.prompted:
            first = text(said, 0, "text")
            if not first.startswith(_CONTEXT):
                self._human(row, said)
        else:
            self.left["messages of the harness"] += 1

    def _user_message(self, row: RolloutRow) -> None:
        self._human(row, value(row.payload, "message"))

    def _human(self, row: RolloutRow, said: object) -> None:
        if row.thread != self.top.id:
            return
        self._turn_over(row)
        role = "user" if self.draft.task else "task"
        self.draft.task = self.draft.task or (said if isinstance(said, str) else repr(said)) or "empty"
        keys = {"role": role, "to": "main", "content_ref": self.redaction.content(said)}
        self.draft.seed("main", self.draft.add("human_intervention", "user", row.time, **keys))

    def _turn_over(self, row: RolloutRow) -> None:
        self.in_step.discard(row.thread)

    def _call(self, row: RolloutRow) -> None:
        self._model(row)
        agent, tool = self._agent(row.thread), text(row.payload, "name") or row.name
        if row.call in self.collab:
            if "spawn" in tool:
                self.draft.settle(agent, ())
            return
        asked = value(row.payload, "arguments") or value(row.payload, "input") or value(row.payload, "action")
        self.calls[f"{row.thread} {row.call}"] = self._tool_call(row, agent, tool, asked)

    def _tool_call(self, row: RolloutRow, agent: str, tool: str, asked: object, time: float | None = None) -> int:
        keys = {"tool": self.redaction.name(tool, "tool"), "content_ref": self.redaction.content(asked)}
        keys["x_call_id"] = self.redaction.token(row.call or f"call-{len(self.draft) + 1}")
        return self.draft.add("tool_call", agent, row.time if time is None else time, **keys)

    def _whole_call(self, row: RolloutRow) -> None:
        """A call that the server answered: one row holds both."""
        self._model(row)
        agent = self._agent(row.thread)
        call = self._tool_call(row, agent, row.name.removesuffix("_call"), value(row.payload, "action"))
        self._tool_result(row, call, None, failed=False)

    def _answer(self, row: RolloutRow) -> None:
        self._turn_over(row)
        call = self.calls.get(f"{row.thread} {row.call}")
        if call is not None and self.draft.answered(call):
            self.draft.lose(DROPPED, row.place, "a second result of one tool call")
        elif call is not None:
            output = value(row.payload, "output") or value(row.payload, "tools")
            self._tool_result(row, call, output, failed=value(row.payload, "success") is False)
        elif row.call not in self.collab:
            self.draft.lose(DROPPED, row.place, "a tool result whose call is not in the files")

    def _tool_result(self, row: RolloutRow, call: int, content: object, *, failed: bool) -> None:
        entry = self.draft.entry(call)
        keys = {"tool": entry.keys["tool"], "x_call_id": entry.keys["x_call_id"], "x_error": failed or None}
        content_ref = self.redaction.content(content)
        self.draft.answer(call, "tool_result", entry.agent, row.time, content_ref=content_ref, **keys)

    def _end_of_call(self, row: RolloutRow) -> None:
        """The harness' own record of a call; it counts only where the model's record of the call is missing."""
        if f"{row.thread} {row.call}" in self.calls:
            return
        tool = text(row.payload, "invocation", "tool") or text(row.payload, "tool") or _ENDS[row.name]
        spent = number(row.payload, "duration", "secs") or 0.0
        spent += (number(row.payload, "duration", "nanos") or 0.0) / 1e9
        began = row.time - spent if row.time is not None and 0 < spent <= row.time else None
        self.draft.lose(INFERRED, row.place, "the start of a tool call of which only the end is recorded")
        agent = self._agent(row.thread)
        call = self._tool_call(row, agent, tool, value(row.payload, "invocation"), began)
        self.draft.entry(call).marks.add("t")
        self.calls[f"{row.thread} {row.call}"] = call
        failed = value(row.payload, "success") is False or "Err" in record(row.payload, "result")
        self._tool_result(row, call, value(row.payload, "result"), failed=failed)

    def _spawn(self, row: RolloutRow) -> None:
        sender, child = text(row.payload, "sender_thread_id") or row.thread, text(row.payload, "new_thread_id")
        if not child or child in self.spawns or child == sender:
            self.draft.lose(DROPPED, row.place, "a spawn that made no thread")
            return
        agent, role = self._agent(sender), text(row.payload, "new_agent_role")
        self.names.setdefault(child, self._free_name(text(row.payload, "new_agent_nickname") or role))
        keys = {"role": self.redaction.name(role, "role") if role else None, "to": self.names[child]}
        keys["content_ref"] = self.redaction.content(value(row.payload, "prompt"))
        keys["x_call_id"] = self.redaction.token(child)
        self.spawns[child] = self.draft.add("spawn", agent, row.time, **keys)
        self.draft.seed(self.names[child], self.spawns[child])

    def _interaction(self, row: RolloutRow) -> None:
        sender = text(row.payload, "sender_thread_id") or row.thread
        self._send(row, self._agent(sender), self._agent(text(row.payload, "receiver_thread_id")), "prompt")

    def _agent_message(self, row: RolloutRow) -> None:
        """A message between agents; the harness uses the same name for what the model says to the user."""
        author, recipient = text(row.payload, "author"), text(row.payload, "recipient")
        if author and recipient:
            self._send(row, self.redaction.name(author, "agent"), self.redaction.name(recipient, "agent"), "content")

    def _send(self, row: RolloutRow, sender: str, receiver: str, field: str) -> None:
        if sender == receiver:
            self.draft.lose(DROPPED, row.place, "a message of an agent to itself")
            return
        content = self.redaction.content(value(row.payload, field))
        keys = {"from": sender, "to": receiver, "content_ref": content}
        self.draft.seed(receiver, self.draft.add("message", sender, row.time, **keys))

    def _waiting(self, row: RolloutRow) -> None:
        """The parent has waited: whoever completed returns, at the time its own thread says, else now."""
        sender = text(row.payload, "sender_thread_id") or row.thread
        states = items(row.payload, "agent_statuses")
        for one in states:
            child, done = text(one, "thread_id"), value(one, "status", "completed")
            if child not in self.spawns or done is None:
                continue
            if child not in self.returns:
                self.draft.lose(INFERRED, row.place, "a sub-agent ends when its parent reads the result")
                self._return(row, child, done, ("t",))
            self.draft.replace(self._agent(sender), self.spawns[child], self.returns[child])
            self.back.add(sender)
        self._turn_over(row)

    def _return(self, row: RolloutRow, child: str, content: object, marks: tuple[str, ...] = ()) -> None:
        agent, spawn = self._agent(child), self.draft.entry(self.spawns[child])
        self.draft.close(agent)
        keys = {"from": agent, "to": spawn.agent, "content_ref": self.redaction.content(content)}
        self.returns[child] = self.draft.add(
            "return", agent, row.time, marks, x_call_id=spawn.keys.get("x_call_id"), **keys
        )

    def _close(self, row: RolloutRow) -> None:
        sender, child = text(row.payload, "sender_thread_id") or row.thread, text(row.payload, "receiver_thread_id")
        if child in self.spawns:
            self.draft.add("despawn", self._agent(sender), row.time, to=self._agent(child))

    def _task_complete(self, row: RolloutRow) -> None:
        self._turn_over(row)
        content = value(row.payload, "last_agent_message") or self.said.get(row.thread)
        if row.thread in self.spawns and row.thread not in self.returns:
            self._return(row, row.thread, content)
        elif row.thread == self.top.id:
            self.draft.close("main")
            keys = {"from": "main", "to": "user", "content_ref": self.redaction.content(content)}
            self.draft.seed("user", self.draft.add("return", "main", row.time, **keys))
            self.stop = "implicit"

    def _turn_aborted(self, row: RolloutRow) -> None:
        self._turn_over(row)
        if text(row.payload, "reason") == "interrupted":
            keys = {"role": "interrupt", "to": self._agent(row.thread)}
            self.draft.seed(keys["to"], self.draft.add("human_intervention", "user", row.time, **keys))
        if row.thread == self.top.id:
            self.stop = "external"

    def _guardian(self, row: RolloutRow) -> None:
        status = text(row.payload, "status").lower()
        if status == "in_progress":
            return
        denied = True if status in ("denied", "rejected", "aborted", "timed_out") else None
        self.draft.add("safety_event", self._agent(row.thread), row.time, role="guardian", x_error=denied)

    def _token_count(self, row: RolloutRow) -> None:
        """Put the usage of the last model call on its step; the harness repeats it when limits change."""
        total = count(row.payload, "info", "total_token_usage", "total_tokens")
        last = record(row.payload, "info", "last_token_usage")
        tokens = count(last, "input_tokens") + count(last, "output_tokens")
        if not tokens or (total and total == self.total.get(row.thread)):
            return
        self.total[row.thread] = total
        if not self.draft.spend(self._agent(row.thread), tokens):
            self.draft.lose(DROPPED, row.place, "tokens before the first model step", tokens)
        self._turn_over(row)


FORMAT = RecordedFormat(
    name="codex",
    title="Codex rollouts, one file a thread; name all files of a run together",
    maps=(
        ("orchestrator_decision", "the model step that calls spawn_agent"),
        ("spawn", "collab_agent_spawn_end"),
        (
            "return",
            "task_complete of a thread; collab_waiting_end where the file of a sub-agent is missing",
        ),
        ("aggregate", "the first step of the parent after collab_waiting_end"),
        ("message", "collab_agent_interaction_end; agent_message with author and recipient"),
        ("despawn", "collab_close_end"),
        (
            "tool_call, tool_result",
            "calls and their outputs by call_id; the record of its end where a call itself is missing",
        ),
        ("human_intervention", "user messages of the root thread; interrupted turns"),
        ("safety_event", "guardian_assessment"),
    ),
    loses=(
        "rewards and task success",
        "content of messages between agents, where it is encrypted",
        "where one model call ends and the next begins, unless usage or a tool result stands between them",
        "the threads of sub-agents whose files are not in the input",
        "when a sub-agent ended, where only its parent's wait is recorded",
    ),
    recognise=recognise,
    convert=convert,
)
