"""A run without one of its agents: what its structure loses.

How the run would have ended, no trace can tell.
"""

from itertools import compress
from operator import not_
from typing import NamedTuple

import msgspec

from corpus.model.finding import UsageProblem
from corpus.traces.run import Run

#: The measures that follow from the structure alone; rewards, costs and times would differ.
STRUCTURE = (
    "events",
    "edges",
    "agents",
    "span",
    "parallelism",
    "depth",
    "fan_out_peak",
    "fan_in_peak",
    "steps",
    "critical_steps",
    "span_steps",
    "wasted_events",
    "wasted_spawns",
)


class Ablation(NamedTuple):
    """What is left of a run without an agent.

    Attributes
    ----------
    run : Run
        The rest: events and the edges between them, as recorded.
    agents : list of str
        The removed agents: the one that was named and everyone in the spawn tree below it.
    events : list of str
        Ids of the removed events: those of these agents, their spawns and despawns, what was sent
        to them, and the results of their calls.
    uncaused : list of str
        Ids of the events that are left but have lost every cause they had.
    weakened : list of str
        Ids of the events that have lost some of their causes.
    """

    run: Run
    agents: list[str]
    events: list[str]
    uncaused: list[str]
    weakened: list[str]


def ablate(run: Run, agent: str) -> Ablation:
    """Remove an agent and those it spawned from a run.

    Raises
    ------
    UsageProblem
        Where the run has no such agent, or nothing would be left.
    """
    if agent not in run.agents:
        known = ", ".join(run.agents[:20])
        raise UsageProblem(f"unknown agent {agent!r}; the agents of this trace are {known}")
    agents = run.below([agent])
    gone = set(agents)
    removed = [event.agent in gone or event.to in gone for event in run.events]
    # Nobody asked any more, so nothing is answered.
    for call, result in run.pairs.answers.items():
        removed[result] |= removed[call]
    if all(removed):
        raise UsageProblem(f"without {agent!r} the trace has no event left")
    edges = []
    lost = set()
    caused = set()
    for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
        if removed[target]:
            continue
        if removed[source]:
            lost.add(target)
        else:
            caused.add(target)
            edges.append(edge)
    kept = list(compress(run.events, map(not_, removed)))
    return Ablation(
        run=Run(msgspec.structs.replace(run.trace, events=kept, edges=edges)),
        agents=agents,
        events=[event.id for event in compress(run.events, removed)],
        uncaused=_ids(run, lost - caused),
        weakened=_ids(run, lost & caused),
    )


def _ids(run: Run, places: set[int]) -> list[str]:
    """Return the ids of some events, in the order of the trace."""
    return [run.events[place].id for place in sorted(places)]
