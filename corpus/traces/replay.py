"""A run played again, event by event: who is there, what is open, what is tainted, what it has cost so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.model.finding import UsageProblem
from corpus.traces.measures.steps import steps
from corpus.traces.measures.untrusted_flow import taint
from corpus.traces.run import OUTSIDE, Run

LISTED: Final = 100
"""Names that a state lists of each kind: a trace may leave a hundred thousand calls open."""


class State(NamedTuple):
    """The run after one event.

    Attributes
    ----------
    step : int
        Number of events so far.
    event, t, type, agent : str, float, str, str
        The event just played.
    live, open_calls, tainted : list of str
        Agents that are there (spawned or acting, and not returned or despawned since), ids of tool calls without a
        result so far, and agents that untrusted content has reached; each in the order in which they came, the first
        :data:`LISTED` of them.
    counts : tuple of (int, int, int)
        How many there are of each.
    tokens, steps : float
        Tokens (``x_tokens``) and model steps so far.
    """

    step: int
    event: str
    t: float
    type: str
    agent: str
    live: list[str]
    open_calls: list[str]
    tainted: list[str]
    counts: tuple[int, int, int]
    tokens: float
    steps: float


class Replay:
    """Plays one run in its happened-before order; nothing but the trace decides what comes out.

    Parameters
    ----------
    run : Run
        The run to play.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self._members = frozenset(run.agents)
        self._weights = steps(run).weights
        found = taint(run)
        self._origin = found.origin if found else [-1] * len(run.events)
        self._answered = {result: call for call, result in run.pairs.answers.items()}

    def states(self, until: int | None = None) -> Iterator[State]:
        """Yield the state after each event, up to `until` events."""
        live: dict[str, None] = {}
        calls: dict[str, None] = {}
        tainted: dict[str, None] = {}
        tokens = taken = 0.0
        for number, place in enumerate(self.run.graph.order[:until], 1):
            event = self.run.events[place]
            self._appear_and_leave(place, live)
            if event.type == "tool_call":
                calls[event.id] = None
            elif place in self._answered:
                calls.pop(self.run.events[self._answered[place]].id, None)
            if self._origin[place] >= 0 and event.agent in self._members and event.type not in OUTSIDE:
                tainted[event.agent] = None
            tokens += 0.0 if event.x_tokens is UNSET else event.x_tokens
            taken += self._weights[place]
            there, waiting, reached = (list(islice(names, LISTED)) for names in (live, calls, tainted))
            counts = (len(live), len(calls), len(tainted))
            yield State(
                number, event.id, event.t, event.type, event.agent, there, waiting, reached, counts, tokens, taken
            )

    def _appear_and_leave(self, place: int, live: dict[str, None]) -> None:
        event = self.run.events[place]
        if event.agent in self._members and event.type not in OUTSIDE:
            live[event.agent] = None
        if event.type == "spawn" and event.to is not UNSET and event.to:
            live[event.to] = None
        elif event.type == "return":
            live.pop(event.agent, None)
        elif event.type == "despawn":
            live.pop(event.agent if event.to is UNSET else event.to, None)

    def position(self, name: str) -> int:
        """Return how many events lie up to and including the one that `name` means: an id, or a number of events.

        Raises
        ------
        UsageProblem
            Where there is no such event.
        """
        place = self.run.index.get(name)
        if place is not None:
            return self.run.graph.rank[place] + 1
        if name.isdecimal() and 0 < int(name) <= len(self.run.events):
            return int(name)
        raise UsageProblem(f"there is no event {name!r}; name an id, or a number from 1 to {len(self.run.events)}")


def digest(run: Run) -> str:
    """Return the SHA-256 of the whole replay, the same on every machine.

    It covers, for each event in order, its id, type, agent and time, whether it is tainted, the call it answers, and
    tokens and steps so far; every state follows from these.
    """
    replay = Replay(run)
    hashed = hashlib.sha256()
    tokens = taken = 0.0
    for place in run.graph.order:
        event = run.events[place]
        tokens += 0.0 if event.x_tokens is UNSET else event.x_tokens
        taken += replay._weights[place]
        call = replay._answered.get(place)
        answered = "" if call is None else run.events[call].id
        target = "" if event.to is UNSET else event.to
        line = (event.id, event.type, event.agent, target, event.t, replay._origin[place] >= 0, answered, tokens, taken)
        hashed.update(json.dumps(line).encode() + b"\n")
    return hashed.hexdigest()
