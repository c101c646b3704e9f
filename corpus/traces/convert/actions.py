"""What agents and people do, as every converter needs it: prompts, calls, spawns, returns.

A converter tells here what it read; names, call ids and content are redacted, and the events that
follow are made to depend on it, in one way for all formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from corpus.traces.convert.agent_names import USER
from corpus.traces.convert.call_ids import CallIds
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.usage import NO_USAGE, Usage


class Actions:
    """Writes the actions of one run into its draft.

    Parameters
    ----------
    draft : Draft
        Where the events go.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.redaction = draft.redaction
        self._call_ids = CallIds()
        self._heard_people = False

    def prompt(self, agent: str, time: float | None, content: object) -> int:
        """Add what a person asks of `agent`: the task of the run the first time.

        Return the event's handle.
        """
        role = "user"
        if not self.draft.task and not self._heard_people:
            role = "task"
            # Without content the task is unknown, and no later prompt takes its place.
            if content:
                self.draft.task = content if isinstance(content, str) else repr(content)
        return self._intervention(agent, time, role, content)

    def interrupt(self, agent: str, time: float | None, content: object = None) -> int:
        """Add that a person stopped `agent` in what it was doing. Return the event's handle.

        Its causes are the last events of the agent, not what the person did before: the work that
        led to the interruption is part of the run, not waste. A run that begins with one continues
        another: what its task was is in the file of that.
        """
        self.draft.settle(agent)
        causes = self.draft.frontier(agent)
        return self._intervention(agent, time, "interrupt", content, causes)

    def _intervention(
        self, agent: str, time: float | None, role: str, content: object, causes: Sequence[int] = ()
    ) -> int:
        self._heard_people = True
        if causes:
            self.draft.depend_on(USER, causes)
        content_ref = self.redaction.content(content)
        handle = self.draft.add(
            "human_intervention", USER, time, role=role, to=agent, content_ref=content_ref
        )
        self.draft.seed(agent, handle)
        return handle

    def tool_call(
        self,
        agent: str,
        time: float | None,
        tool: str,
        call_id: str,
        asked: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        **keys: Any,
    ) -> int:
        """Add a call of a tool. Return the event's handle, for :meth:`tool_result`."""
        unique_id = None
        if call_id:
            # Models number their calls anew for each agent, some for each step.
            unique_id = self._call_ids.unique(self.redaction.token(call_id))
        return self.draft.add(
            "tool_call",
            agent,
            time,
            marks,
            usage,
            tool=self.redaction.name(tool, "tool"),
            x_call_id=unique_id,
            content_ref=self.redaction.content(asked),
            **keys,
        )

    def tool_result(
        self,
        call: int,
        time: float | None,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
        marks: Iterable[str] = (),
    ) -> int:
        """Add the answer of a tool to the event `call`. Return the event's handle.

        With `refused`, a person or a permission rule stopped the call, and a safety event comes
        between.
        """
        entry = self.draft.entry(call)
        tool = entry.keys.get("tool", "tool")
        before = call
        if refused:
            before = self.draft.answer(call, "safety_event", entry.agent, time, tool=tool)
        return self.draft.answer(
            before,
            "tool_result",
            entry.agent,
            time,
            inferred=marks,
            tool=tool,
            x_call_id=entry.keys.get("x_call_id"),
            x_error=failed or None,
            content_ref=self.redaction.content(content),
        )

    def spawn(
        self,
        agent: str,
        child: str,
        time: float | None,
        call_id: str,
        asked: object = None,
        role: str = "",
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
    ) -> int:
        """Add that `agent` starts `child`, whose first step depends on it.

        Return the event's handle.

        With `guessed`, the source does not state which sub-agent the call started.
        """
        given_role = self.redaction.name(role, "role") if role else None
        handle = self.draft.add(
            "spawn",
            agent,
            time,
            marks,
            role=given_role,
            to=child,
            content_ref=self.redaction.content(asked),
            x_call_id=self.redaction.token(call_id),
        )
        self.draft.seed(child, handle, inferred=guessed)
        return handle

    def message(
        self,
        sender: str,
        receiver: str,
        time: float | None,
        content: object,
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
        **keys: Any,
    ) -> int:
        """Add a message, which the next step of the receiver depends on.

        Return the event's handle.
        """
        content_ref = self.redaction.content(content)
        handle = self.draft.add(
            "message",
            sender,
            time,
            marks,
            **{"from": sender},
            to=receiver,
            content_ref=content_ref,
            **keys,
        )
        self.draft.seed(receiver, handle, inferred=guessed)
        return handle

    def hand_back(
        self,
        agent: str,
        receiver: str,
        time: float | None,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        **keys: Any,
    ) -> int:
        """Add that `agent` is done and returns to `receiver`. Return the event's handle."""
        self.draft.close(agent)
        content_ref = self.redaction.content(content)
        handle = self.draft.add(
            "return",
            agent,
            time,
            marks,
            usage,
            **{"from": agent},
            to=receiver,
            content_ref=content_ref,
            **keys,
        )
        # The next prompt of the person follows from the answer; an agent is given a return where
        # it reads it, which may be much later.
        if receiver == USER:
            self.draft.seed(USER, handle)
        return handle

    def give_back(
        self,
        spawn: int,
        time: float | None,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        *,
        failed: bool = False,
    ) -> int:
        """Let the agent of a spawn return to its parent, which goes on from there."""
        started = self.draft.entry(spawn)
        back = self.hand_back(
            started.keys["to"],
            started.agent,
            time,
            content,
            marks,
            usage,
            x_call_id=started.keys.get("x_call_id"),
            x_error=failed or None,
        )
        self.draft.replace(started.agent, spawn, back)
        return back
