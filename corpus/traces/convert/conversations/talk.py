"""A conversation of agents, people and tools, turn by turn, on its way into a draft."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from typing import Any

from corpus.traces.convert.actions import Actions
from corpus.traces.convert.agent_names import USER
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, INFERRED, Conversion
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import NO_USAGE, Usage


class _OpenCalls:
    """The calls of one agent that have no result yet, the oldest first.

    Some models give the calls of one answer the same id; their results come in the same order.
    """

    def __init__(self) -> None:
        # Ordered, since a plain dictionary takes ever longer to find its first key after many were
        # taken from its beginning.
        self._names: OrderedDict[int, str] = OrderedDict()
        self._handles: dict[str, deque[int]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: str, handle: int) -> None:
        self._names[handle] = name
        self._handles.setdefault(name, deque()).append(handle)

    def take(self, name: str) -> int | None:
        """Return the oldest call of a name, which is open no more."""
        handles = self._handles.get(name)
        if not handles:
            return None
        handle = handles.popleft()
        del self._names[handle]
        return handle

    def take_oldest(self) -> int | None:
        oldest = next(iter(self._names), None)
        return None if oldest is None else self.take(self._names[oldest])


class Talk:
    """Keeps the open calls of a conversation and counts what has no meaning in a trace.

    Parameters
    ----------
    name, system : str
        Id of the run, and the format that it is recorded in.
    redaction : Redaction
        What may leave the source.
    place : str
        The file, for losses.
    has_clock : bool
        Whether the source has times; without, t counts the turns.
    """

    def __init__(
        self, name: str, system: str, redaction: Redaction, place: str, *, has_clock: bool
    ) -> None:
        order = "causal" if has_clock else "temporal"
        self.draft = Draft(name, system, redaction, order=order)
        self.actions = Actions(self.draft)
        self.redaction = redaction
        self.place = place
        self.draft.has_clock = has_clock
        if not has_clock:
            self.draft.lose(INFERRED, place, "there is no clock; t counts the turns")
        self.stop = "implicit"
        self._calls: dict[str, _OpenCalls] = {}
        self._unnamed = 0
        self._unknown: Counter[str] = Counter()

    def agent(self, name: str) -> str:
        """Return how an agent is called in the trace."""
        return self.redaction.name(name, "agent")

    def step(self, agent: str, time: float | None, usage: Usage = NO_USAGE) -> None:
        """Begin a model step; one that waits without an action becomes a decision first."""
        self.draft.settle(agent)
        self.draft.step(agent, time, usage)

    def call(self, agent: str, time: float | None, tool: str, name: str, asked: object) -> None:
        """Add a call of a tool; one without an id gets one, so that it pairs with a result."""
        # Ids of calls are unique in a trace, so one is made up where the source has none.
        if not name:
            self._unnamed += 1
            name = f"call-{self._unnamed}"
        handle = self.actions.tool_call(agent, time, tool, name, asked)
        self._calls.setdefault(agent, _OpenCalls()).add(name, handle)

    def result(
        self,
        agent: str,
        time: float | None,
        name: str,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
    ) -> None:
        """Add the answer to a call: by its id, else to the oldest that is open."""
        handle = self._call_of(agent, name)
        if handle is None:
            what = "a tool result whose call is not in the input"
            self.draft.lose(DROPPED, self.place, what)
        else:
            self.actions.tool_result(handle, time, content, failed=failed, refused=refused)

    def _call_of(self, agent: str, name: str) -> int | None:
        own = self._calls.get(agent)
        if not own:
            return None
        if name:
            # A name that no call has is of another call, not of the oldest.
            return own.take(name)
        what = "a tool result without a call id answers the oldest"
        self.draft.lose(INFERRED, self.place, what)
        return own.take_oldest()

    @property
    def has_open_calls(self) -> bool:
        """Whether a call waits for its result."""
        return any(self._calls.values())

    def answer(self, agent: str, time: float | None, content: object, receiver: str = USER) -> int:
        """Add that an agent is done and returns to its caller, at the top to the user."""
        return self.actions.hand_back(agent, receiver, time, content)

    def skip(self, kind: str) -> None:
        """Count what has no meaning in a trace, for the losses."""
        self._unknown[kind] += 1

    def conversion(self, unit: str) -> Conversion:
        """Return the trace; `unit` is what the source calls its parts."""
        for kind, times in sorted(self._unknown.items()):
            name = self.redaction.name(kind, "type")
            self.draft.lose(DROPPED, self.place, f"{unit} of the type {name}", times)
        if self.draft.tokens == 0:
            self.draft.lose(DROPPED, self.place, "usage is not recorded; tokens are 0 for unknown")
        # Whatever a source states: a call without its result is not where a run ends by itself.
        self.draft.stop_reason = "truncated" if self.has_open_calls else self.stop
        return self.draft.finish()


def plain_text(content: object) -> Any:
    """Return the text of a content that is a list of parts; other contents as they are.

    Examples
    --------
    >>> plain_text([{"type": "text", "text": "a"}, {"text": "b"}, 3]), plain_text("a")
    ('a\\nb', 'a')
    """
    if not isinstance(content, list):
        return content
    return "\n".join(_texts(content)) or content


def _texts(parts: Iterable[object]) -> list[str]:
    found = []
    for part in parts:
        written = part.get("text") if isinstance(part, dict) else None
        if isinstance(written, str):
            found.append(written)
        elif isinstance(part, str):
            found.append(part)
    return found
