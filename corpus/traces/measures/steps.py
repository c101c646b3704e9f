"""Model steps of a run: in all, on the longest path, and critical steps as PARL counts them.

PARL is the reinforcement learning of agent teams in the technical report of Kimi K2.5.
"""

from dataclasses import dataclass

from msgspec import UNSET

from corpus.traces.run import Run

#: Events that are not a step of a model, where the trace does not count steps itself.
UNCOUNTED = frozenset(("tool_result", "despawn", "human_intervention", "safety_event"))


@dataclass(frozen=True)
class Steps:
    """Steps of a run.

    Attributes
    ----------
    weights : list of float
        Steps of each event: its ``x_steps``; where no event has any, 1 for each event of a team
        member other than :data:`UNCOUNTED`.
    total, main, span : float
        All steps, those of the main agent, those on the heaviest path of edges.
    stages : int
        Groups of sub-agents that the main agent spawned together.
    critical : float or None
        Steps of the main agent plus, for each stage, those of its longest sub-agent. None where an
        agent with steps is outside the main agent's spawn tree, which PARL does not know.
    """

    weights: list[float]
    total: float
    main: float
    span: float
    stages: int
    critical: float | None


def steps(run: Run) -> Steps:
    """Count the steps of a run."""
    # A trace that counts steps on one event counts them on all: the others have none.
    # Comprehensions with a conditional inside: they run for every event, and a loop takes half as
    # long again.
    if any(event.x_steps is not UNSET for event in run.events):
        weights = [event.x_steps or 0 for event in run.events]
    else:
        tools = run.tools
        acts = zip(run.kinds, run.actors, strict=True)
        weights = [0 if kind in UNCOUNTED or actor in tools else 1 for kind, actor in acts]
    by_agent: dict[str, float] = {}
    for actor, weight in zip(run.actors, weights, strict=True):
        if weight:
            by_agent[actor] = by_agent.get(actor, 0) + weight
    groups = stages(run)
    # PARL's sum for every agent of the spawn tree, each with its own sub-agents. The agents come
    # parents first, so read backwards every child is done before its parent.
    sums: dict[str, float] = {}
    for agent in reversed(run.agents):
        longest = []
        for stage in groups.get(agent, ()):
            of_children = [sums.get(child, 0) for child in stage]
            longest.append(max(of_children))
        sums[agent] = by_agent.get(agent, 0) + sum(longest)
    critical: float | None = sums[run.main]
    for agent in by_agent.keys() - {run.main} - run.tools:
        if run.parents.get(run.branches.get(agent, "")) != run.main:
            critical = None
    return Steps(
        weights=weights,
        total=sum(by_agent.values()),
        main=by_agent.get(run.main, 0),
        span=run.graph.heaviest(weights),
        stages=len(groups.get(run.main, ())),
        critical=critical,
    )


def stages(run: Run) -> dict[str, list[list[str]]]:
    """Group each agent's sub-agents into stages: a spawn after a return opens the next one."""
    found: dict[str, list[list[str]]] = {}
    latest: dict[str, list[str]] = {}
    seen = set()
    for place in sorted([*run.spawns, *run.by_kind["return"]], key=run.graph.rank.__getitem__):
        event = run.events[place]
        if event.type == "return":
            # The parent has read an answer: what it spawns from now on is another stage.
            latest.pop(run.parents.get(run.ended(event), ""), None)
            continue
        child = event.to
        if child is UNSET or child in seen or run.parents.get(child) != event.agent:
            continue
        seen.add(child)
        if event.agent not in latest:
            latest[event.agent] = []
            found.setdefault(event.agent, []).append(latest[event.agent])
        latest[event.agent].append(child)
    return found


def critical_path(run: Run, counted: Steps | None = None) -> list[int]:
    """Return the path of the most model steps; of equal ones that of the latest causes."""
    graph = run.graph
    times = run.times
    weights = (counted or steps(run)).weights
    best = list(weights)
    before = [-1] * len(best)
    for source, target in graph.edges():
        reached = best[source] + weights[target]
        if reached < best[target]:
            continue
        if reached == best[target]:
            known = before[target]
            is_later = known < 0 or times[source] > times[known]
            # A cause without steps before it adds nothing to the path.
            if not is_later or best[source] <= 0:
                continue
        best[target] = reached
        before[target] = source
    path = [max(graph.order, key=best.__getitem__)]
    while before[path[-1]] >= 0:
        path.append(before[path[-1]])
    return path[::-1]
