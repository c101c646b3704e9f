"""Which step of a failed run to blame: rules that were fixed before any label was read.

They are the least that a method of failure attribution has to surpass.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from itertools import zip_longest

from msgspec import UNSET

from corpus.traces.difference import compared_values
from corpus.traces.lookup import JsonObject
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import BLAME

NO_SIBLING = "no other run of the task"


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


def blamed_steps(
    runs: Iterable[Run], rules: Collection[str] = tuple(BLAME), seed: int = 0
) -> Iterator[JsonObject]:
    """Yield the predictions of some rules for many runs.

    Each run is compared with the first one of its task, and this one with the second: it waits
    until there is one.

    Parameters
    ----------
    runs : iterable of Run
        One after the other; their events are not kept.
    rules : collection of str
        Names from :data:`BLAME`.
    seed : int
        Of the rule ``random``.
    """
    prints: dict[str, list[int]] = {}
    waiting: dict[str, _BlamedRun] = {}
    for run in runs:
        of_run = Rollout(run)
        blamed = _BlamedRun(of_run)
        places = _places(of_run, seed)
        for rule in rules:
            if rule != "divergence":
                yield blamed.row(rule, places.get(rule))
        if "divergence" not in rules:
            continue
        task = blamed.task
        if not task:
            yield blamed.row("divergence", None, NO_SIBLING)
        elif task not in prints:
            prints[task] = blamed.prints
            waiting[task] = blamed
        else:
            yield blamed.divergence(prints[task])
            if task in waiting:
                yield waiting.pop(task).divergence(blamed.prints)
    for blamed in waiting.values():
        yield blamed.row("divergence", None, NO_SIBLING)


def _places(of_run: Rollout, seed: int) -> dict[str, int | None]:
    """Return the event that each rule blames, if any; divergence needs another run."""
    run = of_run.run
    places = of_run.places
    found: dict[str, int | None] = {"open-call": next(iter(run.pairs.open_calls), None)}
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
    readers = set()
    for place in run.graph.order:
        event, actor = run.events[place], run.actors[place]
        if actor in readers and of_run.counted.weights[place]:
            found["untrusted"] = place
            break
        if event.trusted is False:
            readers.add(of_run.callers.get(place) or of_run.reader(event) or actor)
    return found
