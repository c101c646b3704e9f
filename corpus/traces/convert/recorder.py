"""The recorder of a run: what a format tells that agents, tools and people did.

A format walks its source in time order. Times and losses are kept by :mod:`.clock`, the order each
agent acted in by :mod:`.edges`; the trace is written by :mod:`.trace`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from corpus.traces.convert.events import USER, QueuedEvent
from corpus.traces.convert.messages import words_of_task
from corpus.traces.convert.names import UniqueNames
from corpus.traces.convert.trace import TracedRun
from corpus.traces.convert.usage import NO_USAGE, Usage


@dataclass(eq=False)
class Recorder(TracedRun):
    """The growing trace of one run; each format reads its source in a subclass."""

    _heard_people: bool = field(default=False, init=False)
    # An agent may be called so in the source, and must not act as the people of the run.
    _agent_names: UniqueNames = field(default_factory=partial(UniqueNames, USER), init=False)
    _call_ids: UniqueNames = field(default_factory=UniqueNames, init=False)
    _unnamed_calls: int = field(default=0, init=False)
    _calls: dict[tuple[str, str], deque[QueuedEvent]] = field(
        default_factory=partial(defaultdict, deque), init=False
    )

    def new_call_id(self) -> str:
        """Return an id for a call that has none in the source."""
        self._unnamed_calls += 1
        return f"call-{self._unnamed_calls}"

    def agent(self, name: str) -> str:
        """Return how the trace calls an agent that has one name throughout."""
        return self.redaction.name(name, "agent")

    def new_agent(self, wanted: str) -> str:
        """Name a new agent: the wanted name, with ``#2`` and so on where others have it."""
        return self._agent_names.free(self.agent(wanted), "#")

    def ranked_agent(self, role: str) -> str:
        """Name a new agent by its role and its rank among the agents of that role."""
        return self._agent_names.free(self.agent(role), "-", ranks=True)

    def prompt(self, agent: str, content: object, role: str = "") -> QueuedEvent:
        """Add what a person asks of `agent`: the task of the run the first time.

        Return the event.
        """
        # What was taken back is not what the run was asked to do.
        is_undone = self._lanes[agent].undone is not None
        if not (self.task or self._heard_people or is_undone or role == "interrupt"):
            role = role or "task"
            # Without content the task is unknown, and no later prompt takes its place.
            if content:
                self.task = words_of_task(content)
        self._heard_people = self._heard_people or not is_undone
        role = role or "user"
        event = self.add("human_intervention", USER, content=content, role=role, to=agent)
        self.seed(agent, event)
        return event

    def interrupt(self, agent: str, content: object = None) -> QueuedEvent:
        """Add that a person stopped `agent` in what it was doing. Return the event.

        Its causes are the last events of the agent, not what the person did before: the work that
        led to the interruption is part of the run, not waste. A run that begins with one continues
        another: what its task was is in the file of that.
        """
        self.settle(agent)
        self.follow(USER, agent)
        return self.prompt(agent, content, "interrupt")

    def tool_call(
        self,
        agent: str,
        tool: str,
        call_id: str,
        asked: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
    ) -> QueuedEvent:
        """Add a call of a tool. Return the event.

        It is answered itself (:meth:`tool_result`) or by its id (:meth:`result`).
        """
        # Models number their calls anew for each agent, some for each step; in a trace, an id joins
        # one call with one result.
        name = self._call_ids.free(self.redaction.token(call_id or self.new_call_id()), ".")
        event = self.add(
            "tool_call", agent, marks, usage, content=asked, tool=tool or "tool", x_call_id=name
        )
        for wanted in {call_id, ""}:
            self._calls[agent, wanted].append(event)
        return event

    def tool_result(
        self,
        call: QueuedEvent,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
        marks: Iterable[str] = (),
    ) -> QueuedEvent:
        """Add the answer of a tool to the event `call`. Return the event.

        With `refused`, a person or a permission rule stopped the call, and a safety event comes
        between.
        """
        call_id = call.keys.get("x_call_id")
        if refused:
            call = self.answer(call, "safety_event")
        failure = failed or None
        return self.answer(call, "tool_result", marks, content, x_call_id=call_id, x_error=failure)

    def spawn(
        self,
        agent: str,
        child: str,
        call_id: str,
        asked: object = None,
        role: str = "",
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
        tool: str = "",
    ) -> QueuedEvent:
        """Add that `agent` starts `child`, whose first step depends on it.

        Return the event.

        With `guessed`, the source does not state which sub-agent the call started. `tool` is the
        name by which the model called it.
        """
        keys = {"role": role, "to": child, "x_call_id": call_id, "tool": tool}
        event = self.add("spawn", agent, marks, content=asked, **keys)
        self.seed(child, event, inferred=guessed)
        return event

    def message(
        self,
        sender: str,
        receiver: str,
        content: object,
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
        **keys: Any,
    ) -> QueuedEvent:
        """Add a message, which the next step of the receiver depends on.

        Return the event.
        """
        keys |= {"from": sender, "to": receiver}
        event = self.add("message", sender, marks, content=content, **keys)
        self.seed(receiver, event, inferred=guessed)
        return event

    def hand_back(
        self,
        agent: str,
        receiver: str,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        **keys: Any,
    ) -> QueuedEvent:
        """Add that `agent` is done and returns to `receiver`. Return the event."""
        self.close(agent)
        keys |= {"from": agent, "to": receiver}
        event = self.add("return", agent, marks, usage, content=content, **keys)
        # The next prompt of the person follows from the answer; an agent is given a return where
        # it reads it, which may be much later.
        if receiver == USER:
            self.seed(USER, event)
        return event

    def return_of(
        self,
        spawn: QueuedEvent,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        *,
        failed: bool = False,
    ) -> QueuedEvent:
        """Let the agent that an event started, or asked again, return to the agent of that event.

        The parent is given it by :meth:`replace`, where it reads it.
        """
        keys = {"x_call_id": spawn.keys.get("x_call_id"), "x_error": failed or None}
        return self.hand_back(spawn.keys["to"], spawn.agent, content, marks, usage, **keys)

    def called(self, agent: str, call_id: str) -> QueuedEvent | None:
        """Return the oldest call of an agent that has this id, an open one where there is one.

        Without an id it is the oldest of all. Some models give the calls of one answer the same id;
        their results come in the same order.
        """
        calls = self._calls[agent, call_id]
        while len(calls) > 1 and calls[0].is_answered:
            calls.popleft()
        return next(iter(calls), None)

    def result(
        self,
        agent: str,
        call_id: str,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
    ) -> QueuedEvent | None:
        """Add the answer to a call of an agent: by its id, else to the oldest that is open.

        Return the event of the call, or None where there is none that waits.
        """
        call = self.called(agent, call_id)
        if call is None:
            self.missing("a tool result whose call is not in the input")
            return None
        if call.is_answered:
            self.dropped("a second result of one tool call")
            return None
        if not call_id:
            self.inferred("a tool result without a call id answers the oldest")
        self.tool_result(call, content, failed=failed, refused=refused)
        return call

    def end_of_talk(self) -> None:
        """Note at the end that no tokens are stated, and that a call waits for its result."""
        if self.tokens == 0:
            self.dropped("usage is not recorded; tokens are 0 for unknown")
        # Whatever a source states: a call without its result is not where a run ends by itself.
        for event in self.events:
            if event.kind == "tool_call" and not event.is_answered:
                self.stop_reason = "truncated"
