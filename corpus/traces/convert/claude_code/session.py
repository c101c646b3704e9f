"""Claude Code session files (JSON lines), with sub-agents inline, in files beside them, or in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus.traces.convert.claude_code.files import MAIN, Session, row_kinds, sessions_of
from corpus.traces.convert.claude_code.rows import (
    SPAWN_TOOLS,
    Result,
    Turn,
    agent_of_file,
    hook_event,
    refused,
    results_of,
)
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import count, text, value
from corpus.traces.convert.redaction import Redaction

_INTERRUPTED = "[Request interrupted by user"


def recognise(document: RecordedFile) -> bool:
    """Look for rows with a session id and a sidechain flag, or the notes of a sub-agent."""
    first = next((row.value for row in document.rows if isinstance(row.value, dict)), {})
    if document.path.name.endswith(".meta.json"):
        return bool(agent_of_file(document)) and ("agentType" in first or "toolUseId" in first)
    return any(
        isinstance(row.value, dict) and "sessionId" in row.value and ("isSidechain" in row.value or "uuid" in row.value)
        for row in document.rows[:50]
    )


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the sub-agents' files of a session: its ``subagents`` folder, and files of agents that it mentions."""
    stem = document.path.name.removesuffix(".gz").removesuffix(".jsonl")
    yield from sorted((document.path.parent / stem / "subagents").glob("agent-*.json*"))
    for row in document.rows:
        agent = text(row.value, "toolUseResult", "agentId")
        if agent and agent.replace("-", "").replace("_", "").isalnum():
            yield document.path.parent / f"agent-{agent}.jsonl"


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace a session."""
    for session in sessions_of(documents):
        yield _Weaver(session, redaction).weave()


class _Weaver:
    """One walk through the turns of a session."""

    def __init__(self, session: Session, redaction: Redaction) -> None:
        self.session = session
        self.redaction = redaction
        self.draft = Draft(session.name, "claude-code", redaction)
        self.names = self._name_agents()
        self.starters = {thread: call for call, thread in session.children.items()}
        self.steps = self._tokens_by_step()
        self.begun: set[tuple[str, str]] = set()
        self.calls: dict[str, int] = {}
        self.returns: dict[str, int] = {}
        self.away: dict[str, set[str]] = {}
        self.back: set[str] = set()
        self.background: set[str] = set()
        self.resting = Counter(session.children.get(first, "") for first in session.resumed.values())

    def weave(self) -> Conversion:
        draft = self.draft
        for turn in self.session.turns:
            if turn.kind == "assistant":
                self._assistant(turn)
            elif turn.kind == "user":
                self._user(turn)
            elif hook_event(turn) == "SubagentStop" and turn.thread != MAIN:
                agent = self.names[turn.thread]
                draft.close(agent)
                if not self.resting[turn.thread]:
                    draft.add("despawn", agent, turn.time, to=agent)
        self._notes()
        return draft.finish()

    def _assistant(self, turn: Turn) -> None:
        agent, key = self.names[turn.thread], (turn.thread, turn.step)
        if turn.synthetic:
            self.draft.lose(DROPPED, turn.place, "an answer written by the recorder, not by a model")
            return
        uses, last = self.steps[key][1:]
        if key not in self.begun:
            self.begun.add(key)
            self._begin(turn, agent, uses)
        for block in turn.blocks("tool_use"):
            self._use(turn, agent, block)
        if not uses and turn is last:
            self._answer(turn, agent)

    def _begin(self, turn: Turn, agent: str, uses: set[str]) -> None:
        self.draft.step(agent, turn.time, self.steps[turn.thread, turn.step][0])
        if turn.thread in self.back and not self.away.get(turn.thread):
            self.back.discard(turn.thread)
            self.draft.add("aggregate", agent, turn.time)
        if uses & SPAWN_TOOLS:
            self.draft.add("orchestrator_decision", agent, turn.time)

    def _use(self, turn: Turn, agent: str, block: dict[str, object]) -> None:
        name, call = text(block, "name"), text(block, "id")
        keys: dict[str, Any] = {
            "content_ref": self.redaction.content(value(block, "input")),
            "x_call_id": self.redaction.token(call),
        }
        if name in SPAWN_TOOLS and self._started(call):
            if call in self.session.resumed:
                self._resume(turn, agent, call)
            else:
                self._spawn(turn, agent, call)
            self.away.setdefault(turn.thread, set()).add(call)
        elif name == "SendMessage":
            target = text(block, "input", "recipient") or text(block, "input", "to")
            known = self.redaction.name(target, "agent")
            self.calls[call] = self.draft.add("message", agent, turn.time, **{"from": agent}, to=known, **keys)
        else:
            tool = self.redaction.name(name, "tool")
            self.calls[call] = self.draft.add("tool_call", agent, turn.time, tool=tool, **keys)

    def _started(self, call: str) -> bool:
        result = self.session.results.get(call)
        return call in self.session.children or result is None or not result.failed

    def _spawn(self, turn: Turn, agent: str, call: str) -> None:
        asked, thread = self.session.calls[call], self.session.children.get(call)
        child = self.names[thread] if thread is not None else self.names[f"call:{call}"]
        self.calls[call] = self.draft.add(
            "spawn",
            agent,
            turn.time,
            ("to",) if call in self.session.guessed else (),
            role=self.redaction.name(asked.role, "role") if asked.role else None,
            to=child,
            content_ref=self.redaction.content(asked.prompt),
            x_call_id=self.redaction.token(call),
        )
        self.draft.seed(child, self.calls[call], inferred=call in self.session.guessed)

    def _resume(self, turn: Turn, agent: str, call: str) -> None:
        """A call that lets a sub-agent go on is a message to it; it may return once more."""
        first = self.session.resumed[call]
        thread = self.session.children.get(first)
        child = self.names[f"call:{first}" if thread is None else thread]
        keys: dict[str, Any] = {
            "content_ref": self.redaction.content(self.session.calls[call].prompt),
            "x_call_id": self.redaction.token(call),
        }
        self.calls[call] = self.draft.add("message", agent, turn.time, **{"from": agent}, to=child, **keys)
        self.draft.seed(child, self.calls[call])
        if thread is not None:
            self.starters[thread] = call
            self.resting[thread] -= 1

    def _answer(self, turn: Turn, agent: str) -> None:
        """A step without a tool call ends a turn: a sub-agent returns, the main agent answers the user."""
        call = self.starters.get(turn.thread, "")
        parent = self.names[self.session.calls[call].turn.thread] if call else "user"
        keys: dict[str, Any] = {"content_ref": self.redaction.content(turn.words)}
        if call:
            keys["x_call_id"] = self.redaction.token(call)
        handle = self.draft.add("return", agent, turn.time, **{"from": agent}, to=parent, **keys)
        if call:
            self.returns[call] = handle
        else:
            self.draft.seed("user", handle)
        if call in self.background:
            self._hand_back(call, inferred=True)

    def _user(self, turn: Turn) -> None:
        results = results_of(turn)
        for result in results:
            self._result(turn, result)
        if results or turn.thread != MAIN or value(turn.row, "isMeta") is True or not turn.words:
            return
        if value(turn.row, "isCompactSummary") is True:
            self.draft.lose(DROPPED, turn.place, "the summary written when the context was compacted")
            return
        role = "user" if self.draft.task else "task"
        if turn.words.startswith(_INTERRUPTED):
            role = "interrupt"
        self.draft.task = self.draft.task or turn.words
        main = self.names[MAIN]
        keys: dict[str, Any] = {"content_ref": self.redaction.content(turn.words)}
        self.draft.seed(main, self.draft.add("human_intervention", "user", turn.time, role=role, to=main, **keys))

    def _result(self, turn: Turn, result: Result) -> None:
        call = text(result.block, "tool_use_id")
        handle = self.calls.get(call)
        if handle is None:
            self.draft.lose(DROPPED, turn.place, "a tool result whose call is not in the files")
        elif self.draft.answered(handle):
            self.draft.lose(DROPPED, turn.place, "a second result of one tool call")
        elif self.draft.entry(handle).kind == "spawn" or call in self.session.resumed:
            self._return(turn, call, handle, result)
        else:
            self._tool_result(turn, handle, result)

    def _tool_result(self, turn: Turn, handle: int, result: Result) -> None:
        call = self.draft.entry(handle)
        if call.kind == "message":
            return
        agent, tool = call.agent, call.keys.get("tool", "tool")
        if refused(result):
            handle = self.draft.answer(handle, "safety_event", agent, turn.time, tool=tool)
        keys: dict[str, Any] = {"content_ref": self.redaction.content(value(result.block, "content"))}
        self.draft.answer(
            handle,
            "tool_result",
            agent,
            turn.time,
            tool=tool,
            x_call_id=call.keys.get("x_call_id"),
            x_error=True if result.failed else None,
            **keys,
        )

    def _return(self, turn: Turn, call: str, handle: int, result: Result) -> None:
        """Hand a sub-agent's result to its parent; what the files do not hold of the sub-agent is filled in."""
        if text(result.report, "status") == "async_launched":
            self.draft.lose(AMBIGUOUS, turn.place, "when the parent reads a background sub-agent is not written down")
            self.background.add(call)
            return
        parent, child = self.draft.entry(handle).agent, str(self.draft.entry(handle).keys["to"])
        if call not in self.returns:
            self.draft.close(child)
            keys: dict[str, Any] = {"content_ref": self.redaction.content(value(result.block, "content"))}
            if self.session.resumed.get(call, call) not in self.session.children:
                keys["x_tokens"] = count(result.report, "totalTokens") or None
                self.draft.lose(DROPPED, turn.place, "the steps of a sub-agent whose file is missing")
            link = {"from": child, "to": parent, "x_call_id": self.redaction.token(call)}
            failed = True if result.failed else None
            self.draft.lose(INFERRED, turn.place, "a sub-agent ends when its parent reads the result")
            self.returns[call] = self.draft.add("return", child, turn.time, ("t",), **link, x_error=failed, **keys)
        self._hand_back(call)

    def _hand_back(self, call: str, *, inferred: bool = False) -> None:
        """Let the next step of the parent depend on the return of a sub-agent."""
        handle, owner = self.calls[call], self.session.calls[call].turn.thread
        self.draft.replace(self.names[owner], handle, self.returns[call], inferred=inferred)
        self.away.get(owner, set()).discard(call)
        self.back.add(owner)

    def _notes(self) -> None:
        draft, session = self.draft, self.session
        files = {turn.place.rpartition(":")[0] for turn in session.turns}
        draft.run.update({"layout": session.layout, "files": len(files)})
        version = next((text(turn.row, "version") for turn in session.turns if text(turn.row, "version")), "")
        draft.run["version"] = self.redaction.token(version)
        failed = sum(not self._started(call) for call in session.calls if call not in session.resumed)
        main = len({key for key in self.begun if key[0] == MAIN})
        draft.metrics = {
            "corpus.main_steps": main,
            "corpus.spawn_calls": len(session.calls) - len(session.resumed),
            "corpus.spawn_calls_failed": failed,
        }
        for loss in session.losses:
            draft.lose(loss.kind, loss.place, loss.what)
        for kind, times in sorted(row_kinds(session.turns).items()):
            draft.lose(DROPPED, "rows", f"rows of type {self.redaction.name(kind, 'type')}", times)
        draft.stop_reason = self._stop_reason()

    def _stop_reason(self) -> str:
        threads = self.session.threads
        top = self.names[MAIN if MAIN in threads else next(iter(threads))]
        mine = {name for name, handle in self.calls.items() if self.draft.entry(handle).agent == top}
        if mine - self.session.results.keys() - self.returns.keys():
            return "truncated"
        last = next((turn for turn in reversed(self.session.turns) if turn.kind in ("assistant", "user")), None)
        if last is None or (last.kind == "user" and not last.words.startswith(_INTERRUPTED)):
            return "truncated"
        if last.kind == "user" or text(last.row, "message", "stop_reason") in ("max_tokens", "refusal"):
            return "external"
        return "implicit"

    def _name_agents(self) -> dict[str, str]:
        """Name threads by the kind of agent and its rank among them, in the order of their calls."""
        names = {MAIN: "main"}
        ranks: dict[str, int] = {}
        threads = list(self.session.threads)
        for call in self.session.calls:
            if call in self.session.resumed or not self._started(call):
                continue
            thread = self.session.children.get(call, f"call:{call}")
            names[thread] = self._numbered(self.session.calls[call].role or self.session.kinds.get(thread, ""), ranks)
        for thread in threads:
            if thread not in names:
                names[thread] = self._numbered(self.session.kinds.get(thread, ""), ranks)
        return names

    def _numbered(self, role: str, ranks: dict[str, int]) -> str:
        kind = self.redaction.name(role, "agent")
        ranks[kind] = ranks.get(kind, 0) + 1
        return f"{kind}-{ranks[kind]}"

    def _tokens_by_step(self) -> dict[tuple[str, str], tuple[int, set[str], Turn]]:
        """Map each step to its tokens (usage is repeated on its rows), its tools and its last row."""
        steps: dict[tuple[str, str], tuple[tuple[int, ...], set[str], Turn]] = {}
        for turn in self.session.turns:
            if turn.kind != "assistant":
                continue
            key = (turn.thread, turn.step)
            usage, uses, _ = steps.get(key, ((0, 0, 0, 0), set(), turn))
            most = tuple(max(pair) for pair in zip(usage, turn.usage, strict=True))
            steps[key] = (most, uses | {text(block, "name") for block in turn.blocks("tool_use")}, turn)
        return {key: (sum(usage), uses, last) for key, (usage, uses, last) in steps.items()}


FORMAT = RecordedFormat(
    name="claude-code",
    title="Claude Code session files, with sub-agents inline, in agent-*.jsonl files, or in a subagents folder",
    maps=(
        ("orchestrator_decision", "a model step (rows of one message id) that calls Task or Agent"),
        ("spawn", "a Task or Agent call that started; one that failed before is a failed tool_call"),
        (
            "return",
            "a step without a tool call ends a turn: of a sub-agent to its parent, of the main agent to the user",
        ),
        ("aggregate", "the first step after all open sub-agents have returned"),
        ("tool_call, tool_result", "tool_use and tool_result blocks, joined by their id"),
        ("message", "a SendMessage call; a Task or Agent call that resumes a sub-agent, which may then return again"),
        ("despawn", "the report of a SubagentStop hook"),
        ("human_intervention", "user rows that are neither tool results nor written by the recorder; interruptions"),
        ("safety_event", "a tool call that a person or a permission rule refused"),
    ),
    loses=(
        "rewards and task success",
        "whether a tool result can be trusted",
        "the call behind a sub-agent before 2.1 (found by agent id, prompt or time)",
        "the end of a sub-agent other than by its return",
        "when a parent reads the result of a background sub-agent",
    ),
    recognise=recognise,
    convert=convert,
    companions=companions,
)
