"""The output of ``codex exec --json``: the items of a thread as they start and complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from corpus.traces.convert.actions import Actions
from corpus.traces.convert.agent_names import USER, AgentNames
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import (
    AMBIGUOUS,
    DROPPED,
    INFERRED,
    Conversion,
    RecordedFormat,
    RecorderVersion,
)
from corpus.traces.convert.lookup import JsonObject, items, record, stated_count, text, value
from corpus.traces.convert.redaction import Redaction, unnamed
from corpus.traces.convert.usage import NO_USAGE, Usage, usage_with_cache_in_input

_SYSTEM = "codex-exec"
_EVENTS = frozenset(
    {
        *("thread.started", "turn.started", "turn.completed", "turn.failed"),
        *("item.started", "item.updated", "item.completed", "error"),
    }
)
_SILENT_ITEMS = frozenset({"reasoning", "todo_list", "plan"})
_COLLABORATION = frozenset({"collab_tool_call", "collab_agent_tool_call"})
_TOOL_ITEMS = frozenset({"command_execution", "mcp_tool_call", "web_search", "file_change"})
_MAIN = "main"


def recognise(document: RecordedFile) -> bool:
    """Look for the start of a thread, or an item of one."""
    for row in document.objects[:50]:
        kind = text(row.value, "type")
        if kind == "thread.started" and text(row.value, "thread_id"):
            return True
        if kind in ("item.started", "item.completed"):
            item = record(row.value, "item")
            if _item_type(item):
                return True
    return False


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each thread of each file; a thread that goes on later is another run."""
    for document in documents:
        for rows in _threads(document):
            names = (text(row, "thread_id") for row in rows)
            name = next(filter(None, names), "")
            walk = _ThreadWalk(document, name, redaction)
            for row in rows:
                walk.take(row)
            yield walk.conversion()


def _threads(document: RecordedFile) -> Iterator[list[JsonObject]]:
    """Yield the rows of each thread; warnings may come before the row that starts it."""
    rows: list[JsonObject] = []
    has_begun = False
    for row in document.objects:
        starts = text(row.value, "type") == "thread.started"
        if starts and has_begun:
            yield rows
            rows = []
            has_begun = False
        rows.append(row.value)
        is_work = _item_type(record(row.value, "item")) not in ("", "error")
        has_begun = has_begun or starts or is_work
    if rows:
        yield rows


def _item_type(item: JsonObject) -> str:
    # Called so before 0.44.
    written = text(item, "type") or text(item, "item_type")
    return "agent_message" if written == "assistant_message" else written


def _growth(before: Usage, now: Usage) -> Usage:
    """Return what came to a sum, or the sum where it is none of what was before."""
    if now.total < before.total:
        return now
    return Usage(
        input=_difference(before.input, now.input),
        cached=_difference(before.cached, now.cached),
        cache_write=_difference(before.cache_write, now.cache_write),
        output=_difference(before.output, now.output),
        reasoning=_difference(before.reasoning, now.reasoning),
    )


def _difference(before: int | None, now: int | None) -> int | None:
    if now is None:
        return None
    return max(0, now - (before or 0))


class _ThreadWalk:
    """One thread; row n happens at t = n."""

    def __init__(self, document: RecordedFile, thread: str, redaction: Redaction) -> None:
        self.redaction = redaction
        name = thread or unnamed("thread", document.path.name)
        self.draft = Draft(name, _SYSTEM, redaction)
        self.draft.has_clock = False
        self.draft.lose(INFERRED, document.path.name, "there is no clock; t counts the rows")
        self.actions = Actions(self.draft)
        self.names = AgentNames(redaction)
        self.main = self.names.unique(_MAIN)
        self.agents: dict[str, str] = {}
        self.now = 0
        self.open: dict[str, int] = {}
        self.spawned: dict[str, int] = {}
        self.returned: set[str] = set()
        self.acting = False
        self.got_return = False
        self.answer: Any = None
        self.turns = 0
        self.spent = NO_USAGE
        self.unknown: Counter[str] = Counter()
        self.unknown_items: Counter[str] = Counter()
        self.stop = "truncated"
        self._takers: dict[str, Callable[[JsonObject], None]] = {
            "thread.started": self._thread_started,
            "turn.started": self._turn_started,
            "turn.completed": self._turn_completed,
            "turn.failed": self._failed,
            "error": self._failed,
            "item.started": self._item_started,
            "item.completed": self._item_completed,
        }

    def take(self, row: JsonObject) -> None:
        """Take one row."""
        self.now += 1
        kind = text(row, "type")
        taker = self._takers.get(kind)
        if taker is not None:
            taker(row)
        elif kind not in _EVENTS:
            self.unknown[kind] += 1

    def conversion(self) -> Conversion:
        """Return the trace."""
        for kind, times in sorted(self.unknown.items()):
            name = self.redaction.name(kind, "type")
            self.draft.lose(DROPPED, "rows", f"rows of the unknown type {name}", times)
        for kind, times in sorted(self.unknown_items.items()):
            name = self.redaction.name(kind, "type")
            self.draft.lose(DROPPED, "rows", f"items of the unknown type {name}", times)
        if self.turns > 1:
            what = "the usage of a turn counts as the sum since the thread began"
            self.draft.lose(AMBIGUOUS, "usage", what, self.turns - 1)
        self.draft.stop_reason = self.stop
        return self.draft.finish()

    @property
    def time(self) -> float:
        """The number of the row."""
        return float(self.now)

    def _thread_started(self, row: JsonObject) -> None:
        self.agents[text(row, "thread_id")] = self.main

    def _turn_started(self, _: JsonObject) -> None:
        self.acting = False
        self.answer = None
        self.stop = "truncated"

    def _turn_completed(self, row: JsonObject) -> None:
        self.turns += 1
        # A turn of which no item was written has asked the model all the same.
        if not self.acting:
            self._step()
        self.actions.hand_back(self.main, USER, self.time, self.answer)
        usage = self._usage(record(row, "usage"))
        self.draft.spend(self.main, usage)
        self.acting = False
        self.stop = "implicit"

    def _failed(self, row: JsonObject) -> None:
        # The next turn overrides it, if there is one.
        self.stop = "external"

    def _usage(self, usage: JsonObject) -> Usage:
        """Return what a turn used; the rows tell the sum since the thread began."""
        total = usage_with_cache_in_input(
            stated_count(usage, "input_tokens"),
            stated_count(usage, "cached_input_tokens"),
            stated_count(usage, "cache_write_input_tokens"),
            stated_count(usage, "output_tokens"),
            stated_count(usage, "reasoning_output_tokens"),
        )
        if not total.total:
            # The sum is that of the turn before; as 0 the next one would count all of it again.
            return NO_USAGE
        before = self.spent
        self.spent = total
        return _growth(before, total)

    def _step(self) -> None:
        """Begin a model step: the model acts again after all that it called for has ended."""
        self.acting = True
        self.draft.step(self.main, self.time)
        if self.got_return:
            self.got_return = False
            why = "the first step after a wait for a sub-agent counts as an aggregate"
            self.draft.settle(self.main, ("type",), "aggregate", why)

    def _act(self) -> None:
        if not self.acting:
            self._step()

    def _item_started(self, row: JsonObject) -> None:
        item = record(row, "item")
        kind = _item_type(item)
        name = text(item, "id")
        is_told_when_done = kind in ("agent_message", "error") or kind in _COLLABORATION
        if is_told_when_done or kind in _SILENT_ITEMS:
            self._begin_if_idle(kind)
        elif kind in _TOOL_ITEMS and name and name not in self.open:
            self._act()
            self.open[name] = self._call(item, kind)

    def _begin_if_idle(self, kind: str) -> None:
        if kind != "error":
            self._act()

    def _call(self, item: JsonObject, kind: str) -> int:
        name = text(item, "id") or f"call-{len(self.draft) + 1}"
        tool = text(item, "tool") or kind
        asked = None
        for field in ("command", "arguments", "query", "changes"):
            asked = asked or value(item, field)
        return self.actions.tool_call(self.main, self.time, tool, name, asked)

    def _item_completed(self, row: JsonObject) -> None:
        item = record(row, "item")
        kind = _item_type(item)
        if kind == "agent_message":
            self._act()
            self.answer = value(item, "text")
        elif kind in _COLLABORATION:
            self._act()
            self._collaboration(item)
        elif kind == "error" or kind in _SILENT_ITEMS:
            self._begin_if_idle(kind)
        elif kind in _TOOL_ITEMS:
            self._tool_completed(item, kind)
        else:
            # It may be the use of a tool, a message or a note: the trace leaves it out.
            self.unknown_items[kind] += 1

    def _tool_completed(self, item: JsonObject, kind: str) -> None:
        name = text(item, "id")
        handle = self.open.pop(name, None)
        if handle is None:
            # Changes of files are told when they are done.
            self._act()
            handle = self._call(item, kind)
        content = value(item, "aggregated_output") or value(item, "result")
        content = content or value(item, "error")
        status = text(item, "status")
        failed = status in ("failed", "declined") or bool(value(item, "error"))
        refused = status == "declined"
        self.actions.tool_result(handle, self.time, content, failed=failed, refused=refused)
        # All that the step called for has ended: whatever comes now is the next step.
        if not self.open:
            self.acting = False

    def _collaboration(self, item: JsonObject) -> None:
        """Take a call of the tools for sub-agents, when it is done."""
        tool = text(item, "tool")
        named = items(item, "receiver_thread_ids")
        receivers = [one for one in named if isinstance(one, str)]
        is_spawn_of_nobody = tool == "spawn_agent" and not receivers
        if is_spawn_of_nobody or text(item, "status") == "failed":
            # Nothing started: to the trace it is a tool call like others.
            self._tool_completed(item, tool or "collab")
            return
        call = text(item, "id")
        prompt = value(item, "prompt")
        for receiver in receivers:
            if tool == "spawn_agent":
                self._spawn(receiver, call, prompt)
            elif tool == "close_agent":
                ended = self._agent(receiver)
                self.draft.add("despawn", self.main, self.time, to=ended)
            elif tool == "send_input":
                asked = self._agent(receiver)
                self.actions.message(self.main, asked, self.time, prompt)
        if tool == "wait":
            self.draft.settle(self.main)
            self._wait(record(item, "agents_states"))
        if not self.open:
            self.acting = False

    def _agent(self, thread: str) -> str:
        if thread not in self.agents:
            self.agents[thread] = self.names.ranked("agent")
        return self.agents[thread]

    def _spawn(self, receiver: str, call: str, prompt: object) -> None:
        if receiver in self.agents:
            return
        self.draft.settle(self.main, ())
        child = self._agent(receiver)
        spawn = self.actions.spawn(self.main, child, self.time, call, prompt)
        self.spawned[receiver] = spawn
        what = "the steps of a sub-agent, whose items are not in the output"
        self.draft.lose(DROPPED, child, what)

    def _wait(self, states: JsonObject) -> None:
        for thread, state in states.items():
            status = text(state, "status")
            done = status in ("completed", "errored") and thread not in self.returned
            if not done or thread not in self.spawned:
                continue
            self.returned.add(thread)
            self.got_return = True
            spawn = self.spawned[thread]
            back = self.actions.hand_back(
                self._agent(thread),
                self.main,
                self.time,
                value(state, "message"),
                x_call_id=self.draft.entry(spawn).keys.get("x_call_id"),
                x_error=status == "errored" or None,
            )
            self.draft.replace(self.main, spawn, back)


FORMAT = RecordedFormat(
    name=_SYSTEM,
    title="Output of codex exec --json",
    versions=(
        RecorderVersion("Codex 0.42 (exec --experimental-json)", "codex exec 0.42"),
        RecorderVersion("Codex 0.98 (exec --json)", "codex exec 0.98"),
    ),
    tokens=("input", "cached", "cache_write", "output", "reasoning"),
    maps=(
        ("orchestrator_decision", "the step that calls spawn_agent"),
        ("spawn, message, despawn", "collab_tool_call spawn_agent, send_input and close_agent"),
        ("return", "a turn that completed; a sub-agent that a wait found completed or failed"),
        ("aggregate", "the first step after such a wait; inferred"),
        (
            "tool_call, tool_result",
            "the start and the end of command_execution, mcp_tool_call, web_search and file_change",
        ),
        ("safety_event", "a command that was declined"),
    ),
    loses=(
        "every time: t counts the rows, and wall_clock_s is 0 for unknown",
        "the task: the prompt is not in the output",
        "the model, and tokens of a step: usage is that of a turn",
        "the steps of sub-agents",
        "where one model call ends and the next begins: one begins after all calls have ended",
        "the output before 0.40, which had the rows of the protocol",
    ),
    recognise=recognise,
    convert=convert,
)
