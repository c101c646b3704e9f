"""A run without one of its agents: what its structure loses. Nothing is said about how it would have ended."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import UNSET

from corpus.model.finding import UsageProblem
from corpus.traces.run import Run


class Ablation(NamedTuple):
    """What is left of a run without an agent.

    Attributes
    ----------
    run : Run
        The rest: events and the edges between them, as recorded.
    agents : list of str
        Who is gone: the agent and everyone in the spawn tree below it.
    events : list of str
        Ids of the events that are gone: those agents' own, their spawns and despawns, what was sent to them, and the
        results of their calls.
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


def without(run: Run, agent: str) -> Ablation:
    """Take an agent and those it spawned out of a run.

    Raises
    ------
    UsageProblem
        Where there is no such agent, or nothing would be left.
    """
    if agent not in run.agents:
        raise UsageProblem(f"there is no agent {agent!r}; agents are {', '.join(run.agents[:20])}")
    gone = {agent}
    for name in run.agents:
        if run.parents.get(name) in gone:
            gone.add(name)
    removed = bytearray(len(run.events))
    for place, event in enumerate(run.events):
        removed[place] = event.agent in gone or (event.to is not UNSET and event.to in gone)
    for call, result in run.pairs.answers.items():
        removed[result] |= removed[call]
    if all(removed):
        raise UsageProblem(f"without {agent!r} no event is left")
    return _rest(run, removed, [name for name in run.agents if name in gone])


def _rest(run: Run, removed: bytearray, agents: list[str]) -> Ablation:
    events = [event for event, is_gone in zip(run.events, removed, strict=True) if not is_gone]
    edges = []
    lost: dict[int, None] = {}
    caused: set[int] = set()
    for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
        if removed[target]:
            continue
        if removed[source]:
            lost[target] = None
        else:
            caused.add(target)
            edges.append(edge)
    trace = msgspec.structs.replace(run.trace, events=events, edges=edges)
    ids = [event.id for event in run.events]
    return Ablation(
        Run(trace),
        agents,
        [name for name, is_gone in zip(ids, removed, strict=True) if is_gone],
        [ids[place] for place in sorted(lost) if place not in caused],
        [ids[place] for place in sorted(lost) if place in caused],
    )


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
"""The measures that follow from the structure alone; rewards, costs and times would have been different."""
