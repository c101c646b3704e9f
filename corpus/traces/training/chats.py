"""What each agent of a run was given and wrote, as the messages of a conversation."""

from collections.abc import Iterator
from typing import Final

from corpus.traces.contents import Contents
from corpus.traces.emit.target import SPAWN_TOOL, RunTexts, plain, stated
from corpus.traces.lookup import JsonObject, parsed, record
from corpus.traces.model import Event
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout

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


class RunChats(RunTexts):
    """The conversations of the agents of a run, with rewards and credit, as they are taught.

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
    channel : str
        The reward channel; empty where no run has a reward.
    advantages : list of (float or None)
        Of each step; empty without credit.
    task : str
        Id of the task, else the hash of the first prompt, else the id of the trace.
    """

    def __init__(self, run: Run, contents: Contents) -> None:
        super().__init__(run, contents)
        self.rollout = Rollout(run, (run.trace.trace_id, 0))
        self.channel = ""
        self.advantages: list[float | None] = []
        self.task = self.rollout.group or run.trace.trace_id
        self.chats = {agent: Chat() for agent in run.agents}
        for place in run.graph.order:
            self._take(place)

    def taught(self) -> Iterator[tuple[str, Chat]]:
        """Yield each agent that has taken a step, with its conversation."""
        for agent, chat in self.chats.items():
            if chat.turns:
                yield agent, chat

    def reward(self, agent: str) -> float | None:
        """Return the reward of an agent; of the main agent, else, that of the run."""
        found = self.rollout.of_agents.get(self.channel, {}).get(agent)
        if found is None and agent == self.run.main:
            return self.rollout.rewards.get(self.channel)
        return found

    def advantage(self, step: int) -> float | None:
        """Return the advantage of a step."""
        return self.advantages[step] if self.advantages else None

    def event(self, step: int) -> Event:
        """Return the event of a step."""
        return self.run.events[self.rollout.places[step]]

    def _take(self, place: int) -> None:
        event, actor = self.run.events[place], self.run.actors[place]
        words = self.written(event.content_ref)
        reader = self.rollout.reader(event)
        if event.type == "tool_result":
            caller = self.chats.get(self.rollout.callers.get(place, ""))
            if caller is None:
                self.losses.add("dropped", event.id, "a result without a call")
            elif self.is_made_up(self.run.events[self.call_of[place]]):
                caller.hear(words)
            else:
                caller.hear(words, self.call_ids[self.call_of[place]])
        elif event.type == "human_intervention":
            self.chats[reader if reader in self.chats else self.run.main].hear(words)
        elif actor in self.chats and event.type not in ("safety_event", "despawn"):
            # A return may be recorded at the parent that gets it.
            writer = self.run.ended(event) if event.type == "return" else actor
            if writer == actor:
                self._answer(place, words)
            else:
                reader = actor
            if reader in self.chats and reader != writer:
                call = None
                if event.type == "return" and self.run.parents.get(writer) == reader:
                    # The first return answers the spawn; further ones are messages.
                    call = self.call_ids.get(self.spawn_of.pop(writer, -1))
                elif event.type == "spawn":
                    words = record(parsed(words)).get("prompt") or words
                self.chats[reader].hear(words, call)

    def _answer(self, place: int, words: object) -> None:
        """Add to the answer of its agent what an event tells of it."""
        event, step = self.run.events[place], self.rollout.of_event[place]
        chat = self.chats[self.run.actors[place]]
        self._given(chat, event)
        message = chat.answer(step)
        written = self.beside(event, "assistant")
        if event.type in ("tool_call", "spawn") and not self.is_made_up(event):
            arguments = self.arguments(event)
            if words is None and isinstance(event.to, str):
                arguments = {"agent": event.to}
            name = stated(event.tool, SPAWN_TOOL if event.type == "spawn" else "unknown")
            function = {"name": name, "arguments": arguments}
            call = {"id": self.call_ids[place], "type": "function", "function": function}
            message.setdefault("tool_calls", []).append(call)
        elif words is not None:
            written.append(words)
        for said in map(plain, written):
            # What is recorded with a step may be recorded with its return, too.
            if said != message["content"]:
                message["content"] = "\n".join(filter(None, (message["content"], said)))
        thoughts = "\n".join(map(plain, self.beside(event, "reasoning")))
        if thoughts:
            message["reasoning_content"] = thoughts
        for tokens in self.beside(event, "tokens"):
            chat.tokens.setdefault(step, {}).update(record(tokens))
        for role in _NOT_SAID:
            for _ in self.beside(event, role):
                self.losses.add("dropped", event.id, "a call or result that is not an event")

    def _given(self, chat: Chat, event: Event) -> None:
        """Add what the model was given and no event tells, before the answer."""
        given = []
        heard = chat.messages[max(chat.turns.values(), default=-1) + 1 :]
        for role, words in self.given(event, not chat.messages):
            message = {"role": role, "content": plain(words)}
            # Spans repeat the prompt of the system at each call, and that of a sub-agent may be
            # recorded with its spawn, too.
            if message not in (chat.messages if role == "system" else heard):
                given.append(message)
        # The prompt of the system comes before that of the user.
        place = len(chat.messages) if chat.turns else 0
        chat.messages[place:place] = given
        self.add_tools(event, chat.tools)
