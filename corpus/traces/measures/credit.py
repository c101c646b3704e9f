"""Which units of a run a reward can be attached to, as far as the trace records them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from corpus.traces.measures.steps import steps
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run


class Support(NamedTuple):
    """Whether a trace can carry credit for one kind of unit.

    Attributes
    ----------
    unit : str
        The kind of unit, a key of :data:`UNITS`.
    supported : bool
        Whether the trace has any.
    number : int
        How many it has.
    reason : str
        Why it has none; empty where it has some.
    """

    unit: str
    supported: bool
    number: int
    reason: str


class Channel(NamedTuple):
    """One reward channel: name, value, and the unit that its name asks for."""

    name: str
    value: float
    names: str


class Credit(NamedTuple):
    """The credit that one trace can carry."""

    file: str
    line: int
    trace_id: str
    channels: list[Channel]
    units: list[Support]


def credited(document: TraceText, run: Run) -> Credit:
    """Return the credit of the run of one document."""
    name = run.trace.trace_id
    return Credit(document.file, document.line, name, channels(run), support(run))


# Each function below returns how many units of its kind a run has, and why in case it has none.


def _team(_run: Run) -> tuple[int, str]:
    return 1, ""


def _orchestrator(run: Run) -> tuple[int, str]:
    decisions = run.by_kind.get("orchestrator_decision", ())
    leading = sum(run.useful[place] for place in decisions)
    return leading, "no orchestrator_decision has a path to the end"


def _role(run: Run) -> tuple[int, str]:
    roles = dict.fromkeys((run.main, *run.agents), "")
    for event in run.events:
        if event.role is UNSET or not event.role:
            continue
        is_of_child = event.type == "spawn" and event.to is not UNSET
        agent = event.to if is_of_child else event.agent
        if agent in roles:
            roles[agent] = event.role
    without_role = [agent for agent, role in roles.items() if not role]
    if without_role:
        return 0, f"{len(without_role)} of {len(roles)} agents have no role"
    return _several(len(set(roles.values()))), "all agents have one role, so it is the team"


def _agent(run: Run) -> tuple[int, str]:
    acting = [agent for agent in run.agents if agent in run.first]
    return _several(len(acting)), "one agent acts, so it is the team"


def _turn(run: Run) -> tuple[int, str]:
    if run.graph.cycle:
        return 0, "a cycle leaves the turns without an order"
    turns = [weight for weight in steps(run).weights if weight]
    return _several(len(turns)), "fewer than two events are turns of a model"


def _several(number: int) -> int:
    """Return a number of units; none where there is only one, since it is the whole then."""
    return number if number > 1 else 0


def _message(run: Run) -> tuple[int, str]:
    places = run.by_kind.get("message", ())
    if not places:
        return 0, "no agent sends a message"
    whole = 0
    for place in places:
        event = run.events[place]
        whole += event.to is not UNSET and event.content_ref is not UNSET
    return whole, "no message names its receiver and content"


def _tool_call(run: Run) -> tuple[int, str]:
    return len(run.pairs.answers), "no tool call has its result"


def _token(_run: Run) -> tuple[int, str]:
    return 0, "the schema records how many tokens there were, not which"


#: Returns how many a run has, and why it has none.
_Counting: TypeAlias = Callable[[Run], tuple[int, str]]

#: Each unit, from team to token: how to count it, and the words of channels that ask for it.
UNITS: dict[str, tuple[_Counting, tuple[str, ...]]] = {
    "team": (_team, ("team", "shared", "outcome", "task")),
    "orchestrator": (_orchestrator, ("orchestrator", "orchestration")),
    "role": (_role, ("role",)),
    "agent": (_agent, ("agent", "individual")),
    "turn": (_turn, ("turn", "step", "process")),
    "message": (_message, ("message", "communication")),
    "tool": (_tool_call, ("tool",)),
    "token": (_token, ("token",)),
}


def support(run: Run) -> list[Support]:
    """Tell for each unit whether this trace can carry credit for it."""
    found = []
    for unit, (count, _) in UNITS.items():
        number, reason = count(run)
        if number:
            reason = ""
        found.append(Support(unit, number > 0, number, reason))
    return found


def channels(run: Run) -> list[Channel]:
    """Return the reward channels; each can be attached to the units that the trace supports."""
    rewards = run.trace.rewards.items()
    return [Channel(name, value, _unit_asked_for(name)) for name, value in rewards]


def _unit_asked_for(channel: str) -> str:
    """Return the unit that the first word of a channel's name asks for, or nothing.

    Examples
    --------
    >>> _unit_asked_for("orchestration.split"), _unit_asked_for("section heat")
    ('orchestrator', '')
    """
    word = ""
    for character in channel.lower():
        if character.isalpha():
            word += character
        elif word:
            break
    for unit, (_, names) in UNITS.items():
        if word in names:
            return unit
    return ""
