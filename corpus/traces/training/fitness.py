"""Whether traces can train a model, and for what: what each turn has of what a trainer needs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.contents import Contents
from corpus.traces.lookup import record
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import NEEDS
from corpus.traces.training.training_rules import FROZEN, NOT_FIT, TWO_OWNERS, TWO_RULES

PURPOSES = ("sft", "preference", "stepwise", "offline", "online")
_VERSION = "policy_version"


class TraceFitness(NamedTuple):
    """What a trace has.

    Attributes
    ----------
    place, trace, group : (str, int), str, str
        File and line where it was read, its id, and its task.
    turns : int
        Turns that are trained.
    found : dict of str to int
        By need how many of these turns have it.
    findings : list of Finding
        Turns with several owners or several rules.
    """

    place: tuple[str, int]
    trace: str
    group: str
    turns: int
    found: dict[str, int]
    findings: list[Finding]

    def lacks(self, purpose: str | None = None) -> list[str]:
        """Return the needs, of one purpose or of any, that not all turns have."""
        lacking = []
        for need, (purposes, _) in NEEDS.items():
            is_needed = purpose is None or purpose in purposes
            if is_needed and self.found[need] < max(self.turns, 1):
                lacking.append(need)
        return lacking

    def fit_for(self) -> list[str]:
        """Return the purposes for which every turn has all it needs, and one owner and rule."""
        # Imitation takes neither a reward nor the name of a model.
        purposes = PURPOSES[:1] if self.findings else PURPOSES
        return [purpose for purpose in purposes if not self.lacks(purpose)]

    def misfit(self, need: str, purpose: str) -> Finding:
        """Return why the trace cannot be used for a purpose: it lacks a need of it."""
        rule = FROZEN if need == "policy version" else NOT_FIT
        return rule.at(
            *(*self.place, "/events", self.trace),
            need=need,
            found=self.found[need],
            turns=self.turns,
            purpose=purpose,
            fix=NEEDS[need][1],
        )


def fitness(
    rollouts: Iterable[Rollout], contents: Contents, train: Collection[str] = ()
) -> list[TraceFitness]:
    """Return what runs have for training; `train` names agents, roles or models, else all."""
    results = [_of_run(one, contents, train) for one in rollouts]
    sizes = Counter(result.group for result in results)
    for result in results:
        if sizes[result.group] == 1:
            # There is nothing to compare it with.
            result.found["group"] = 0
    return results


def _of_run(rollout: Rollout, contents: Contents, train: Collection[str]) -> TraceFitness:
    run, place = rollout.run, rollout.place
    of_run = record(run.events[0].x_run)
    # By step, where -1 is before the first one of an agent: what refers to contents, ids and log
    # probabilities that are known, models.
    written = set()
    tokens: defaultdict[int, set[str]] = defaultdict(set)
    models: defaultdict[int, set[str]] = defaultdict(set)
    # Agents that were given contents of a role that are in the file, that lack some, that call.
    given: defaultdict[str, set[str]] = defaultdict(set)
    lost = set()
    callers = set()
    for step, event, agent in zip(rollout.of_event, run.events, run.actors, strict=True):
        names = event.references
        if event.type == "tool_call":
            callers.add(agent)
        if names:
            written.add(step)
        if event.x_model is not UNSET:
            models[step].add(event.x_model)
        is_empty = event.type == "tool_result" and not names
        if is_empty or not all(map(contents.__contains__, names)):
            lost |= {agent, rollout.reader(event)}
        for role, of_role in (event.x_contents or {}).items():
            if any(map(contents.__contains__, of_role)):
                given[role].add(agent)
        for name in (event.x_contents or {}).get("tokens", ()):
            content = contents.get(name)
            if content is not None:
                tokens[step].update(record(content.value))
    found = dict.fromkeys(NEEDS, 0)
    findings = []
    count = 0
    for step, agent in enumerate(rollout.agents):
        owners, known = models[step], tokens[step]
        if train and {agent, run.roles.get(agent), *owners}.isdisjoint(train):
            continue
        count += 1
        rewards = _rewards(rollout, step)
        is_written = step in written and rollout.observations[step] != ""
        has = {
            "contents": is_written and agent not in lost,
            "tools": agent in given["tool_definitions"] or agent not in callers,
            # All that the model was given: a system prompt that is not in it was not there.
            "system prompt": agent in given["system"] | given["messages"],
            "token ids": {"prompt_token_ids", "completion_token_ids"} <= known,
            "log probs": "logprobs" in known,
            "policy version": _VERSION in known or _VERSION in of_run,
            "one owner": len(owners) == 1,
            "reward": any(rewards.values()),
            "step reward": any("step" in units for units in rewards.values()),
            "group": rollout.group != "",
        }
        for need, is_there in has.items():
            found[need] += is_there
        event_at = rollout.places[step]
        at = (*place, f"/events/{event_at}", run.events[event_at].id)
        if len(owners) > 1:
            findings.append(
                TWO_OWNERS.at(*at, trace=rollout.trace, owners=", ".join(sorted(owners)))
            )
        for channel, units in rewards.items():
            if len(units) > 1:
                rules = " and ".join(units)
                findings.append(
                    TWO_RULES.at(*at, trace=rollout.trace, channel=channel, rules=rules)
                )
    return TraceFitness(place, rollout.trace, rollout.group, count, found, findings)


def _rewards(rollout: Rollout, step: int) -> dict[str, list[str]]:
    """Return by channel what has a reward of which the step has a part: step, agent, run."""
    found: dict[str, list[str]] = {channel: [] for channel in rollout.channels()}
    for channel, units in found.items():
        if step in rollout.of_steps.get(channel, ()):
            units.append("step")
        if rollout.agents[step] in rollout.of_agents.get(channel, ()):
            units.append("agent")
        if channel in rollout.rewards:
            units.append("run")
    return found
