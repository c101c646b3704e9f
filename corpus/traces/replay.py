"""A run played again, event by event, with the state after each."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from msgspec import UNSET

from corpus.traces.measures.steps import steps
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.run import OUTSIDE, Run

#: Names that a state lists of each kind: a trace may leave a hundred thousand calls open.
LISTED = 100


@dataclass(frozen=True, slots=True)
class State:
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
    counts : tuple of int
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
    counts: tuple[int, ...]
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
        # Dicts without values, since they keep the order in which names came.
        self.live: dict[str, None] = {}
        self.open_calls: dict[str, None] = {}
        self.tainted: dict[str, None] = {}
        self.tokens = 0.0
        self.steps = 0.0
        self._members = frozenset(run.agents)
        self._weights = steps(run).weights
        self.call_of = run.pairs.calls
        self.origin = untrusted_flow(run).origin

    def play(self) -> Iterator[int]:
        """Play the run once: yield the position of each event when the state is that after it."""
        run = self.run
        for place in run.graph.order:
            event = run.events[place]
            is_act = run.actors[place] in self._members and run.kinds[place] not in OUTSIDE
            if is_act:
                self.live[event.agent] = None
            if event.type == "spawn" and event.to:
                self.live[event.to] = None
            elif event.type in ("return", "despawn"):
                self.live.pop(run.ended(event), None)
            elif event.type == "tool_call":
                self.open_calls[event.id] = None
            elif place in self.call_of:
                self.open_calls.pop(run.events[self.call_of[place]].id, None)
            if is_act and self.origin[place] >= 0:
                self.tainted[event.agent] = None
            if event.x_tokens is not UNSET:
                self.tokens += event.x_tokens
            self.steps += self._weights[place]
            yield place


def states(run: Run) -> Iterator[State]:
    """Yield the state after each event."""
    replay = Replay(run)
    active = (replay.live, replay.open_calls, replay.tainted)
    for step, place in enumerate(replay.play(), 1):
        event = run.events[place]
        live, calls, tainted = (list(islice(names, LISTED)) for names in active)
        tokens = replay.tokens if run.states_tokens else None
        recorded = (event.id, event.t, event.type, event.agent)
        counts = tuple(map(len, active))
        yield State(step, *recorded, live, calls, tainted, counts, tokens, replay.steps)


def digest(run: Run) -> str:
    """Return the SHA-256 of the whole replay of a run, in hexadecimal; the same on every machine.

    It covers, for each event in order, its id, type, agent, target and time, whether untrusted
    content reaches it, the call it answers, and tokens and steps so far; every state follows from
    these.
    """
    replay = Replay(run)
    hashed = hashlib.sha256()
    for place in replay.play():
        event = run.events[place]
        call = replay.call_of.get(place)
        answered = "" if call is None else run.events[call].id
        is_reached = replay.origin[place] >= 0
        # The form of this line is fixed: published digests would change with it.
        line = (
            *(event.id, event.type, event.agent, event.to or "", event.t),
            *(is_reached, answered, replay.tokens, replay.steps),
        )
        hashed.update(json.dumps(line).encode() + b"\n")
    return hashed.hexdigest()
