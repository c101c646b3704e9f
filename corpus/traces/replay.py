"""A run played again, event by event, with the state after each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from msgspec import UNSET

from corpus.model.finding import UsageProblem
from corpus.traces.measures.steps import steps
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.run import OUTSIDE, Run, ended_agent

#: Names that a state lists of each kind: a trace may leave a hundred thousand calls open.
LISTED = 100


class State(NamedTuple):
    """The run after one event.

    Attributes
    ----------
    step : int
        Number of events so far.
    event, t, type, agent : str, float, str, str
        The event just played.
    live, open_calls, tainted : list of str
        Active agents (spawned or acting, and not returned or despawned since), ids of tool calls
        without a result so far, and agents that untrusted content has reached; each in the order in
        which they came, the first :data:`LISTED` of them.
    counts : tuple of (int, int, int)
        How many there are of each.
    tokens, steps : float
        Tokens (``x_tokens``) and model steps so far; `tokens` is None where no event of the run
        states any.
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
    tokens: float | None
    steps: float


class Replay:
    """Plays one run in its happened-before order; the result depends on nothing but the trace.

    Parameters
    ----------
    run : Run
        The run to play.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self._members = frozenset(run.agents)
        self._weights = steps(run).weights
        self._call_of = run.pairs.calls
        flow = untrusted_flow(run)
        self._origin = [-1] * len(run.events)
        if flow is not None:
            self._origin = flow.origin

    def states(self, until: int | None = None) -> Iterator[State]:
        """Yield the state after each event, up to `until` events."""
        # Dicts without values, since they keep the order in which names came.
        live: dict[str, None] = {}
        calls: dict[str, None] = {}
        reached: dict[str, None] = {}
        states_tokens = any(event.x_tokens is not UNSET for event in self.run.events)
        tokens = 0.0
        taken = 0.0
        for step, place in enumerate(self.run.graph.order[:until], 1):
            event = self.run.events[place]
            update_live(self.run, self._members, place, live)
            if event.type == "tool_call":
                calls[event.id] = None
            elif place in self._call_of:
                call = self.run.events[self._call_of[place]]
                calls.pop(call.id, None)
            if self._origin[place] >= 0 and _is_act_of_member(self.run, self._members, place):
                reached[event.agent] = None
            if event.x_tokens is not UNSET:
                tokens += event.x_tokens
            taken += self._weights[place]
            yield State(
                step=step,
                event=event.id,
                t=event.t,
                type=event.type,
                agent=event.agent,
                live=list(islice(live, LISTED)),
                open_calls=list(islice(calls, LISTED)),
                tainted=list(islice(reached, LISTED)),
                counts=(len(live), len(calls), len(reached)),
                tokens=tokens if states_tokens else None,
                steps=taken,
            )

    def position(self, name: str) -> int:
        """Return how many events there are up to `name`: an id, or a number of events.

        Raises
        ------
        UsageProblem
            Where the run has no such event.
        """
        size = len(self.run.events)
        place = self.run.index.get(name)
        if place is not None:
            return self.run.graph.rank[place] + 1
        if name.isdecimal() and 0 < int(name) <= size:
            return int(name)
        raise UsageProblem(f"unknown event {name!r}; give an id, or a number from 1 to {size}")

    def digest(self) -> str:
        """Return the SHA-256 of the whole replay, in hexadecimal; the same on every machine.

        It covers, for each event in order, its id, type, agent, target and time, whether untrusted
        content reaches it, the call it answers, and tokens and steps so far; every state follows
        from these.
        """
        run = self.run
        hashed = hashlib.sha256()
        tokens = 0.0
        taken = 0.0
        for place in run.graph.order:
            event = run.events[place]
            if event.x_tokens is not UNSET:
                tokens += event.x_tokens
            taken += self._weights[place]
            call = self._call_of.get(place)
            answered = "" if call is None else run.events[call].id
            target = "" if event.to is UNSET else event.to
            is_reached = self._origin[place] >= 0
            # The form of this line is fixed: published digests would change with it.
            line = (
                event.id,
                event.type,
                event.agent,
                target,
                event.t,
                is_reached,
                answered,
                tokens,
                taken,
            )
            hashed.update(json.dumps(line).encode() + b"\n")
        return hashed.hexdigest()


def digest(run: Run) -> str:
    """Return the SHA-256 of the whole replay of a run; see :meth:`Replay.digest`."""
    return Replay(run).digest()


def _is_act_of_member(run: Run, members: frozenset[str], place: int) -> bool:
    return run.actors[place] in members and run.kinds[place] not in OUTSIDE


def update_live(run: Run, members: frozenset[str], place: int, live: dict[str, None]) -> None:
    """Add the agents that an event brings in to those that are `live`, and remove the ended."""
    event = run.events[place]
    if _is_act_of_member(run, members, place):
        live[event.agent] = None
    if event.type == "spawn" and event.to is not UNSET and event.to:
        live[event.to] = None
    elif event.type == "return":
        live.pop(run.returning(event), None)
    elif event.type == "despawn":
        live.pop(ended_agent(event), None)
