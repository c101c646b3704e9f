"""The model steps of a run with their rewards, and the groups of runs of one task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding, UsageProblem
from corpus.traces.contents import HASH_DIGITS
from corpus.traces.measures.steps import critical_path, steps
from corpus.traces.measures.timing import summed
from corpus.traces.model import Event
from corpus.traces.run import Run
from corpus.traces.training.training_rules import NO_GROUP, NO_REWARD

#: What converters write where a recording does not tell its task.
_NO_TASK: Final = ("unknown", "")
#: Contents that are given to the model in a step; all others are written in it.
_GIVEN: Final = ("system", "tool_definitions", "user", "tool")


class RunSteps:
    """The model steps of a run, in the order of a replay.

    Attributes
    ----------
    counted : Steps
        The steps of the run, counted.
    places : list of int
        The event of each step: it has ``x_steps``, or counts as a step where no event has any.
    of_event : list of int
        For each event the latest step of its agent by then; -1 before the first.
    agents : list of str
        Who takes each step.
    contexts : list of str
        Hash of all that the agent had been given and had written before each step, in order, or
        of the messages that were recorded for it; empty where any of it has no hash.
    observations : list of str
        Hash of the last content that was given to the agent before each step; empty without one.
    callers : dict of int to str
        For each result of a call the agent that called.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.places: list[int] = []
        self.of_event = [-1] * len(run.events)
        self.agents: list[str] = []
        self.contexts: list[str] = []
        self.observations: list[str] = []
        self.counted = steps(run)
        weights = self.counted.weights
        self.callers = {result: run.actors[call] for call, result in run.pairs.answers.items()}
        latest: dict[str, int] = {}
        known: dict[str, str] = {}
        heard: dict[str, str] = {}
        for place in run.graph.order:
            event, actor = run.events[place], run.actors[place]
            others = {} if event.x_contents is UNSET else event.x_contents
            for role in _GIVEN:
                for name in others.get(role, ()):
                    known[actor] = _chained(known.get(actor), name)
                    heard[actor] = name
            if weights[place]:
                latest[actor] = len(self.places)
                self.places.append(place)
                self.agents.append(actor)
                messages = others.get("messages")
                self.contexts.append(messages[-1] if messages else known.get(actor, ""))
                self.observations.append(heard.get(actor, ""))
            self.of_event[place] = latest.get(actor, -1)
            ref = "" if event.content_ref is UNSET else event.content_ref
            reader = self.callers.get(place) or self.reader(event)
            if event.type != "tool_result":
                known[actor] = _chained(known.get(actor), ref)
            if reader and reader != actor:
                known[reader] = _chained(known.get(reader), ref)
                heard[reader] = ref

    def reader(self, event: Event) -> str:
        """Return the agent that an event gives its content to; empty where it names none."""
        if isinstance(event.to, str):
            return event.to
        if event.type == "return":
            return self.run.parents.get(self.run.returning(event), "")
        return ""

    def rewards(self) -> dict[str, dict[int, float]]:
        """Return by channel the reward of each step that has one: the sum over its events."""
        found: dict[str, dict[int, list[float]]] = {}
        for place, event in enumerate(self.run.events):
            if event.x_rewards is not UNSET:
                for channel, reward in event.x_rewards.items():
                    of_steps = found.setdefault(channel, {})
                    of_steps.setdefault(self.of_event[place], []).append(reward)
        sums = {}
        for channel, of_steps in found.items():
            sums[channel] = {step: summed(given) for step, given in of_steps.items()}
        return sums


def _chained(known: str | None, name: str) -> str:
    """Return the hash of a history with one more content; empty once any of it is unknown."""
    if known == "" or not name:
        return ""
    return sha256(f"{known} {name}".encode()).hexdigest()[:HASH_DIGITS]


class Rollout(NamedTuple):
    """What credit needs to know of one run.

    Attributes
    ----------
    file, line, trace : str, int, str
        Where it was read, and its id.
    group : str
        Id of its task, or else the hash of its first prompt; empty without both.
    rewards : dict of str to float
        Rewards of the whole run, by channel.
    of_agents : dict of str to (dict of str to float)
        Rewards of agents, by channel and agent.
    of_steps : dict of str to (dict of int to float)
        Rewards of steps, by channel and number of the step; -1 is before an agent's first.
    agents, branches, contexts, observations : list of str
        Of each step: agent, the child of the main agent that it works for (or the main agent
        itself), and the hashes of :class:`RunSteps`.
    critical : list of int
        Steps on the critical path.
    main : str
        The main agent.
    spawned, finished, critical_steps, all_steps : float
        Agents that were spawned, those of them that returned without an error, PARL's critical
        steps (0 where undefined), and all steps.
    """

    file: str
    line: int
    trace: str
    group: str
    rewards: dict[str, float]
    of_agents: dict[str, dict[str, float]]
    of_steps: dict[str, dict[int, float]]
    agents: list[str]
    branches: list[str]
    contexts: list[str]
    observations: list[str]
    critical: list[int]
    main: str
    spawned: float
    finished: float
    critical_steps: float
    all_steps: float

    def channels(self) -> list[str]:
        """Return the channels of its rewards."""
        return list(dict.fromkeys((*self.rewards, *self.of_agents, *self.of_steps)))

    def turns(self) -> list[int]:
        """Return for each step how many its agent has taken before."""
        taken: dict[str, int] = {}
        found = []
        for agent in self.agents:
            found.append(taken.get(agent, 0))
            taken[agent] = found[-1] + 1
        return found


def rollout(place: tuple[str, int], run: Run, of_run: RunSteps | None = None) -> Rollout:
    """Return what credit needs to know of a run."""
    of_run = of_run or RunSteps(run)
    rewards = {}
    of_agents: dict[str, dict[str, float]] = {}
    for name, reward in run.trace.rewards.items():
        channel, _, agent = name.rpartition("@")
        if channel and agent in run.agents:
            of_agents.setdefault(channel, {})[agent] = reward
        else:
            rewards[name] = reward
    finished = set()
    for event in run.trace.events:
        if event.type == "return" and event.x_error in (UNSET, None, False):
            finished.add(run.returning(event))
    on_path = set(critical_path(run, of_run.counted))
    critical = [step for step, event in enumerate(of_run.places) if event in on_path]
    branch_of = _branches(run)
    return Rollout(
        file=place[0],
        line=place[1],
        trace=run.trace.trace_id,
        group=task_of(run),
        rewards=rewards,
        of_agents=of_agents,
        of_steps=of_run.rewards(),
        agents=of_run.agents,
        branches=[branch_of.get(agent, agent) for agent in of_run.agents],
        contexts=of_run.contexts,
        observations=of_run.observations,
        critical=critical,
        main=run.main,
        spawned=len(run.parents),
        finished=len(finished & run.parents.keys()),
        critical_steps=of_run.counted.critical or 0.0,
        all_steps=of_run.counted.total,
    )


def _branches(run: Run) -> dict[str, str]:
    """Return for each agent the child of the main agent that it was spawned by, or is."""
    found: dict[str, str] = {}
    for agent in run.agents:
        parent = run.parents.get(agent)
        # Parents come before their children.
        found[agent] = agent if parent in (None, run.main) else found.get(parent, agent)
    return found


def task_of(run: Run) -> str:
    """Return the id of the task, or else the hash of its first prompt; empty without both."""
    if run.trace.task_id not in _NO_TASK:
        return run.trace.task_id
    for place in run.graph.by_time:
        event = run.events[place]
        if event.type == "human_intervention" and event.content_ref is not UNSET:
            return event.content_ref
        if event.x_contents is not UNSET and event.x_contents.get("user"):
            return event.x_contents["user"][0]
    return ""


class TaskGroup(NamedTuple):
    """The runs of one task.

    Attributes
    ----------
    name : str
        Id of the task, hash of the prompt, or empty for runs without both, which stay alone.
    rollouts : list of Rollout
        Its runs, in the order in which they were read.
    """

    name: str
    rollouts: list[Rollout]

    def rewards(self, channel: str) -> list[float]:
        """Return the rewards of the runs that have one on a channel."""
        return [one.rewards[channel] for one in self.rollouts if channel in one.rewards]

    def missing(self, channel: str) -> Iterator[Finding]:
        """Yield what a comparison within the group lacks."""
        for one in self.rollouts:
            if channel not in one.channels():
                yield NO_REWARD.at(one.file, one.line, "/rewards", one.trace, channel=channel)
        if len(self.rollouts) == 1:
            one = self.rollouts[0]
            yield NO_GROUP.at(one.file, one.line, "/task_id", self.name)


def grouped(rollouts: Iterable[Rollout]) -> list[TaskGroup]:
    """Put runs of one task together; a run without task and prompt is a group of its own."""
    groups: dict[tuple[str, int], TaskGroup] = {}
    for number, one in enumerate(rollouts):
        key = (one.group, 0 if one.group else number)
        groups.setdefault(key, TaskGroup(one.group, [])).rollouts.append(one)
    return list(groups.values())


def channel_of(known: Collection[str], named: str) -> str:
    """Return the channel that is `named`, or the only one.

    Raises
    ------
    UsageProblem
        Where no trace has it, or there are several or none to choose from.
    """
    listed = ", ".join(known) or "none"
    if named and named not in known:
        raise UsageProblem(f"no trace has a reward on channel {named!r}; channels are {listed}")
    if not named and len(known) != 1:
        raise UsageProblem(f"choose a channel with --channel; channels are {listed}")
    return named or next(iter(known))


def mean(values: list[float]) -> float:
    """Return the mean; the same in any order of the values."""
    return summed(values) / len(values)


def deviation(values: list[float], sample: bool = True) -> float:
    """Return the standard deviation, of a sample by n - 1; 0 of a single value."""
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    squares = [(one - middle) * (one - middle) for one in values]
    return float((summed(squares) / (len(values) - sample)) ** 0.5)
