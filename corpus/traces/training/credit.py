"""Schemes that turn the rewards of recorded runs into an advantage for each model step.

A scheme names the values of the runs of one task that are compared with each other, and how. What
the sources leave open is an option with a name, and the variant with all its options is part of
every output.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from corpus.model.finding import UsageProblem
from corpus.traces.training.groups import Rollout, deviation, grouped, mean
from corpus.traces.training.tables import CHOICES, REFUSED, SCHEMES

#: None where a scheme gives none.
Advantage: TypeAlias = float | None


class CreditVariant(NamedTuple):
    """A scheme with the channel that it reads and all its options; written as one word."""

    scheme: str
    channel: str
    options: dict[str, Any]

    def __str__(self) -> str:
        """Return scheme, channel and options, as outputs name them."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        return f"{self.scheme}({','.join([f'channel={self.channel}', *options])})"


#: What a value is compared with, the steps of its run that it is of, and the value.
_Samples: TypeAlias = Iterator[tuple[Hashable, Iterable[int], float]]


def reward_of(one: Rollout, agent: str, channel: str) -> float | None:
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


def _stream(one: Rollout, channel: str) -> list[float]:
    """Return the reward of each step, that of the run with the last one; nothing without any."""
    if not one.agents or channel not in {*one.rewards, *one.of_steps}:
        return []
    of_steps = one.of_steps.get(channel, {})
    rewards = [of_steps.get(step, 0.0) for step in range(len(one.agents))]
    rewards[-1] += one.rewards.get(channel, 0.0)
    return rewards


def _of_run(one: Rollout, chosen: CreditVariant) -> _Samples:
    """Yield the reward of a run."""
    if chosen.channel in one.rewards:
        yield "", range(len(one.agents)), one.rewards[chosen.channel]


def _of_agents(one: Rollout, chosen: CreditVariant) -> _Samples:
    """Yield the reward of each agent, for all its turns."""
    turns = defaultdict(list)
    for step, agent in enumerate(one.agents):
        turns[agent].append(step)
    for agent, own in turns.items():
        reward = reward_of(one, agent, chosen.channel)
        if reward is not None:
            yield agent, own, reward


def _of_agents_by_turn(one: Rollout, chosen: CreditVariant) -> _Samples:
    """Yield the reward of each turn of an agent, to compare with all turns of this agent."""
    for agent, own, reward in _of_agents(one, chosen):
        for step in own:
            yield agent, (step,), reward


def _of_turns(one: Rollout, chosen: CreditVariant) -> _Samples:
    """Yield the reward of each turn, to compare with the same turn of the agent in other runs."""
    of_steps = one.of_steps.get(chosen.channel)
    for step, (agent, turn) in enumerate(zip(one.agents, one.turns, strict=True)):
        reward = reward_of(one, agent, chosen.channel)
        if of_steps is not None:
            reward = of_steps.get(step)
        if reward is not None:
            yield (agent, turn), (step,), reward


def _of_returns(one: Rollout, chosen: CreditVariant) -> _Samples:
    """Yield the discounted sum of the rewards from each step on."""
    for step, value in enumerate(returns(_stream(one, chosen.channel), chosen.options["gamma"])):
        yield "", (step,), value


#: The values of a run that each scheme compares.
_TAKE = {
    "grpo": _of_run,
    "rloo": _of_run,
    "maxrl": _of_run,
    "dr-mas": _of_agents_by_turn,
    "rae": _of_agents,
    "at-grpo": _of_turns,
    "discounted": _of_returns,
}


def _compared(values: list[float], chosen: CreditVariant) -> Sequence[Advantage]:
    """Return the advantages of values that have one key, in the order of the runs."""
    options = chosen.options
    factor, divisor = 1.0, 1.0
    match chosen.scheme:
        case "discounted":
            return values
        case "rae":
            baseline = 0.0
            found = []
            for value in values:
                found.append(value - baseline)
                baseline = options["decay"] * baseline + (1 - options["decay"]) * value
            return found
        case "rloo":
            # The mean of the others.
            factor, divisor = len(values), len(values) - 1
        case "maxrl":
            if min(values) < 0:
                raise UsageProblem("maxrl divides by the mean reward: it needs rewards from 0 on")
            divisor = mean(values) + options["eps"]
        case _ if options["std"] != "none":
            divisor = deviation(values, sample=options["std"] == "n-1") + options["eps"]
    if len(values) == 1:
        single = {"none": None, "zero": 0.0, "reward": values[0]}
        return [single[options["alone"]]]
    # Equal rewards have no difference to scale; beyond all numbers nothing is known.
    if not divisor:
        return [0.0] * len(values)
    if divisor == math.inf:
        return [math.nan] * len(values)
    middle = mean(values)
    return [(value - middle) * factor / divisor for value in values]


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
        by_key = defaultdict(list)
        for one in group:
            one.advantages = [None] * len(one.agents)
            for key, steps, value in _TAKE[chosen.scheme](one, chosen):
                by_key[key].append((one.advantages, steps, value))
        for samples in by_key.values():
            given = _compared([value for *_, value in samples], chosen)
            for (advantages, steps, _), advantage in zip(samples, given, strict=True):
                for step in steps:
                    advantages[step] = advantage
    each = chain.from_iterable(one.advantages for one in rollouts)
    known = [advantage for advantage in each if advantage is not None]
    if not known and rollouts:
        needs = SCHEMES[chosen.scheme]["needs"]
        raise UsageProblem(f"{chosen} gives no step an advantage: it needs {needs}")
    if not all(map(math.isfinite, known)):
        raise UsageProblem(f"{chosen}: the rewards are too large, or too far apart, for a number")
