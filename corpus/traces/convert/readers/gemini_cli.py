"""Sessions of the Gemini CLI: one file per conversation, of sub-agents in a folder beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from corpus.traces.convert.events import USER
from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.messages import calls_in, words_of
from corpus.traces.convert.people import program_behind
from corpus.traces.convert.recorder import Recorder
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
    session = _Session(document)
    session.read(document)
    for agent in session.called:
        if is_plain_name(session.name) and is_plain_name(agent):
            yield document.path.parent / session.name / f"{agent}.jsonl"


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each session; those of sub-agents are part of it."""
    by_name: dict[tuple[str, str], _Session] = {}
    # A session of an old version that goes on is written once more into a file of rows.
    for document in sorted(documents, key=lambda one: one.path.name):
        session = _Session(document)
        session = by_name.setdefault((session.kind, session.name), session)
        session.read(document)
    sessions = list(by_name.values())
    children = {session.name: session for session in sessions if session.kind == "subagent"}
    called = set(chain.from_iterable(session.called for session in sessions))
    for session in sessions:
        # A sub-agent whose caller is not in the input is a trace of its own.
        if session.kind != "subagent" or session.name not in called:
            yield _SessionRecorder(session, children, redaction).finish()


class _Session:
    """One session: its messages, each once and in the order in which they were first written.

    Attributes
    ----------
    name, kind, place : str
        Its id; ``subagent`` or another kind; the file.
    messages : dict of str to dict
        By id, as they were written last.
    undone : set of str
        The ids of those that a person took back.
    made_up : set of str
        The ids of those that only a checkpoint has: the program wrote them.
    compacted : dict of str to str
        Of those before which a checkpoint shortened the history, what it has in its place, by id.
    unread : int
        Rows of an unknown kind.
    """

    def __init__(self, document: RecordedFile) -> None:
        self.messages: dict[str, JsonObject] = {}
        self.undone: set[str] = set()
        self.made_up: set[str] = set()
        self.compacted: dict[str, str] = {}
        self.unread = 0
        self.place = document.path.name
        told: JsonObject = {}
        for row in document.objects:
            if text(row.value, "projectHash"):
                told.update(row.value)
            told.update(record(row.value, "$set"))
        self.name = text(told, "sessionId") or unnamed("session", document.path.name)
        self.kind = text(told, "kind")
        self._summary: str | None = None

    def read(self, document: RecordedFile) -> None:
        """Add the messages of a file: one object until 2025, one row for each since 2026."""
        for row in document.objects:
            changed = value(row.value, "$set")
            if isinstance(changed, dict):
                # A checkpoint replaces the history, and the log goes on after it. What it leaves
                # out was spent all the same.
                if isinstance(changed.get("messages"), list):
                    self._checkpoint(records(changed, "messages"))
            elif rewind := text(row.value, "$rewindTo"):
                # From the end on: a file may be rewound as often as it has messages. An id that is
                # unknown takes all of them back, as it does in the program itself.
                for name in reversed(self.messages):
                    self.undone.add(name)
                    if name == rewind:
                        break
            elif text(row.value, "projectHash"):
                for place, one in enumerate(records(row.value, "messages")):
                    self._add(text(one, "id") or f"message {place}", one)
            elif name := text(row.value, "id"):
                # A message is written again once its tool calls are done: the last one counts.
                self._add(name, row.value)
            else:
                self.unread += 1

    def _add(self, name: str, message: JsonObject) -> None:
        if self._summary is not None and name not in self.messages:
            self.compacted[name] = self._summary
            self._summary = None
        self.messages[name] = message

    def _checkpoint(self, listed: Sequence[JsonObject]) -> None:
        known = {(text(one, "type"), str(_words(one))) for one in self.messages.values()}
        known_ids = set(self.messages)
        names = set()
        for one in listed:
            name = text(one, "id")
            names.add(name)
            if name in self.messages:
                # A session that goes on repeats what was said without what it took to say it.
                if "tokens" in one:
                    self.messages[name] = one
                continue
            if (text(one, "type"), str(_words(one))) in known:
                continue
            if "tokens" not in one:
                self.made_up.add(name)
            self.messages[name] = one
        left = self.messages.keys() - self.undone - self.made_up
        if left - names:
            new = [one for one in listed if text(one, "id") in self.made_up - known_ids]
            self._summary = "\n".join(str(_words(one)) for one in new)

    @property
    def called(self) -> Iterator[str]:
        """Names of the sub-agents of its calls."""
        for message in self.messages.values():
            for call in records(message, "toolCalls"):
                yield text(call, "agentId")


class _SessionRecorder(Recorder):
    """One session, and inside its turns those of its sub-agents."""

    def __init__(
        self, session: _Session, children: dict[str, _Session], redaction: Redaction
    ) -> None:
        has_clock = has_time(session.messages.values(), "timestamp")
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
        if session.unread:
            self.dropped("rows of an unknown kind", session.place, session.unread)
        if session.made_up:
            # The program wrote them in the place of what it left out; no model was called.
            self.dropped("messages that only a checkpoint has", session.place, len(session.made_up))
        messages = session.messages
        spoken = {name: messages[name] for name in messages if name not in session.made_up}
        # An answer to the person is the last message before the next prompt.
        answers = set()
        is_last = True
        for name, message in reversed(spoken.items()):
            if text(message, "type") == "gemini" and is_last:
                answers.add(name)
            is_last = _is_prompt(message) or (is_last and text(message, "type") != "gemini")
        for name, message in spoken.items():
            self.turns += 1
            self._at(message)
            self.undo(agent, name in session.undone)
            if name in session.compacted:
                self.compact(agent, session.compacted[name])
            kind = text(message, "type")
            if kind == "gemini":
                self._model_turn(message, agent, caller, ends=name in answers)
            elif kind != "user":
                self.unknown("messages of the type", kind or "none")
            elif caller == USER and _is_prompt(message):
                self.prompt(agent, words_of(value(message, "content"))[0])
            elif str(_words(message)).lstrip().startswith("<"):
                self.keep(agent, user=_words(message))
        # Asked, and not answered any more.
        if caller == USER and spoken and _is_prompt(message):
            self.stop_reason = "truncated"

    def _model_turn(self, message: JsonObject, agent: str, caller: str, *, ends: bool) -> None:
        # Thoughts and results of built-in tools are apart from the rest here.
        usage = stated_usage(
            value(message, "tokens"),
            text(message, "model"),
            input="input+tool",
            cached="cached",
            output="output+thoughts",
            reasoning="thoughts",
        )
        self.next_step(agent, usage)
        thoughts = records(message, "thoughts")
        words = [f"{text(one, 'subject')}: {text(one, 'description')}" for one in thoughts]
        self.keep(agent, reasoning="\n".join(words), assistant=value(message, "content"))
        calls = records(message, "toolCalls")
        if not calls:
            # Asked for, and the session ended before the program noted what became of it.
            calls = calls_in(value(message, "content"))
        if any(text(call, "agentId") for call in calls):
            # The step that spawns is the decision to, even if it calls tools as well.
            self.settle(agent, ())
        for call in calls:
            self._at(message)
            name, status = text(call, "id"), text(call, "status")
            if inner_name := text(call, "agentId"):
                child = self.new_agent(text(call, "args.agent_name") or text(call, "name"))
                call_id, tool = name or inner_name, text(call, "name")
                spawn = self.spawn(agent, child, call_id, value(call, "args"), tool=tool)
                inner = self._unread_session(inner_name)
                if inner is not None:
                    self.depth += 1
                    self._session(inner, child, agent)
                    self.depth -= 1
                self._at(call)
                failed = status in ("error", "cancelled")
                back = self.return_of(spawn, _answer(call), failed=failed)
                self.replace(agent, spawn, back)
                continue
            asked = value(call, "args") or value(call, "arguments")
            self.tool_call(agent, text(call, "name"), name, asked)
            if status in ("success", "error", "cancelled"):
                self._at(call)
                failed, refused = status != "success", status == "cancelled"
                self.result(agent, name, _answer(call), failed=failed, refused=refused)
        # The answer of a sub-agent is the result of the call that started it.
        if not calls and ends and caller == USER:
            self.hand_back(agent, USER, value(message, "content"))

    def _unread_session(self, name: str) -> _Session | None:
        """Return the session of a sub-agent, or None with a loss.

        Each call starts a session of its own. In a hostile file two calls may name one session, or
        a session itself: read for each of them, it would double with every level.
        """
        if name not in self.children:
            self.missing("the steps of a sub-agent whose file is missing")
        elif name in self.read:
            self.dropped("the steps of a sub-agent that another call has named before")
        elif self.depth >= DEPTH_LIMIT:
            self.missing("the steps of a sub-agent that is nested too deeply")
        else:
            self.read.add(name)
            return self.children[name]
        return None


def _answer(call: JsonObject) -> Any:
    """Return what a tool answered: a text, or parts where it is more than that."""
    parts: list[JsonObject] = []
    for part in records(call, "result"):
        response = record(part, "functionResponse.response")
        if response.keys() in ({"output"}, {"error"}):
            (output,) = response.values()
            part = {"text": output}
        parts.append(part)
    if parts and all(isinstance(value(part, "text"), str) for part in parts):
        return "\n".join(text(part, "text") for part in parts)
    return parts or value(call, "result")


def _words(message: object) -> Any:
    return plain_text(value(message, "content"))


def _is_prompt(message: object) -> bool:
    """Whether a person wrote a message; results of tools are sent in the name of the user too."""
    if text(message, "type") != "user" or program_behind(str(_words(message)), "gemini-cli"):
        return False
    parts = records(message, "content")
    return not parts or any("functionResponse" not in part for part in parts)


FORMAT = RecordedFormat("gemini-cli", convert, companions)
