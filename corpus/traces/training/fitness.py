"""Whether traces can train a model, and for what: what each turn has of what a trainer needs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from corpus.model.finding import Finding, Rule
from corpus.traces.contents import Contents
from corpus.traces.lookup import record
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import NEEDS

NOT_FIT = Rule(
    "OT515",
    "trace {value} has {need} on {found} of {turns} trained turns; {purpose} needs all",
    "{fix}; `corpus docs traces` tells how each need is met",
    title="Trace not fit for training",
    reason="A trainer stops, or goes on with a default that nobody recorded.",
)
TWO_OWNERS = Rule(
    "OT517",
    "turn {value} of trace {trace} is of several models: {owners}",
    "record each model step as an event with `x_steps` and `x_model`",
    title="Turn of several owners",
    reason="Otherwise one model is taught what another one did.",
)
TWO_RULES = Rule(
    "OT518",
    "turn {value} of trace {trace} has a share in rewards of its {rules} on channel {channel}",
    "give the rewards of steps, agents and runs channels of their own",
    title="Turn rewarded by several rules",
    reason="Of rewards of several units on one channel, one scheme takes the sum and "
    "another only one.",
)


PURPOSES = ("sft", "preference", "offline", "online")
_GIVEN = {"messages", "system", "user", "tool_definitions"}


@dataclass(frozen=True)
class TraceFitness:
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
        return NOT_FIT.at(
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
    run, trace = rollout.run, rollout.trace
    # Of each step, where -1 is before the first one of an agent: whether anything is written or
    # failed, its models, what is known of its tokens. Of each agent: what it was given and is in
    # the file, whether any of it is lost, and whether it calls.
    known: defaultdict[int | str, set[str]] = defaultdict(set)
    models: defaultdict[int, set[str]] = defaultdict(set)
    tokens: defaultdict[int, set[str]] = defaultdict(set)
    for step, event, agent in zip(rollout.of_event, run.events, run.actors, strict=True):
        others = event.x_contents or {}
        is_act = {event.type, event.role} & {"tool_call", "spawn", "handoff"}
        if event.content_ref or is_act or {role for role in others if others[role]} - _GIVEN:
            known[step].add("written")
        if event.type == "tool_call":
            known[agent].add("calls")
        if event.x_model:
            models[step].add(event.x_model)
        if event.failed and event.x_steps:
            known[step].add("failed")
        names = event.references
        is_empty = event.type == "tool_result" and not names
        if is_empty or not all(map(contents.__contains__, names)):
            known[agent].add("lost")
            known[rollout.reader(event)].add("lost")
        for role, of_role in others.items():
            if any(map(contents.__contains__, of_role)):
                known[agent].add(role)
        for content in filter(None, map(contents.get, others.get("tokens", ()))):
            tokens[step] |= record(content.value).keys()
    found = dict.fromkeys(NEEDS, 0)
    findings = []
    count = 0
    for step, agent in enumerate(rollout.agents):
        owners, of_step, of_agent = models[step], known[step], known[agent]
        is_other = train and {agent, run.roles.get(agent), *owners}.isdisjoint(train)
        # A request that failed has no answer to train.
        if is_other or ("failed" in of_step and "written" not in of_step):
            continue
        count += 1
        event_at = rollout.places[step]
        at = (*rollout.place, f"/events/{event_at}", run.events[event_at].id)
        if len(owners) > 1:
            findings.append(TWO_OWNERS.at(*at, trace=trace, owners=", ".join(sorted(owners))))
        is_rewarded = False
        for channel in rollout.channels():
            # What has a reward of which the step has a part.
            rewarded = {
                "step": step in rollout.of_steps.get(channel, ()),
                "agent": agent in rollout.of_agents.get(channel, ()),
                "run": channel in rollout.rewards,
            }
            units = [unit for unit, has_reward in rewarded.items() if has_reward]
            is_rewarded |= bool(units)
            if len(units) > 1:
                rules = " and ".join(units)
                findings.append(TWO_RULES.at(*at, trace=trace, channel=channel, rules=rules))
        has = {
            "contents": "written" in of_step and rollout.is_told[step] and "lost" not in of_agent,
            "tools": "tool_definitions" in of_agent or "calls" not in of_agent,
            # All that the model was given: a system prompt that is not in it was not there.
            "system prompt": of_agent & {"system", "messages"} or rollout.has_whole_prompts,
            "token ids": {"prompt_token_ids", "completion_token_ids"} <= tokens[step],
            "log probs": "logprobs" in tokens[step],
            "policy version": "policy_version" in tokens[step] | record(run.events[0].x_run).keys(),
            "one owner": len(owners) == 1,
            "reward": is_rewarded,
            "group": rollout.group,
        }
        for need, is_there in has.items():
            found[need] += bool(is_there)
    return TraceFitness(rollout.place, trace, rollout.group, count, found, findings)
