"""Which step of a failed run to blame: rules that were fixed before any label was read.

They are the least that a method of failure attribution has to surpass.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import sha256
from itertools import zip_longest
from typing import Final

from msgspec import UNSET

from corpus.traces.difference import compared_values
from corpus.traces.lookup import JsonObject
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import BLAME

NO_SIBLING: Final = "no other run of the task"


class _BlamedRun:
    """What predictions need of a run, also once its events are dropped.

    Attributes
    ----------
    task : str
        Id of its task or hash of its first prompt; empty without both.
    prints : list of int
        What two runs are compared by, of each event in the order of a replay.
    """

    def __init__(self, of_run: Rollout) -> None:
        run = of_run.run
        events = run.events
        self.task = of_run.group
        self.prints = [hash(compared_values(events[place])) for place in run.graph.order]
        self._order = list(run.graph.order)
        actors, numbers = list(run.actors), list(of_run.of_event)
        # A result belongs to the call, even where it is recorded with the tool as its agent.
        for call, result in run.pairs.answers.items():
            actors[result], numbers[result] = actors[call], numbers[call]
        # Without a clock, the times of a recording count its turns.
        size = len(of_run.places)
        if not run.has_clock:
            numbers = list(map(int, run.times))
            size = max(numbers) + 1
        ids = [event.id for event in events]
        self._acts = list(zip(actors, ids, numbers, strict=True))
        system = run.trace.system
        self._head = {
            "trace": run.trace.trace_id,
            "framework": "unknown" if system is UNSET else system,
            "agents": list(dict.fromkeys((*run.agents, *run.actors))),
            "steps": size,
        }

    def row(self, rule: str, place: int | None, why: str = "") -> JsonObject:
        """Return the prediction of a rule, or why there is none."""
        row = {**self._head, "rule": rule, "agent": None, "step": None, "event": None, "why": ""}
        if place is None:
            return row | {"why": why or BLAME[rule][1]}
        row["agent"], row["event"], number = self._acts[place]
        if number >= 0:
            row["step"] = number
        return row

    def divergence(self, prints: list[int]) -> JsonObject:
        """Return the prediction from the events of another run of the task."""
        for number, (own, other) in enumerate(zip_longest(self.prints, prints)):
            # A run that is over before the other one has no event there.
            if own != other and own is not None:
                return self.row("divergence", self._order[number])
        return self.row("divergence", None)


class Blame:
    """The predictions of some rules for many runs.

    Each run is compared with the first one of its task, and this one with the second: it waits
    until there is one.

    Parameters
    ----------
    rules : collection of str
        Names from :data:`BLAME`.
    seed : int
        Of the rule ``random``.
    """

    def __init__(self, rules: Collection[str] = tuple(BLAME), seed: int = 0) -> None:
        self.rules = rules
        self.seed = seed
        self._prints: dict[str, list[int]] = {}
        self._waiting: dict[str, _BlamedRun] = {}

    def rows(self, run: Run) -> Iterator[JsonObject]:
        """Yield the predictions for a run, and for the one that has waited for it."""
        of_run = Rollout(run)
        blamed = _BlamedRun(of_run)
        places = _by_steps(of_run, self.seed)
        places["open-call"] = next(iter(run.pairs.open_calls), None)
        places["untrusted"] = _after_untrusted(of_run)
        for rule in self.rules:
            if rule in places:
                yield blamed.row(rule, places[rule])
        if "divergence" not in self.rules:
            return
        task = blamed.task
        if not task:
            yield blamed.row("divergence", None, NO_SIBLING)
        elif task not in self._prints:
            self._prints[task] = blamed.prints
            self._waiting[task] = blamed
        else:
            yield blamed.divergence(self._prints[task])
            if task in self._waiting:
                yield self._waiting.pop(task).divergence(blamed.prints)

    def left(self) -> Iterator[JsonObject]:
        """Yield what the runs get that have waited in vain for another run of their task."""
        for blamed in self._waiting.values():
            yield blamed.row("divergence", None, NO_SIBLING)


def _by_steps(of_run: Rollout, seed: int) -> dict[str, int | None]:
    """Return the events of the rules that choose among the steps; None without a step."""
    run = of_run.run
    places = of_run.places
    found: dict[str, int | None] = dict.fromkeys(("random", "first", "last", "most-active"))
    if places:
        # By a hash: the same step in any order of the traces.
        drawn = int(sha256(f"{seed} {run.trace.trace_id}".encode()).hexdigest(), 16)
        found |= {"random": places[drawn % len(places)], "first": places[0], "last": places[-1]}
    # In a team in which nobody spawns, the first speaker is a member like the others.
    orchestrator = run.main if run.spawns else ""
    taken = Counter(agent for agent in of_run.agents if agent != orchestrator)
    if taken:
        # Of equals the first to act.
        ((most, _),) = taken.most_common(1)
        found["most-active"] = places[of_run.agents.index(most)]
    return found


def _after_untrusted(of_run: Rollout) -> int | None:
    run = of_run.run
    taken = set(of_run.places)
    readers = set()
    for place in run.graph.order:
        event, actor = run.events[place], run.actors[place]
        if place in taken and actor in readers:
            return place
        if event.trusted is False:
            readers.add(of_run.callers.get(place) or of_run.reader(event) or actor)
    return None
