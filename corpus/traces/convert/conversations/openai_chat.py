"""Conversations as lists of chat messages, in the form of OpenAI's interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.conversations.talk import Talk, plain_text
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import (
    AMBIGUOUS,
    INFERRED,
    Conversion,
    RecordedFormat,
    RecorderVersion,
)
from corpus.traces.convert.lookup import JsonObject, first_text, items, record, records, text, value
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
            has_agent = not roles.isdisjoint(("assistant", "tool"))
            if len(messages) > 1 and roles <= _ROLES and has_agent:
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
                # Such as the metadata of a file of conversations, which is an object as well.
                if len(walk.talk.draft):
                    yield walk.conversion()


def _talks(node: object) -> list[Any]:
    """Return the conversations of a row: one, or a list of them."""
    if isinstance(node, list):
        talks = [one for one in node if items(one, "messages")]
        return talks or [{"messages": node}]
    return [node]


def _messages(talk: object) -> list[JsonObject]:
    return records(talk, "messages")


class _ChatTalk:
    """One conversation; message n is at t = n."""

    def __init__(
        self, messages: Sequence[JsonObject], name: str, place: str, redaction: Redaction
    ) -> None:
        self.messages = messages
        self.talk = Talk(name, _SYSTEM, redaction, place, has_clock=False)
        self.callers: dict[str, str] = {}
        self.last_agent = self.talk.agent(_SOLE_AGENT)
        self.next_agents = _next_agents(messages)
        for position, message in enumerate(messages):
            self._turn(position, message)
        if messages and not _is_of_agent(messages[-1]):
            self.talk.stop = "truncated"
        what = "each message of an agent counts as one model step"
        self.talk.draft.lose(AMBIGUOUS, place, what)

    def conversion(self) -> Conversion:
        """Return the trace."""
        return self.talk.conversion("messages")

    def _turn(self, position: int, message: JsonObject) -> None:
        role, time = text(message, "role"), float(position)
        content = plain_text(value(message, "content"))
        if role in ("tool", "function"):
            # The older form has no ids: a result names the function.
            call = text(message, "tool_call_id") or text(message, "name")
            agent = self.callers.get(call, self.last_agent)
            self.talk.result(agent, time, call, content)
        elif _is_of_agent(message):
            self._agent_turn(position, message, content)
        elif role == "user":
            agent = self.talk.agent(self.next_agents[position])
            self.talk.actions.prompt(agent, time, content)
        elif role not in ("system", "developer"):
            self.talk.skip(role or "none")

    def _agent_turn(self, position: int, message: JsonObject, content: object) -> None:
        time = float(position)
        agent = self.last_agent = self.talk.agent(_name_of(message))
        self.talk.step(agent, time)
        calls = records(message, "tool_calls")
        for call in calls:
            function = record(call, "function") or record(call, "custom")
            asked = value(function, "arguments") or value(function, "input")
            self._call(agent, time, function, text(call, "id"), asked)
        if function := record(message, "function_call"):
            # The older form of a call has no id; the result names the function.
            name = text(function, "name")
            self._call(agent, time, function, name, value(function, "arguments"))
        elif not calls:
            self._words(position, agent, content)

    def _call(
        self, agent: str, time: float, function: JsonObject, name: str, asked: object
    ) -> None:
        self.callers[name] = agent
        self.talk.call(agent, time, text(function, "name"), name, asked)

    def _words(self, position: int, agent: str, content: object) -> None:
        """Take what an agent wrote: an answer to the user, or a message to who speaks next."""
        time = float(position)
        is_last = position + 1 == len(self.messages)
        if is_last or not _is_of_agent(self.messages[position + 1]):
            self.talk.answer(agent, time, content)
            return
        receiver = self.talk.agent(self.next_agents[position])
        if receiver == agent:
            # Two turns of one agent: the first one is not an answer yet.
            self.talk.draft.settle(agent)
        else:
            what = "a turn counts as a message to the next speaker"
            self.talk.draft.lose(INFERRED, agent, what)
            self.talk.actions.message(agent, receiver, time, content, ("to",), guessed=True)


def _next_agents(messages: Sequence[JsonObject]) -> list[str]:
    """Return for each message the name of the agent that speaks next after it."""
    found: list[str] = []
    name = _SOLE_AGENT
    for message in reversed(messages):
        found.append(name)
        if _is_of_agent(message):
            name = _name_of(message)
    return found[::-1]


def _is_of_agent(message: object) -> bool:
    """Whether an agent wrote a message; those of teams have names, whatever their role."""
    role = text(message, "role")
    name = text(message, "name")
    if role == "user":
        return bool(name) and name.lower() not in _PEOPLE
    return role == "assistant"


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
