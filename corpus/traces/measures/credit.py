"""Which units of a run a reward can be attached to, as far as the trace records them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.checks.validate import EACH, sound_run
from corpus.traces.measures.steps import steps
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run


class Support(NamedTuple):
    """Whether a trace can carry credit for one kind of unit: how many of them it has, and why not where it cannot."""

    unit: str
    supported: bool
    number: int
    reason: str


class Channel(NamedTuple):
    """One reward channel: its value, the unit its name names (or nothing), and the support for each unit."""

    name: str
    value: float
    names: str
    units: list[Support]


class Credit(NamedTuple):
    """What is told of one trace and its rewards; of a broken one only what is wrong with it."""

    file: str
    line: int
    trace_id: str
    channels: list[Channel]
    units: list[Support]
    findings: list[Finding]


def credited(item: TraceText | Finding) -> Credit:
    """Say of the trace of one document what its rewards can be attached to."""
    if not isinstance(item, TraceText):
        return Credit("", 0, "", [], [], [item])
    run, findings = sound_run(item)
    if run is None:
        return Credit(item.file, item.line, "", [], [], findings[:EACH])
    return Credit(item.file, item.line, run.trace.trace_id, channels(run), support(run), [])


def _team(_run: Run) -> tuple[int, str]:
    return 1, ""


def _orchestrator(run: Run) -> tuple[int, str]:
    useful = run.useful
    leading = sum(1 for place in run.by_kind.get("orchestrator_decision", ()) if useful[place])
    return leading, "no orchestrator_decision has a path to the end"


def _role(run: Run) -> tuple[int, str]:
    roles = {run.main: ""} | dict.fromkeys(run.agents, "")
    for event in run.events:
        if event.role is not UNSET and event.role:
            agent = event.to if event.type == "spawn" and event.to is not UNSET else event.agent
            if agent in roles:
                roles[agent] = event.role
    bare = [agent for agent, role in roles.items() if not role]
    distinct = len(set(roles.values()) - {""})
    if bare:
        return 0, f"{len(bare)} of {len(roles)} agents have no role"
    return (distinct if distinct > 1 else 0), "all agents have one role, so it is the team"


def _agent(run: Run) -> tuple[int, str]:
    acting = [agent for agent in run.agents if agent in run.first]
    return (len(acting) if len(acting) > 1 else 0), "one agent acts, so it is the team"


def _turn(run: Run) -> tuple[int, str]:
    if run.graph.cycle:
        return 0, "a cycle leaves the turns without an order"
    turns = sum(1 for weight in steps(run).weights if weight)
    return (turns if turns > 1 else 0), "fewer than two events are turns of a model"


def _message(run: Run) -> tuple[int, str]:
    places = run.by_kind.get("message", ())
    whole = [i for i in places if run.events[i].to is not UNSET and run.events[i].content_ref is not UNSET]
    return len(whole), "no message names its receiver and content" if places else "no agent sends a message"


def _tool_call(run: Run) -> tuple[int, str]:
    return len(run.pairs.answers), "no tool call has its result"


def _token(_run: Run) -> tuple[int, str]:
    return 0, "the schema records how many tokens there were, not which"


UNITS: Final[dict[str, tuple[Callable[[Run], tuple[int, str]], tuple[str, ...]]]] = {
    "team": (_team, ("team", "shared", "outcome", "task")),
    "orchestrator": (_orchestrator, ("orchestrator", "orchestration")),
    "role": (_role, ("role",)),
    "agent": (_agent, ("agent", "individual")),
    "turn": (_turn, ("turn", "step", "process")),
    "message": (_message, ("message", "communication")),
    "tool": (_tool_call, ("tool",)),
    "token": (_token, ("token",)),
}
"""For each unit, from the whole team to one token: how it is found in a trace, and words that name it in a channel."""


def support(run: Run) -> list[Support]:
    """Say for each unit whether this trace can carry credit for it."""
    found = []
    for unit, (count, _) in UNITS.items():
        number, reason = count(run)
        found.append(Support(unit, number > 0, number, "" if number else reason))
    return found


def channels(run: Run) -> list[Channel]:
    """Say for each reward channel which units it can be attached to.

    Whether a unit can carry credit depends on the trace, not on the channel; a channel whose name names a unit asks
    for that one.
    """
    units = support(run)
    return [Channel(name, value, _named(name), units) for name, value in run.trace.rewards.items()]


def _named(channel: str) -> str:
    """Return the unit that a channel's name names, by its first word.

    Examples
    --------
    >>> _named("orchestration.split"), _named("section heat")
    ('orchestrator', '')
    """
    words = "".join(c if c.isalpha() else " " for c in channel.lower()).split()
    return next((unit for unit, (_, names) in UNITS.items() if words and words[0] in names), "")
