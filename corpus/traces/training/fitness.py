"""Whether traces can train a model, and for what: what each turn has of what a trainer needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.contents import Contents
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run
from corpus.traces.training.groups import RunSteps, rollout
from corpus.traces.training.rows import roles_of
from corpus.traces.training.training_rules import FROZEN, NOT_FIT, TWO_OWNERS, TWO_RULES

PURPOSES: Final = ("sft", "preference", "stepwise", "offline", "online")
_VERSION: Final = "policy_version"


class _Turn(NamedTuple):
    """What a trained turn has.

    Attributes
    ----------
    written, tools, system : bool
        Whether its contents are known, the tools that its agent could call, the system prompt.
    tokens : dict of str to object
        Ids, log probabilities and versions of the run and of the turn, by name.
    models : set of str
        Models that its events name.
    group : str
        Task of the run.
    rewards : dict of str to list of str
        By channel what has a reward of which the turn has a part: step, agent, run.
    """

    written: bool
    tools: bool
    system: bool
    tokens: dict[str, Any]
    models: set[str]
    group: str
    rewards: dict[str, list[str]]


def _has_own_reward(turn: _Turn) -> bool:
    return any("step" in units for units in turn.rewards.values())


def _has_ids(turn: _Turn) -> bool:
    return {"prompt_token_ids", "completion_token_ids"} <= turn.tokens.keys()


_TEXT: Final = ("sft", "preference", "stepwise", "offline")
_RL: Final = ("offline", "online")
_KEEP: Final = "convert with --contents FILE and give it here as --contents FILE"
_ROLLOUT: Final = "record it where the model is sampled, and convert the rollout with --contents"
#: Need -> how it is found on a turn, which purposes need it, and what to do about it.
# fmt: off
NEEDS: Final[dict[str, tuple[Callable[[_Turn], bool], tuple[str, ...], str]]] = {
    "contents":       (lambda turn: turn.written,              _TEXT, _KEEP),
    "tools":          (lambda turn: turn.tools,                _TEXT, _KEEP),
    "system prompt":  (lambda turn: turn.system,               _TEXT, _KEEP),
    "token ids":      (_has_ids,                               ("online",), _ROLLOUT),
    "log probs":      (lambda turn: "logprobs" in turn.tokens, ("online",), _ROLLOUT),
    "policy version": (lambda turn: _VERSION in turn.tokens,   ("online",),
                       "record `policy_version` in the tokens of the turn or in `x_run`"),
    "one owner":      (lambda turn: len(turn.models) == 1,     _RL, "record `x_model` per turn"),
    "reward":         (lambda turn: any(turn.rewards.values()), ("preference", *_RL),
                       "add rewards with `corpus trace reward`"),
    "step reward":    (_has_own_reward,                        ("stepwise",),
                       "add rewards of steps with `corpus trace reward`"),
    "group":          (lambda turn: bool(turn.group),          ("preference", "online"),
                       "give several traces of one `task_id`"),
}
# fmt: on


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
        for need, (_, purposes, _) in NEEDS.items():
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
                fix=NEEDS[need][2],
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
    name = run.trace.trace_id
    place = (document.file, document.line)
    steps = RunSteps(run)
    known = _Known(run, steps, contents)
    roles = roles_of(run)
    of_run = rollout(place, run, steps)
    found = dict.fromkeys(NEEDS, 0)
    findings: list[Finding] = []
    count = 0
    for step, agent in enumerate(steps.agents):
        models = known.models[step]
        if train and {agent, roles.get(agent), *models}.isdisjoint(train):
            continue
        count += 1
        rewards: dict[str, list[str]] = {}
        for channel in of_run.channels():
            units = rewards.setdefault(channel, [])
            if step in of_run.of_steps.get(channel, ()):
                units.append("step")
            if agent in of_run.of_agents.get(channel, ()):
                units.append("agent")
            if channel in of_run.rewards:
                units.append("run")
        turn = _Turn(
            written=bool(
                known.answers[step] and steps.observations[step] and agent not in known.lost
            ),
            tools=agent in known.given["tool_definitions"] or agent not in known.callers,
            system=agent in known.given["system"],
            tokens=known.tokens[step],
            models=models,
            group=of_run.group,
            rewards=rewards,
        )
        for need, (is_found, _, _) in NEEDS.items():
            found[need] += is_found(turn)
        event = steps.places[step]
        at = (*place, f"/events/{event}", run.events[event].id)
        if len(models) > 1:
            owners = ", ".join(sorted(models))
            findings.append(TWO_OWNERS.at(*at, trace=name, owners=owners))
        for channel, units in rewards.items():
            if len(units) > 1:
                rules = " and ".join(units)
                findings.append(TWO_RULES.at(*at, trace=name, channel=channel, rules=rules))
    return TraceFitness(*place, name, of_run.group, count, found, findings)


class _Known:
    """What the events of a run and the contents tell of its steps and agents.

    Attributes
    ----------
    answers, tokens, models : list
        Of each step: contents that it refers to, what is known of its tokens, and its models.
    given : dict of str to set of str
        Agents whose system prompt or tools are known, by the role of the content.
    callers, lost : set of str
        Agents that call tools, and those of which a content is not in the file.
    """

    def __init__(self, run: Run, steps: RunSteps, contents: Contents) -> None:
        of_run: dict[str, Any] = {}
        recorded = run.events[0].x_run
        if isinstance(recorded, dict) and _VERSION in recorded:
            of_run[_VERSION] = recorded[_VERSION]
        self.answers = [0] * len(steps.places)
        self.tokens = [dict(of_run) for _ in steps.places]
        self.models: list[set[str]] = [set() for _ in steps.places]
        self.given: dict[str, set[str]] = {"system": set(), "tool_definitions": set()}
        self.callers: set[str] = set()
        self.lost: set[str] = set()
        for place, event in enumerate(run.events):
            step, agent = steps.of_event[place], run.actors[place]
            if event.type == "tool_call":
                self.callers.add(agent)
            if step >= 0:
                self.answers[step] += len(event.references)
                if event.x_model is not UNSET:
                    self.models[step].add(event.x_model)
            is_empty = event.type == "tool_result" and not event.references
            if is_empty or any(name not in contents for name in event.references):
                self.lost |= {agent, steps.reader(event)}
            if event.x_contents is not UNSET:
                self._take(event.x_contents, agent, step, contents)

    def _take(
        self, others: dict[str, list[str]], agent: str, step: int, contents: Contents
    ) -> None:
        for role in others.keys() & self.given.keys():
            if any(name in contents for name in others[role]):
                self.given[role].add(agent)
        for name in others.get("tokens", ()):
            content = contents.get(name)
            if content is not None and isinstance(content.value, dict) and step >= 0:
                self.tokens[step] |= content.value
        # All that the model was given: a system prompt that is not in it was not there.
        if any(name in contents for name in others.get("messages", ())):
            self.given["system"].add(agent)
