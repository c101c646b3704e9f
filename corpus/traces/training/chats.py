"""What each agent of a run was given and wrote, as the messages of a conversation."""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.convert.messages import words_of
from corpus.traces.emit.atif import SOURCES, SPAWN_TOOL, call_ids, plain
from corpus.traces.emit.target import spawn_of, stated
from corpus.traces.lookup import JsonObject, parsed, record, records, text
from corpus.traces.model import Event
from corpus.traces.run import Run
from corpus.traces.training.groups import RunSteps, rollout

#: Calls and results that are not events of the run.
_NOT_SAID: Final = ("tool_call", "tool")


class Chat:
    """The conversation of one agent.

    Attributes
    ----------
    messages : list of dict
        With ``role`` and ``content``; an answer may have ``tool_calls``, whose arguments are
        objects, and ``reasoning_content``.
    turns : dict of int to int
        For each model step of the agent the place of its answer in `messages`.
    tokens : dict of int to dict
        Ids, log probabilities and masks of each step that has any.
    tools : list of dict
        Definitions of tools, as they were recorded.
    """

    def __init__(self) -> None:
        self.messages: list[JsonObject] = []
        self.turns: dict[int, int] = {}
        self.tokens: dict[int, JsonObject] = {}
        self.tools: list[JsonObject] = []

    def hear(self, words: object, call: str | None = None) -> None:
        """Add what the agent is told: the result of a call with this id, or else a prompt."""
        if call is not None:
            told = {"role": "tool", "tool_call_id": call, "content": plain(words or "")}
            self.messages.append(told)
        elif words is not None:
            self.messages.append({"role": "user", "content": plain(words)})

    def answer(self, step: int) -> JsonObject:
        """Return the answer of a step; a new one where it has none, or before the first step."""
        place = self.turns.get(step, len(self.messages))
        if place == len(self.messages):
            self.messages.append({"role": "assistant", "content": ""})
            if step >= 0:
                self.turns[step] = place
        return self.messages[place]


class RunChats:
    """The conversations of the agents of a run.

    An event without a model step of its own is part of the latest answer of its agent.

    Parameters
    ----------
    run : Run
        The run.
    contents : Contents
        What its hashes stand for.

    Attributes
    ----------
    chats : dict of str to Chat
        By agent.
    rollout : Rollout
        Its steps, rewards and task.
    losses : LossList
        What no conversation has.
    """

    def __init__(self, run: Run, contents: Contents) -> None:
        self.run = run
        self.contents = contents
        self.losses = LossList()
        self.steps = RunSteps(run)
        self.rollout = rollout(("", 0), run, self.steps)
        self.chats = {agent: Chat() for agent in run.agents}
        self._calls = call_ids(run)
        self._spawns = spawn_of(run)
        self._call_of = {result: call for call, result in run.pairs.answers.items()}
        for place in run.graph.order:
            self._take(place)

    def _take(self, place: int) -> None:
        event, actor = self.run.events[place], self.run.actors[place]
        words = self._written(event.content_ref)
        reader = self.steps.reader(event)
        if event.type == "tool_result":
            called = self._call_of.get(place, -1)
            caller = self.chats.get(self.steps.callers.get(place, ""))
            if caller is None:
                self.losses.add("dropped", event.id, "a result without a call")
            else:
                caller.hear(words, None if self._is_made_up(called) else self._calls[called])
        elif event.type == "human_intervention":
            self.chats[reader if reader in self.chats else self.run.main].hear(words)
        elif actor in self.chats and event.type not in ("safety_event", "despawn"):
            # A return may be recorded at the parent that gets it.
            writer = self.run.returning(event) if event.type == "return" else actor
            if writer == actor:
                self._answer(place, words)
            else:
                reader = actor
            if reader in self.chats and reader != writer:
                call = None
                if event.type == "return" and self.run.parents.get(writer) == reader:
                    # The first return answers the spawn; further ones are messages.
                    call = self._calls.get(self._spawns.pop(writer, -1))
                elif event.type == "spawn":
                    words = record(parsed(words)).get("prompt") or words
                self.chats[reader].hear(words, call)

    def _answer(self, place: int, words: object) -> None:
        """Add to the answer of its agent what an event tells of it."""
        event, step = self.run.events[place], self.steps.of_event[place]
        chat = self.chats[self.run.actors[place]]
        self._given(chat, event)
        message = chat.answer(step)
        written = self._beside(event, "assistant")
        if event.type in ("tool_call", "spawn") and not self._is_made_up(place):
            arguments = parsed(words)
            if arguments is None:
                arguments = {"agent": event.to} if isinstance(event.to, str) else {}
            elif not isinstance(arguments, dict):
                arguments = {"prompt" if event.type == "spawn" else "input": arguments}
            name = stated(event.tool, SPAWN_TOOL if event.type == "spawn" else "unknown")
            function = {"name": name, "arguments": arguments}
            call = {"id": self._calls[place], "type": "function", "function": function}
            message.setdefault("tool_calls", []).append(call)
        elif words is not None:
            written.append(words)
        for said in map(plain, written):
            # What is recorded with a step may be recorded with its return, too.
            if said != message["content"]:
                message["content"] = "\n".join(filter(None, (message["content"], said)))
        thoughts = "\n".join(map(plain, self._beside(event, "reasoning")))
        if thoughts:
            message["reasoning_content"] = thoughts
        for tokens in self._beside(event, "tokens"):
            chat.tokens.setdefault(step, {}).update(record(tokens))
        for role in _NOT_SAID:
            for _ in self._beside(event, role):
                self.losses.add("dropped", event.id, "a call or result that is not an event")

    def _given(self, chat: Chat, event: Event) -> None:
        """Add what the model was given and no event tells, before the answer."""
        given = []
        for words in self._beside(event, "system"):
            message = {"role": "system", "content": plain(words)}
            # Spans repeat it at each call.
            if message not in chat.messages:
                given.append(message)
        heard = chat.messages[max(chat.turns.values(), default=-1) + 1 :]
        for words in self._beside(event, "user"):
            message = {"role": "user", "content": plain(words)}
            # The prompt of a sub-agent may be recorded with its spawn, too.
            if message not in heard:
                given.append(message)
        if not chat.messages:
            for told in chain.from_iterable(map(records, self._beside(event, "messages"))):
                role = SOURCES.get(text(told, "role"), "")
                message = {"role": role, "content": plain(words_of(told)[0])}
                if role and message not in given:
                    given.append(message)
        # The prompt of the system comes before that of the user.
        place = len(chat.messages) if chat.turns else 0
        chat.messages[place:place] = given
        for tool in chain.from_iterable(map(records, self._beside(event, "tool_definitions"))):
            if tool not in chat.tools:
                chat.tools.append(tool)

    def _written(self, name: object) -> Any:
        content = self.contents.get(name)
        return None if content is None else content.value

    def _beside(self, event: Event, role: str) -> list[Any]:
        """Return what an event refers to in a role, beside its own content."""
        names = [] if event.x_contents is UNSET else event.x_contents.get(role, [])
        found = [self._written(name) for name in names]
        return [one for one in found if one is not None]

    def _is_made_up(self, place: int) -> bool:
        """Whether a call was made up for what an agent did by its words."""
        call = self.run.events[place]
        has_words = self._written(call.content_ref) is not None
        return call.type == "tool_call" and call.x_inferred is True and has_words
