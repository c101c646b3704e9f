"""Whether traces can train a model, and for what: what each turn has of what a trainer needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.contents import Contents
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import NEEDS
from corpus.traces.training.training_rules import FROZEN, NOT_FIT, TWO_OWNERS, TWO_RULES

PURPOSES: Final = ("sft", "preference", "stepwise", "offline", "online")
_VERSION: Final = "policy_version"


class TraceFitness(NamedTuple):
    """What a trace has.

    Attributes
    ----------
    file, line, trace, group : str, int, str, str
        Where it was read, its id, and its task.
    turns : int
        Turns that are trained.
    found : dict of str to int
        By need how many of these turns have it.
    findings : list of Finding
        Turns with several owners or several rules.
    """

    file: str
    line: int
    trace: str
    group: str
    turns: int
    found: dict[str, int]
    findings: list[Finding]

    def lacks(self, purpose: str | None = None) -> list[str]:
        """Return the needs, of one purpose or of any, that not all turns have."""
        lacking: list[str] = []
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

    def unfit(self, purpose: str) -> Iterator[Finding]:
        """Yield why the trace cannot be used for a purpose."""
        for need in self.lacks(purpose):
            rule = FROZEN if need == "policy version" else NOT_FIT
            yield rule.at(
                *(self.file, self.line, "/events", self.trace),
                need=need,
                found=self.found[need],
                turns=self.turns,
                purpose=purpose,
                fix=NEEDS[need][1],
            )


def fitness(
    traces: Iterable[tuple[TraceText, Run]], contents: Contents, train: Collection[str] = ()
) -> list[TraceFitness]:
    """Return what traces have for training; `train` names agents, roles or models, else all."""
    results: list[TraceFitness] = []
    for document, run in traces:
        results.append(_of_trace(document, run, contents, train))
    sizes = Counter(result.group for result in results)
    for result in results:
        if sizes[result.group] == 1:
            # There is nothing to compare it with.
            result.found["group"] = 0
    return results


def _of_trace(
    document: TraceText, run: Run, contents: Contents, train: Collection[str]
) -> TraceFitness:
    place = (document.file, document.line)
    rollout = Rollout(run, place)
    known = _Known(rollout, contents)
    found = dict.fromkeys(NEEDS, 0)
    findings: list[Finding] = []
    count = 0
    for step, agent in enumerate(rollout.agents):
        models, tokens = known.models[step], known.tokens[step]
        if train and {agent, run.roles.get(agent), *models}.isdisjoint(train):
            continue
        count += 1
        rewards = _rewards(rollout, step)
        has = {
            "contents": known.is_written[step] and agent not in known.lost,
            "tools": agent in known.given["tool_definitions"] or agent not in known.callers,
            "system prompt": agent in known.given["system"],
            "token ids": {"prompt_token_ids", "completion_token_ids"} <= tokens,
            "log probs": "logprobs" in tokens,
            "policy version": _VERSION in tokens,
            "one owner": len(models) == 1,
            "reward": any(rewards.values()),
            "step reward": any("step" in units for units in rewards.values()),
            "group": bool(rollout.group),
        }
        for need, is_there in has.items():
            found[need] += is_there
        event = rollout.places[step]
        at = (*place, f"/events/{event}", run.events[event].id)
        if len(models) > 1:
            owners = ", ".join(sorted(models))
            findings.append(TWO_OWNERS.at(*at, trace=rollout.trace, owners=owners))
        for channel, units in rewards.items():
            if len(units) > 1:
                rules = " and ".join(units)
                findings.append(
                    TWO_RULES.at(*at, trace=rollout.trace, channel=channel, rules=rules)
                )
    return TraceFitness(*place, rollout.trace, rollout.group, count, found, findings)


def _rewards(rollout: Rollout, step: int) -> dict[str, list[str]]:
    """Return by channel what has a reward of which the step has a part: step, agent, run."""
    found = {}
    for channel in rollout.channels():
        has = {
            "step": step in rollout.of_steps.get(channel, ()),
            "agent": rollout.agents[step] in rollout.of_agents.get(channel, ()),
            "run": channel in rollout.rewards,
        }
        found[channel] = [unit for unit, is_there in has.items() if is_there]
    return found


class _Known:
    """What the events of a run and the contents tell of its steps and agents.

    Attributes
    ----------
    is_written : list of bool
        Of each step whether something was given to its agent, and contents of it are referred to.
    tokens, models : list of (set of str)
        Of each step: which of ids, log probabilities and versions are known, and its models.
    given : dict of str to set of str
        Agents whose system prompt or tools are known, by the role of the content.
    callers, lost : set of str
        Agents that call tools, and those of which a content is not in the file.
    """

    def __init__(self, rollout: Rollout, contents: Contents) -> None:
        run = rollout.run
        recorded = run.events[0].x_run
        of_run = {_VERSION} if isinstance(recorded, dict) and _VERSION in recorded else set()
        self.is_written = [False] * len(rollout.places)
        self.tokens: list[set[str]] = [set(of_run) for _ in rollout.places]
        self.models: list[set[str]] = [set() for _ in rollout.places]
        self.given: dict[str, set[str]] = {"system": set(), "tool_definitions": set()}
        self.callers: set[str] = set()
        self.lost: set[str] = set()
        for place, event in enumerate(run.events):
            step, agent = rollout.of_event[place], run.actors[place]
            if event.type == "tool_call":
                self.callers.add(agent)
            if step >= 0:
                if event.references and rollout.observations[step]:
                    self.is_written[step] = True
                if event.x_model is not UNSET:
                    self.models[step].add(event.x_model)
            is_empty = event.type == "tool_result" and not event.references
            if is_empty or any(name not in contents for name in event.references):
                self.lost |= {agent, rollout.reader(event)}
            others = event.x_contents or {}
            for role, agents in self.given.items():
                # All that the model was given: a system prompt that is not in it was not there.
                names = [*others.get(role, ())]
                if role == "system":
                    names += others.get("messages", ())
                if any(name in contents for name in names):
                    agents.add(agent)
            for name in others.get("tokens", ()):
                content = contents.get(name)
                if content is not None and isinstance(content.value, dict) and step >= 0:
                    self.tokens[step].update(content.value)
