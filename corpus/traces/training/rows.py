"""Training rows of a run: its decisions, steps, agents or the run itself, one row each."""

from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.measures.decisions import DECISIONS, DecisionLabel, labels
from corpus.traces.reading.reading import TraceText
from corpus.traces.replay import Replay
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import COLUMNS
from corpus.traces.training.training_rules import NO_STEPS

Cells: TypeAlias = dict[str, list[Any]]

UNITS: Final = ("decision", "step", "agent", "run")
#: Where a row finds its advantage: the number of its step, -1 without one. No column of the output.
STEP: Final = "_step"


class TraceRows(NamedTuple):
    """The rows of one trace as columns, what credit needs of it, and what was left out."""

    cells: Cells
    rollout: Rollout
    findings: list[Finding]


class _Unit(NamedTuple):
    """What a row is of: an event, the step that it belongs to, and the columns of a decision."""

    place: int
    step: int
    agent: str
    decision: dict[str, Any]


def rows(document: TraceText, run: Run, unit: str, train: Collection[str] = ()) -> TraceRows:
    """Return the rows of a run.

    Parameters
    ----------
    document, run
        The trace.
    unit
        One of :data:`UNITS`.
    train
        Agents, roles or models that are trained.
    """
    found = Rollout(run, document.place)
    findings = []
    if unit == "run":
        units = [_Unit(run.graph.order[0], -1, run.main, {})]
    elif unit == "agent":
        units = []
        first = {agent: step for step, agent in reversed([*enumerate(found.agents)])}
        for agent in run.agents:
            if agent in first:
                units.append(_Unit(run.first[agent], first[agent], agent, {}))
            else:
                place = (*document.place, "/events", agent)
                findings.append(NO_STEPS.at(*place, trace=run.trace.trace_id))
    elif unit == "step":
        own = zip(found.places, found.agents, strict=True)
        units = [_Unit(place, step, agent, {}) for step, (place, agent) in enumerate(own)]
    else:
        units = list(_decisions(found))
    cells = _rollout_cells(found, units, unit, train) | _rewards(found, units, unit)
    found.drop_events()
    return TraceRows(cells, found, findings)


def _decisions(found: Rollout) -> Iterator[_Unit]:
    """Yield the decisions that each step takes, and those that its agent takes at other times.

    A decision event and what it leads to are one decision. An end from outside or at a limit is a
    decision of nobody.
    """
    run = found.run
    given = [one for one in labels(run) if one.stop not in ("external", "truncated")]
    causes = {(one.event, one.decision) for one in given if one.rule == "causes"}
    owner = {}
    if causes:
        for source, target in run.graph.edges():
            for decision in DECISIONS:
                if (source, decision) in causes:
                    owner[target, decision] = source
    taken: dict[tuple[int, str], list[DecisionLabel]] = {}
    alone = []
    takers = set()
    for one in given:
        place = owner.get((one.event, one.decision), one.event)
        step = found.of_event[place]
        takers.add((run.actors[place], one.decision))
        if step < 0:
            alone.append(_taken(run, place, -1, [one]))
        else:
            taken.setdefault((step, one.decision), []).append(one)
    is_fed = _fed(found)
    for step, (place, agent) in enumerate(zip(found.places, found.agents, strict=True)):
        for decision in DECISIONS:
            made = taken.get((step, decision))
            if made:
                yield _taken(run, place, step, made)
            elif (agent, decision) in takers and (decision != "O4" or is_fed[step]):
                yield _Unit(place, step, agent, {"decision": decision, "chosen": False})
    yield from alone


def _taken(run: Run, place: int, step: int, made: list[DecisionLabel]) -> _Unit:
    """Return the row of a decision that was taken, with the agents that it is about."""
    names: dict[str, None] = {}
    for one in made:
        target = run.events[one.event].to
        if one.rule != "causes" and isinstance(target, str):
            names[target] = None
    row = {"decision": made[0].decision, "chosen": True, "rule": made[0].rule}
    return _Unit(place, step, run.actors[place], row | {"choice": ",".join(names) or None})


def _fed(found: Rollout) -> list[bool]:
    """Tell of each step whether its agent has got anything to aggregate since it last did."""
    fed = set()
    is_fed = [False] * len(found.places)
    for place in found.run.graph.order:
        event = found.run.events[place]
        step = found.of_event[place]
        if step >= 0 and found.places[step] == place:
            is_fed[step] = event.agent in fed
        if event.type in ("return", "message"):
            fed.add(found.reader(event))
        elif event.type == "aggregate":
            fed.discard(event.agent)
    return is_fed


def _rollout_cells(found: Rollout, units: list[_Unit], unit: str, train: Collection[str]) -> Cells:
    """Return the columns of :data:`COLUMNS`, and :data:`STEP`."""
    run = found.run
    states = _states(run, {one.place for one in units})
    *_, all_tokens, all_steps = states[-1]
    critical = set(found.critical)
    useful_agents = {run.actors[place] for place, useful in enumerate(run.useful) if useful}
    critical_agents = {found.agents[step] for step in found.critical}
    cells: Cells = {name: [] for name in (*COLUMNS, STEP)}
    for one in units:
        event = run.events[one.place]
        row: dict[str, Any] = dict.fromkeys(cells) | one.decision
        row |= {"trace": found.trace, "group": found.group, "event": event.id, "agent": one.agent}
        row |= {"depth": run.depths.get(one.agent), "role": run.roles.get(one.agent)}
        row["live_agents"], row["open_calls"], tokens, row["steps"] = states[one.place]
        row["steps_to_go"] = all_steps - row["steps"]
        if event.x_model is not UNSET:
            row["model"] = event.x_model
        row[STEP] = one.step
        if one.step >= 0:
            row["turn"] = found.turns[one.step]
            row["context"] = found.contexts[one.step] or None
        if run.states_tokens:
            row["tokens"], row["tokens_to_go"] = tokens, all_tokens - tokens
        if run.has_clock:
            row["seconds"], row["seconds_to_go"] = event.t - run.begin, run.finish - event.t
        if unit != "run":
            useful, row["critical"] = bool(run.useful[one.place]), one.step in critical
            if unit == "agent":
                useful, row["critical"] = one.agent in useful_agents, one.agent in critical_agents
            row["outcome"] = ("wasted", "useful")[useful]
        if train:
            row["trained"] = not {one.agent, row["role"], row["model"]}.isdisjoint(train)
        for name, column in cells.items():
            column.append(row[name])
    return cells


def _states(run: Run, places: set[int]) -> dict[int, tuple[int, int, float, float]]:
    """Return live agents, open calls, tokens and steps before some events; by -1 at the end."""
    replay = Replay(run)
    state = (0, 0, 0.0, 0.0)
    found = {}
    for place in replay.play():
        if place in places:
            found[place] = state
        state = (len(replay.live), len(replay.open_calls), replay.tokens, replay.steps)
    return {**found, -1: state}


def _rewards(found: Rollout, units: list[_Unit], unit: str) -> Cells:
    """Return for each channel the reward of each row and the reward to go.

    The reward to go is the sum of all rewards of steps and calls from the event on, of agents whose
    last event is not before it, and of the run.
    """
    run, rank = found.run, found.run.graph.rank
    cells = {}
    for channel in found.channels():
        of_agents = found.of_agents.get(channel, {})
        of_steps = found.of_steps.get(channel, {})
        dated = []
        for agent in of_agents.keys() & run.last.keys():
            dated.append((rank[run.last[agent]], of_agents[agent]))
        for place, event in enumerate(run.events):
            if event.x_rewards is not UNSET and channel in event.x_rewards:
                dated.append((rank[place], event.x_rewards[channel]))
        dated.sort()
        after = [found.rewards.get(channel, 0.0)]
        for _, reward in reversed(dated):
            after.append(after[-1] + reward)
        after.reverse()
        moments = [moment for moment, _ in dated]
        own: list[float | None] = []
        to_go: list[float | None] = []
        for one in units:
            given = of_steps.get(one.step)
            if unit == "run":
                given = found.rewards.get(channel)
            elif unit == "agent":
                given = of_agents.get(one.agent)
            own.append(given)
            to_go.append(after[bisect_left(moments, rank[one.place])])
        cells[f"reward_{channel}"] = own
        cells[f"to_go_{channel}"] = to_go
    return cells
