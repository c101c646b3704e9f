"""Model steps of a run: in all, on the longest path, and critical steps by stages as Kimi K2.5's PARL counts them."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.traces.run import Run

UNCOUNTED: Final = frozenset(("tool_result", "despawn", "human_intervention", "safety_event"))
"""Events that are no step of a model, where the trace does not count steps itself."""


class Steps(NamedTuple):
    """Steps of a run.

    Attributes
    ----------
    weights : list of float
        Steps of each event: its ``x_steps``; where no event has any, 1 for each event of a team member but for
        :data:`UNCOUNTED`.
    counted : bool
        Whether the trace counts steps itself.
    by_agent : dict of str to float
        Steps of each agent.
    total, main, span : float
        All steps, those of the main agent, those on the heaviest path of edges.
    stages : int
        Groups of sub-agents that the main agent spawned together.
    critical : float or None
        Steps of the main agent plus, for each stage, those of its longest sub-agent. None where an agent with steps
        stands outside the main agent's spawn tree, since PARL knows no such agent.
    """

    weights: list[float]
    counted: bool
    by_agent: dict[str, float]
    total: float
    main: float
    span: float
    stages: int
    critical: float | None


def steps(run: Run) -> Steps:
    """Count the steps of a run."""
    stated = [event.x_steps for event in run.events]
    weights: list[float] = [0 if own is UNSET else own for own in stated]
    counted = any(weights) or any(own is not UNSET for own in stated)
    if not counted:
        tools = run.tools
        weights = [
            0 if kind in UNCOUNTED or actor in tools else 1 for kind, actor in zip(run.kinds, run.actors, strict=True)
        ]
    by_agent: dict[str, float] = {}
    for actor, weight in zip(run.actors, weights, strict=True):
        if weight:
            by_agent[actor] = by_agent.get(actor, 0) + weight
    groups = stages(run)
    return Steps(
        weights,
        counted,
        by_agent,
        sum(by_agent.values()),
        by_agent.get(run.main, 0),
        run.graph.heaviest(weights),
        len(groups.get(run.main, ())),
        _critical(run, by_agent, groups),
    )


def stages(run: Run) -> dict[str, list[list[str]]]:
    """Group each agent's sub-agents into stages: a spawn after a return opens the next one."""
    found: dict[str, list[list[str]]] = {}
    open_stage: dict[str, bool] = {}
    rank = run.graph.rank
    seen: set[str] = set()
    for place in sorted([*run.spawns, *run.by_kind.get("return", ())], key=rank.__getitem__):
        event = run.events[place]
        if event.type == "return":
            open_stage[run.parents.get(event.agent, "")] = False
            continue
        child = event.to
        if child is UNSET or run.parents.get(child) != event.agent or child in seen:
            continue
        seen.add(child)
        groups = found.setdefault(event.agent, [])
        if not open_stage.get(event.agent):
            groups.append([])
            open_stage[event.agent] = True
        groups[-1].append(child)
    return found


def _critical(run: Run, by_agent: dict[str, float], groups: dict[str, list[list[str]]]) -> float | None:
    """Apply PARL's sum to every agent of the tree, children first; each sub-agent counts with its own sub-agents."""
    critical: dict[str, float] = {}
    for agent in reversed(run.agents):
        critical[agent] = by_agent.get(agent, 0)
        if agent in groups:
            critical[agent] += sum([max([critical.get(child, 0) for child in stage]) for stage in groups[agent]])
    outside = any(run.roots.get(agent, agent) != run.main for agent in by_agent if agent not in run.tools)
    return None if outside else critical[run.main]
