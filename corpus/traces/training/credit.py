"""Schemes that turn the rewards of recorded runs into an advantage for each model step.

A scheme is a plain function of the runs of one task. What the sources leave open is an option with
a name, and the variant with all its options is part of every output.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from corpus.model.finding import UsageProblem
from corpus.traces.measures.timing import summed
from corpus.traces.training.groups import Rollout, deviation, grouped, mean
from corpus.traces.training.tables import CHOICES, REFUSED, SCHEMES

#: For each run an advantage per step; None where the scheme gives none.
Advantages: TypeAlias = list[list[float | None]]
Options: TypeAlias = dict[str, Any]
#: What a value is compared with, the steps of its run that it is of, and the value.
_Sample: TypeAlias = tuple[Hashable, Iterable[int], float]


class CreditVariant(NamedTuple):
    """A scheme with the channel that it reads and all its options; written as one word."""

    scheme: str
    channel: str
    options: Options

    def __str__(self) -> str:
        """Return scheme, channel and options, as outputs name them."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        return f"{self.scheme}({','.join([f'channel={self.channel}', *options])})"


#: From the runs of one task and a variant to their advantages.
_Scheme: TypeAlias = Callable[[Sequence[Rollout], CreditVariant], Advantages]


def _deviations(values: list[float], options: Options) -> tuple[float, float]:
    """Measure differences in standard deviations, or as they are."""
    if options["std"] == "none":
        return 1.0, 1.0
    return 1.0, deviation(values, sample=options["std"] == "n-1") + options["eps"]


def _without_own(values: list[float], _: Options) -> tuple[float, float]:
    """Compare with the mean of the others."""
    return len(values), len(values) - 1


def _means(values: list[float], options: Options) -> tuple[float, float]:
    """Measure differences in means."""
    if min(values) < 0:
        raise UsageProblem("maxrl divides by the mean reward: it needs rewards from 0 on")
    return 1.0, mean(values) + options["eps"]


def _compared(
    samples: Callable[[Rollout, CreditVariant], Iterable[_Sample]],
    measure: Callable[[list[float], Options], tuple[float, float]] = _deviations,
) -> _Scheme:
    """Return the scheme that compares samples of all runs that have the same key.

    The difference of a sample from their mean is the advantage of all its steps: times the first
    number of `measure`, divided by the second. A single one gets what the option `alone` tells.
    """

    def scheme(runs: Sequence[Rollout], variant: CreditVariant) -> Advantages:
        found: Advantages = []
        by_key: dict[Hashable, list[tuple[list[float | None], Iterable[int], float]]] = {}
        for one in runs:
            found.append([None] * len(one.agents))
            for key, own, value in samples(one, variant):
                by_key.setdefault(key, []).append((found[-1], own, value))
        for members in by_key.values():
            values = [value for _, _, value in members]
            factor, divisor = measure(values, variant.options)
            middle = mean(values)
            for of_run, own, value in members:
                # Equal rewards have no difference to scale; beyond all numbers nothing is known.
                advantage: float | None = 0.0
                if len(values) == 1:
                    single = {"none": None, "zero": 0.0, "reward": value}
                    advantage = single[variant.options["alone"]]
                elif divisor == math.inf:
                    advantage = math.nan
                elif divisor:
                    advantage = (value - middle) * factor / divisor
                for step in own:
                    of_run[step] = advantage
        return found

    return scheme


def _of_agent(one: Rollout, agent: str, channel: str) -> float | None:
    """Return the reward of an agent; that of the run where no agent has one of its own."""
    if channel in one.of_agents:
        return one.of_agents[channel].get(agent)
    return one.rewards.get(channel)


def returns(rewards: list[float], gamma: float) -> list[float]:
    """Return the discounted sum of each reward and those after it.

    Examples
    --------
    >>> returns([0.0, 1.0, 4.0], 0.5)
    [1.5, 3.0, 4.0]
    """
    found = []
    after = 0.0
    for reward in reversed(rewards):
        after = reward + gamma * after
        found.append(after)
    return found[::-1]


def _stream(one: Rollout, channel: str) -> list[float] | None:
    """Return the reward of each step, that of the run with the last one; None without any."""
    if not one.agents or channel not in {*one.rewards, *one.of_steps}:
        return None
    of_steps = one.of_steps.get(channel, {})
    rewards = [of_steps.get(step, 0.0) for step in range(len(one.agents))]
    rewards[-1] += one.rewards.get(channel, 0.0)
    return rewards


def _of_run(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the reward of a run."""
    if variant.channel in one.rewards:
        yield "", range(len(one.agents)), one.rewards[variant.channel]


def _of_agents(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the reward of each turn of an agent, to compare with all turns of this agent."""
    for step, agent in enumerate(one.agents):
        reward = _of_agent(one, agent, variant.channel)
        if reward is not None:
            yield agent, (step,), reward


def _of_joint_turns(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the return of each joint turn, to compare with the same turn of the other runs."""
    turns = one.turns
    stream = _stream(one, variant.channel)
    if stream is None:
        return
    joint = [0.0] * (max(turns) + 1)
    for turn, reward in zip(turns, stream, strict=True):
        joint[turn] += reward
    # The reward of the run belongs to its last turn, whoever took the last step.
    last = one.rewards.get(variant.channel, 0.0)
    joint[turns[-1]] -= last
    joint[-1] += last
    of_turn = returns(joint, variant.options["gamma"])
    for step, turn in enumerate(turns):
        yield (one.agents[step], turn), (step,), of_turn[turn]


def _of_turns(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the reward of each turn, to compare with the same turn of the agent in other runs."""
    of_steps = one.of_steps.get(variant.channel)
    for step, (agent, turn) in enumerate(zip(one.agents, one.turns, strict=True)):
        reward = _of_agent(one, agent, variant.channel)
        if of_steps is not None:
            reward = of_steps.get(step)
        if reward is not None:
            yield (agent, turn), (step,), reward


def _of_streams(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the sum of the rewards of a run."""
    stream = _stream(one, variant.channel)
    if stream is not None:
        yield "", range(len(stream)), summed(stream)


def _at_anchors(one: Rollout, variant: CreditVariant) -> Iterator[_Sample]:
    """Yield the return of each step, to compare with steps that were taken at the same anchor."""
    stream = _stream(one, variant.channel)
    if stream is None:
        return
    anchors = one.observations
    if variant.options["anchor"] == "context":
        anchors = one.contexts
    for step, value in enumerate(returns(stream, variant.options["gamma"])):
        if anchors[step]:
            yield anchors[step], (step,), value


def rae(runs: Sequence[Rollout], variant: CreditVariant) -> Advantages:
    """Compare with a running mean of the agent's rewards, in the order of the runs."""
    decay = variant.options["decay"]
    baselines: dict[str, float] = {}
    found: Advantages = []
    for one in runs:
        advantages = {}
        for agent in dict.fromkeys(one.agents):
            reward = _of_agent(one, agent, variant.channel)
            if reward is not None:
                baseline = baselines.get(agent, 0.0)
                advantages[agent] = reward - baseline
                baselines[agent] = decay * baseline + (1 - decay) * reward
        found.append(list(map(advantages.get, one.agents)))
    return found


def gigpo(runs: Sequence[Rollout], variant: CreditVariant) -> Advantages:
    """Add to the comparison of runs one of the steps that were taken at the same anchor."""
    alone_is_zero = variant._replace(options={**variant.options, "alone": "zero"})
    found = _compared(_at_anchors)(runs, alone_is_zero)
    for own, of_runs in zip(found, _compared(_of_streams)(runs, variant), strict=True):
        for step, (of_step, of_run) in enumerate(zip(own, of_runs, strict=True)):
            own[step] = None
            if of_run is not None and of_step is not None:
                own[step] = of_run + variant.options["omega"] * of_step
    return found


def _each(compute: Callable[[Rollout, CreditVariant], Sequence[float | None] | None]) -> _Scheme:
    """Return the scheme that computes the advantages of each run from this run alone."""

    def scheme(runs: Sequence[Rollout], variant: CreditVariant) -> Advantages:
        return [list(compute(one, variant) or [None] * len(one.agents)) for one in runs]

    return scheme


@_each
def discounted(one: Rollout, variant: CreditVariant) -> list[float] | None:
    """Return the discounted sum of the rewards from each step on."""
    stream = _stream(one, variant.channel)
    return stream and returns(stream, variant.options["gamma"])


@_each
def uniform(one: Rollout, variant: CreditVariant) -> list[float] | None:
    """Divide the reward among the branches, and that of a branch among its steps."""
    if variant.channel not in one.rewards:
        return None
    lengths = Counter(one.branches)
    share = one.rewards[variant.channel] / max(len(lengths), 1)
    return [share / lengths[branch] for branch in one.branches]


@_each
def critical(one: Rollout, variant: CreditVariant) -> list[float] | None:
    """Divide the reward among the steps on the critical path."""
    if variant.channel not in one.rewards or not one.critical:
        return None
    found = [0.0] * len(one.agents)
    for step in one.critical:
        found[step] = one.rewards[variant.channel] / len(one.critical)
    return found


@_each
def parl(one: Rollout, variant: CreditVariant) -> list[float | None] | None:
    """Add terms of parallelism to the reward, for the steps of the main agent alone."""
    weights = variant.options
    if variant.channel not in one.rewards or not one.critical_steps:
        return None
    reward = one.rewards[variant.channel]
    reward += weights["parallel"] * one.all_steps / one.critical_steps
    if one.spawned:
        reward += weights["finish"] * one.finished / one.spawned
    reward -= weights["critical"] * one.critical_steps
    found: list[float | None] = [None] * len(one.agents)
    for step, agent in enumerate(one.agents):
        if agent == one.main:
            found[step] = reward
    return found


_COMPUTE: dict[str, _Scheme] = {
    "grpo": _compared(_of_run),
    "rloo": _compared(_of_run, _without_own),
    "maxrl": _compared(_of_run, _means),
    "dr-mas": _compared(_of_agents),
    "magrpo": _compared(_of_joint_turns),
    "rae": rae,
    "at-grpo": _compared(_of_turns),
    "gigpo": gigpo,
    "discounted": discounted,
    "uniform": uniform,
    "critical-path": critical,
    "parl": parl,
}


def variant(written: str, channel: str) -> CreditVariant:
    """Read a scheme with its options: ``NAME`` or ``NAME:OPTION=VALUE,...``.

    Raises
    ------
    UsageProblem
        Where the scheme is refused or unknown, or an option or its value is.

    Examples
    --------
    >>> str(variant("grpo:std=n", "team"))
    'grpo(channel=team,std=n,alone=none,eps=1e-06)'
    """
    name, _, rest = written.partition(":")
    if name in REFUSED:
        raise UsageProblem(f"{name} cannot be computed from recordings: {REFUSED[name]}")
    if name not in SCHEMES:
        raise UsageProblem(f"unknown scheme {name!r}; known are {', '.join(SCHEMES)}")
    options = dict(SCHEMES[name]["options"])
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in options:
            known = ", ".join(options) or "none"
            raise UsageProblem(f"unknown option {key!r} of {name}; known are {known}")
        options[key] = _option(key, value)
    missing = [key for key, value in options.items() if value == ""]
    if missing:
        raise UsageProblem(f"{name} has no weights of its own: give {', '.join(missing)}")
    return CreditVariant(name, channel, options)


def _option(key: str, value: str) -> float | str:
    if key in CHOICES:
        if value not in CHOICES[key]:
            raise UsageProblem(f"{key} is one of {', '.join(CHOICES[key])}, not {value!r}")
        return value
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageProblem(f"{key} is a finite number, not {value!r}")
    return number


def credit(rollouts: Sequence[Rollout], chosen: CreditVariant) -> None:
    """Give the steps of some runs, of any number of tasks, their advantages.

    Raises
    ------
    UsageProblem
        Where the runs lack what the scheme needs, or sums are too large for a number.
    """
    for group in grouped(rollouts):
        for one, found in zip(group, _COMPUTE[chosen.scheme](group, chosen), strict=True):
            one.advantages = found
    each = chain.from_iterable(one.advantages for one in rollouts)
    given = [advantage for advantage in each if advantage is not None]
    if not given and rollouts:
        needs = SCHEMES[chosen.scheme]["needs"]
        raise UsageProblem(f"{chosen} gives no step an advantage: it needs {needs}")
    if not all(map(math.isfinite, given)):
        raise UsageProblem(f"{chosen}: the rewards are too large, or too far apart, for a number")
