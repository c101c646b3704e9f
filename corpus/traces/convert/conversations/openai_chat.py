"""Conversations as lists of chat messages, in the form of OpenAI's interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.actions import USER
from corpus.traces.convert.conversations.talk import Talk, plain_text
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import (
    AMBIGUOUS,
    INFERRED,
    Conversion,
    RecordedFormat,
    RecorderVersion,
)
from corpus.traces.convert.lookup import first_text, items, record, records, text, value
from corpus.traces.convert.redaction import Redaction, unnamed

_SYSTEM = "openai-chat"
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_PEOPLE = frozenset({"user", "human", "user_proxy", "admin"})
_SOLE_AGENT = "assistant"


def recognise(document: RecordedFile) -> bool:
    """Look for a list of messages, all of which have a role."""
    for row in document.rows[:5]:
        for talk in _talks(row.value):
            messages = _messages(talk)
            roles = {text(message, "role") for message in messages}
            if len(messages) > 1 and roles <= _ROLES and roles & {"assistant", "tool"}:
                return True
    return False


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each list of messages."""
    for document in documents:
        for row in document.rows:
            for position, talk in enumerate(_talks(row.value)):
                name = first_text(talk, "id", "conversation_id", "thread_id")
                place = document.place(row.line)
                name = name or unnamed("chat", f"{place}:{position}")
                walk = _ChatTalk(_messages(talk), name, place, redaction)
                if len(walk.talk.draft):
                    yield walk.conversion()


def _talks(node: object) -> list[Any]:
    """Return the conversations of a row: one, or a list of them."""
    if isinstance(node, list):
        return [one for one in node if items(one, "messages")] or [{"messages": node}]
    return [node]


def _messages(talk: object) -> list[dict[str, Any]]:
    return records(talk, "messages")


class _ChatTalk:
    def __init__(
        self, messages: Sequence[dict[str, Any]], name: str, place: str, redaction: Redaction
    ) -> None:
        self.messages = messages
        self.talk = Talk(name, _SYSTEM, redaction, place, has_clock=False)
        self.caller: dict[str, str] = {}
        self.last_agent = self.talk.agent(_SOLE_AGENT)
        for position, message in enumerate(messages):
            self._turn(position, message)
        self._note_end()

    def conversion(self) -> Conversion:
        return self.talk.conversion("messages")

    def _turn(self, position: int, message: dict[str, Any]) -> None:
        role, time = text(message, "role"), float(position)
        if role in ("tool", "function"):
            call = text(message, "tool_call_id") or (
                text(message, "name") if role == "function" else ""
            )
            agent = self.caller.get(call, self.last_agent)
            self.talk.result(agent, time, call, plain_text(value(message, "content")))
        elif role == "assistant" or (role == "user" and _names_an_agent(message)):
            self._agent_turn(position, message)
        elif role == "user":
            content = plain_text(value(message, "content"))
            agent = self.talk.agent(self._name_after(position))
            self.talk.actions.prompt(agent, time, content)
        elif role not in ("system", "developer"):
            self.talk.skip(role or "none")

    def _agent_turn(self, position: int, message: dict[str, Any]) -> None:
        time = float(position)
        agent = self.talk.agent(_name_of(message))
        self.last_agent = agent
        self.talk.step(agent, time)
        calls = records(message, "tool_calls")
        for call in calls:
            name = text(call, "id")
            self.caller[name] = agent
            function = record(call, "function") or record(call, "custom")
            asked = value(function, "arguments") or value(function, "input")
            self.talk.call(agent, time, text(function, "name"), name, asked)
        if function := record(message, "function_call"):
            # The older form has no ids: a result names the function.
            name = text(function, "name")
            self.caller[name] = agent
            self.talk.call(agent, time, name, name, value(function, "arguments"))
        elif not calls:
            self._words(position, message, agent)

    def _words(self, position: int, message: dict[str, Any], agent: str) -> None:
        """Take what an agent wrote: an answer to the user, or a message to who speaks next."""
        content, time = plain_text(value(message, "content")), float(position)
        following = self._name_after(position)
        next_role = text(value(list(self.messages), position + 1), "role")
        other = self.talk.agent(following) if following else ""
        if next_role in ("assistant", "user") and following and other != agent:
            is_person = next_role == "user" and not _names_an_agent(self.messages[position + 1])
            if not is_person:
                what = "a turn counts as a message to the next speaker"
                self.talk.draft.lose(INFERRED, agent, what)
                self.talk.actions.message(agent, other, time, content, ("to",), guessed=True)
                return
        if next_role == "assistant":
            # Two turns of one agent: the first one is not an answer yet.
            self.talk.draft.settle(agent)
        else:
            self.talk.answer(agent, time, content, USER)

    def _name_after(self, position: int) -> str:
        """Return the name of the agent that speaks next, also after a person or a tool."""
        for message in self.messages[position + 1 :]:
            if text(message, "role") == "assistant" or _names_an_agent(message):
                return _name_of(message)
        return _SOLE_AGENT

    def _note_end(self) -> None:
        last = text(value(list(self.messages), -1), "role")
        if last not in ("assistant",) and not _names_an_agent(value(list(self.messages), -1)):
            self.talk.stop = "truncated"
        what = "each message of the role assistant counts as one model step"
        self.talk.draft.lose(AMBIGUOUS, self.talk.place, what)


def _names_an_agent(message: object) -> bool:
    """Whether a message carries the name of an agent, as those of teams do."""
    name = text(message, "name")
    is_speech = text(message, "role") in ("user", "assistant")
    return is_speech and bool(name) and name.lower() not in _PEOPLE


def _name_of(message: object) -> str:
    return text(message, "name") or _SOLE_AGENT


FORMAT = RecordedFormat(
    name=_SYSTEM,
    title="Chat messages in the form of OpenAI's interface, also of teams with names (AutoGen 0.2)",
    versions=(
        RecorderVersion("OpenAI Chat Completions (tool_calls)", "openai chat"),
        RecorderVersion("AutoGen 0.2 (named messages)", "autogen 0.2"),
    ),
    tokens=(),
    maps=(
        ("orchestrator_decision", "a message of an agent before another one of its own; inferred"),
        ("message", "a message of a named agent before one of another agent; inferred"),
        ("return", "a message of an agent before one of a person, and at the end"),
        ("tool_call, tool_result", "tool_calls or function_call, and messages of the role tool"),
        ("human_intervention", "messages of the role user without the name of an agent"),
    ),
    loses=(
        "every time: t counts the turns, and wall_clock_s is 0 for unknown",
        "every token: the cost is 0 for unknown",
        "rewards and task success",
        "sub-agents behind tools",
        "receivers in teams: a turn counts as a message to the next speaker",
    ),
    recognise=recognise,
    convert=convert,
)
