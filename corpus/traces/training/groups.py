"""The model steps of a run with their rewards, and the groups of runs of one task."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain

from msgspec import UNSET

from corpus.model.finding import WARNING, Finding, Rule, UsageProblem
from corpus.traces.contents import HASH_DIGITS, is_reference
from corpus.traces.lookup import text
from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import summed
from corpus.traces.model import Event
from corpus.traces.run import Run

NO_REWARD = Rule(
    "OT506",
    "trace {value} has no reward on channel {channel}",
    "write it into the trace, with `corpus trace reward`",
    WARNING,
    title="Run without the reward",
    reason="It gets no advantage and is left out of the mean of its group: unknown is not 0.",
)
NO_GROUP = Rule(
    "OT507",
    "no other trace is of task {value}",
    "record several runs of the task, with the same `task_id`",
    WARNING,
    title="Group of one run",
    reason="There is nothing to compare with. What such a run gets differs between "
    "trainers, so it is part of the variant.",
)
OTHER_PROMPTS = Rule(
    "OT519",
    "the runs of task {value} begin with {count} different prompts",
    "give different tasks different ids, unless attempts are told other things",
    WARNING,
    title="Group of different prompts",
    reason="The runs of a group are compared as attempts at one task. Two data sets may number "
    "their tasks alike.",
)


#: What converters write where a recording does not tell its task.
_NO_TASK = ("unknown", "")
#: Formats whose prompts are all that a model was given: what is not in them was not there.
_WHOLE_PROMPTS = ("nemo-gym", "verifiers", "rllm")
#: Contents that are given to the model in a step; all others are written in it.
_GIVEN = ("system", "tool_definitions", "user", "tool")


class Rollout:
    """The model steps of a run in the order in which they can have happened, with its rewards.

    Attributes
    ----------
    run : Run
        The run, with what is by event; all of it until :meth:`drop_events`.
    counted : Steps
        The steps of the run, counted.
    places : list of int
        The event of each step: it has ``x_steps``, or counts as a step where no event has any.
    of_event : list of int
        For each event the latest step of its agent by then; -1 before the first.
    callers : dict of int to str
        For each result of a call the agent that called.
    place, trace : (str, int), str
        File and line where it was read, and its id.
    task : str
        The ``task_id`` of its trace.
    prompt : str
        Hash of all that the main agent was given before its first step; empty where any of it has
        no hash.
    group : str
        Id of its task in the source, or else `prompt`; without both the hash of what a person asked
        first, or empty.
    rewards : dict of str to float
        Rewards of the whole run, by channel.
    of_agents : dict of str to (dict of str to float)
        Rewards of agents, by channel and agent.
    of_steps : dict of str to (dict of int to float)
        By channel the reward of each step that has one: the sum over its events.
    agents, turns : list of str, list of int
        Who takes each step, and how many it has taken before.
    is_told : list of bool
        Whether what the agent was given last before each step has a hash.
    advantages : list of (float or None)
        Of each step, once credit was given.
    """

    def __init__(self, run: Run, place: tuple[str, int] = ("", 0)) -> None:
        self.run = run
        self.place = place
        self.trace = run.id
        self.counted = steps(run)
        self.callers = {result: run.actors[call] for call, result in run.pairs.answers.items()}
        self.prompt = ""
        self._take_steps()
        self.task = run.trace.task_id
        self.group = self._group()
        self.rewards = {}
        self.of_agents: dict[str, dict[str, float]] = {}
        self.of_steps: dict[str, dict[int, float]] = {}
        for name, reward in run.trace.rewards.items():
            channel, _, agent = name.rpartition("@")
            if channel and agent in run.agents:
                self.of_agents.setdefault(channel, {})[agent] = reward
            else:
                self.rewards[name] = reward
        given = defaultdict(list)
        for step, event in zip(self.of_event, run.events, strict=True):
            for channel, reward in (event.x_rewards or {}).items():
                given[channel, step].append(reward)
        for (channel, step), rewards in given.items():
            of_channel = self.of_steps.setdefault(channel, {})
            # A reward before the first step of its agent is of no step.
            if step >= 0:
                of_channel[step] = summed(rewards)
        self.advantages: list[float | None] = [None] * len(self.agents)

    def _take_steps(self) -> None:
        run = self.run
        self.of_event = [-1] * len(run.events)
        self.places: list[int] = []
        self.agents: list[str] = []
        self.turns: list[int] = []
        self.is_told: list[bool] = []
        latest: dict[str, int] = {}
        taken: Counter[str] = Counter()
        heard: dict[str, str] = {}
        # What the main agent was given and has written, until its first step.
        history: str | None = None
        for place in run.graph.order:
            event, actor = run.events[place], run.actors[place]
            others = event.x_contents or {}
            is_main = actor == run.main
            for role in _GIVEN:
                for name in others.get(role, ()):
                    heard[actor] = name
                    if is_main:
                        history = _chained(history, name)
            if self.counted.weights[place]:
                messages = others.get("messages")
                if is_main and not taken[actor]:
                    self.prompt = messages[-1] if messages else history or ""
                latest[actor] = len(self.places)
                self.places.append(place)
                self.agents.append(actor)
                self.turns.append(taken[actor])
                taken[actor] += 1
                self.is_told.append(bool(heard.get(actor) or messages))
            self.of_event[place] = latest.get(actor, -1)
            ref = event.content_ref or ""
            reader = self.callers.get(place) or self.reader(event)
            is_own = event.type != "tool_result"
            if is_own:
                # Who was told nothing goes on from what it wrote itself.
                heard.setdefault(actor, ref)
            if reader and reader != actor:
                heard[reader] = ref
            if (is_main and is_own) or (reader == run.main and not is_main):
                history = _chained(history, ref)

    def _group(self) -> str:
        run, name = self.run, self.task
        # Where a source has no ids of tasks, converters write the hash of the first prompt. Tasks
        # may have that in common, and differ in what the system was told.
        if name not in _NO_TASK and not is_reference(name):
            return name
        if self.prompt or name not in _NO_TASK:
            return self.prompt or name
        for place in run.graph.by_time:
            event = run.events[place]
            if event.type == "human_intervention" and event.content_ref is not UNSET:
                return event.content_ref
            if told := (event.x_contents or {}).get("user"):
                return told[0]
        return ""

    @property
    def has_whole_prompts(self) -> bool:
        """Whether its prompts are recorded with that of the system, if there was one."""
        return text(self.run.events[0].x_run, "format") in _WHOLE_PROMPTS

    def drop_events(self) -> None:
        """Drop what is by event, before this goes to another process or waits for other runs."""
        del self.run, self.counted, self.places, self.of_event, self.callers

    def reader(self, event: Event) -> str:
        """Return the agent that an event gives its content to; empty where it names none."""
        if isinstance(event.to, str):
            return event.to
        if event.type == "human_intervention":
            # What a person asks of nobody is asked of the main agent.
            return self.run.main
        if event.type == "return":
            return self.run.parents.get(self.run.ended(event), "")
        return ""

    def channels(self) -> list[str]:
        """Return the channels of its rewards."""
        return list(dict.fromkeys((*self.rewards, *self.of_agents, *self.of_steps)))


def _chained(known: str | None, name: str) -> str:
    """Return the hash of a history with one more content; empty once any of it is unknown."""
    if known == "" or not name:
        return ""
    return sha256(f"{known} {name}".encode()).hexdigest()[:HASH_DIGITS]


def join_crashed(rollouts: Sequence[Rollout]) -> None:
    """Give runs whose prompt is unknown the group of their task, if there is only one.

    A run that crashed before a step has none.
    """
    of_task = defaultdict(set)
    for one in rollouts:
        if one.prompt and one.task not in _NO_TASK:
            of_task[one.task].add(one.group)
    for one in rollouts:
        if not one.prompt and len(of_task[one.task]) == 1:
            (one.group,) = of_task[one.task]


def grouped(rollouts: Iterable[Rollout]) -> list[list[Rollout]]:
    """Put runs of one task together; a run without task and prompt is a group of its own."""
    rollouts = list(rollouts)
    join_crashed(rollouts)
    groups = defaultdict(list)
    for number, one in enumerate(rollouts):
        groups[one.group or number].append(one)
    return list(groups.values())


def missing(group: list[Rollout], channel: str) -> Iterator[Finding]:
    """Yield what a comparison of the runs of a task lacks."""
    for one in group:
        if channel not in one.channels():
            yield NO_REWARD.at(*one.place, "/rewards", one.trace, channel=channel)
    prompts = {one.prompt for one in group} - {""}
    if len(prompts) > 1:
        yield OTHER_PROMPTS.at(*group[0].place, "/task_id", group[0].group, count=len(prompts))
    if len(group) == 1:
        yield NO_GROUP.at(*group[0].place, "/task_id", group[0].group)


def channel_of(rollouts: Iterable[Rollout], named: str) -> str:
    """Return the channel of some runs that is `named`, or the only one.

    Raises
    ------
    UsageProblem
        Where no trace has it, or there are several or none to choose from.
    """
    known = dict.fromkeys(chain.from_iterable(map(Rollout.channels, rollouts)))
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
