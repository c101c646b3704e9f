"""Sessions of the Gemini CLI: one file per conversation, of sub-agents in a folder beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from corpus.traces.convert.format import (
    TOOL_CALLS,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
    unnamed,
)
from corpus.traces.convert.recorder import USER, Recorder
from corpus.traces.convert.usage import stated_usage
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import (
    JsonObject,
    has_time,
    is_plain_name,
    plain_text,
    record,
    records,
    text,
    value,
)

DEPTH_LIMIT = 50
"""Sub-agents below sub-agents that are followed; the steps of deeper ones are a loss."""


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files of sub-agents: in a folder called like the session."""
    session = _Session.of(document)
    for agent in session.called:
        if is_plain_name(session.name) and is_plain_name(agent):
            yield document.path.parent / session.name / f"{agent}.jsonl"


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each session; those of sub-agents are part of it."""
    sessions = list(map(_Session.of, documents))
    children = {session.name: session for session in sessions if session.kind == "subagent"}
    called = set(chain.from_iterable(session.called for session in sessions))
    for session in sessions:
        # A sub-agent whose caller is not in the input is a trace of its own.
        if session.kind != "subagent" or session.name not in called:
            yield _SessionRecorder(session, children, redaction).finish()


@dataclass(slots=True)
class _Session:
    """One file: its messages, each once and in order, without what was taken back."""

    name: str
    kind: str
    place: str
    messages: list[JsonObject]
    taken_back: int = 0
    unread: int = 0

    @classmethod
    def of(cls, document: RecordedFile) -> _Session:
        """Read a file: one object until 2025, one row for each message since 2026."""
        told = {}
        messages: dict[str, JsonObject] = {}
        taken_back = 0
        unread = 0
        for row in document.objects:
            if isinstance(value(row.value, "$set"), dict):
                told.update(record(row.value, "$set"))
            elif rewind := text(row.value, "$rewindTo"):
                # From the end on: a file may be rewound as often as it has messages. An id that is
                # unknown takes all of them back, as it does in the program itself.
                name = ""
                while messages and name != rewind:
                    name, _ = messages.popitem()
                    taken_back += 1
            elif text(row.value, "projectHash"):
                told.update(row.value)
            elif name := text(row.value, "id"):
                # A message is written again once its tool calls are done: the last one counts.
                messages[name] = row.value
            else:
                unread += 1
        listed = records(told, "messages") or list(messages.values())
        name = text(told, "sessionId") or unnamed("session", document.path.name)
        return cls(name, text(told, "kind"), document.path.name, listed, taken_back, unread)

    @property
    def called(self) -> Iterator[str]:
        """Names of the sub-agents of its calls."""
        for message in self.messages:
            for call in records(message, "toolCalls"):
                yield text(call, "agentId")


class _SessionRecorder(Recorder):
    """One session, and inside its turns those of its sub-agents."""

    def __init__(
        self, session: _Session, children: dict[str, _Session], redaction: Redaction
    ) -> None:
        has_clock = has_time(session.messages, "timestamp")
        super().__init__(session.name, "gemini-cli", redaction, session.place, has_clock=has_clock)
        self.stop_reason = "implicit"
        self.children = children
        self.turns = 0
        self.depth = 0
        self.read = {session.name}
        self._session(session, self.new_agent("main"), USER)
        self.end_of_talk()

    def _at(self, node: object) -> None:
        self.at(self.clock(value(node, "timestamp"), self.turns))

    def _session(self, session: _Session, agent: str, caller: str) -> None:
        if session.taken_back:
            self.dropped("messages that a person took back", session.place, session.taken_back)
        if session.unread:
            self.dropped("rows of an unknown kind", session.place, session.unread)
        messages = []
        for one in session.messages:
            kind = text(one, "type")
            if kind in ("user", "gemini"):
                messages.append(one)
            else:
                self.unknown("messages of the type", kind or "none")
        for message, following in zip_longest(messages, messages[1:]):
            self.turns += 1
            self._at(message)
            if text(message, "type") == "gemini":
                # An answer to the person is the last message before the next prompt.
                self._model_turn(
                    message, agent, caller, ends=following is None or _is_prompt(following)
                )
            elif caller == USER and _is_prompt(message):
                self.prompt(agent, plain_text(value(message, "content")))
        # Asked, and not answered any more.
        if caller == USER and messages and _is_prompt(messages[-1]):
            self.stop_reason = "truncated"

    def _model_turn(self, message: JsonObject, agent: str, caller: str, *, ends: bool) -> None:
        # Thoughts and results of built-in tools are apart from the rest here.
        paths = ("input+tool", "cached", "", "output+thoughts", "thoughts")
        usage = stated_usage(value(message, "tokens"), *paths, model=text(message, "model"))
        self.next_step(agent, usage)
        thoughts = []
        for one in records(message, "thoughts"):
            thoughts.append(f"{text(one, 'subject')}: {text(one, 'description')}")
        self.keep(agent, reasoning="\n".join(thoughts), assistant=value(message, "content"))
        calls = records(message, "toolCalls")
        if any(text(call, "agentId") for call in calls):
            # The step that spawns is the decision to, even if it calls tools as well.
            self.settle(agent, ())
        for call in calls:
            self._at(message)
            name, status = text(call, "id"), text(call, "status")
            if inner_name := text(call, "agentId"):
                child = self.new_agent(text(call, "name"))
                self.merged[TOOL_CALLS] += 1
                spawn = self.spawn(agent, child, name or inner_name, value(call, "args"))
                inner = self._unread_session(inner_name)
                if inner is not None:
                    self.depth += 1
                    self._session(inner, child, agent)
                    self.depth -= 1
                self._at(call)
                failed = status in ("error", "cancelled")
                back = self.return_of(spawn, value(call, "result"), failed=failed)
                self.replace(agent, spawn, back)
                continue
            self.tool_call(agent, text(call, "name"), name, value(call, "args"))
            if status in ("success", "error", "cancelled"):
                self._at(call)
                failed, refused = status != "success", status == "cancelled"
                self.result(agent, name, value(call, "result"), failed=failed, refused=refused)
        # The answer of a sub-agent is the result of the call that started it.
        if not calls and ends and caller == USER:
            self.hand_back(agent, USER, value(message, "content"))

    def _unread_session(self, name: str) -> _Session | None:
        """Return the session of a sub-agent, or None with a loss.

        Each call starts a session of its own. In a hostile file two calls may name one session, or
        a session itself: read for each of them, it would double with every level.
        """
        if name not in self.children:
            self.dropped("the steps of a sub-agent whose file is missing")
        elif name in self.read:
            self.dropped("the steps of a sub-agent that another call has named before")
        elif self.depth >= DEPTH_LIMIT:
            self.dropped("the steps of a sub-agent that is nested too deeply")
        else:
            self.read.add(name)
            return self.children[name]
        return None


def _is_prompt(message: object) -> bool:
    """Whether a person wrote a message; results of tools are sent in the name of the user too."""
    if text(message, "type") != "user":
        return False
    parts = records(message, "content")
    return not parts or any("functionResponse" not in part for part in parts)


FORMAT = RecordedFormat("gemini-cli", convert, companions)
