"""Which units of a run a reward can be attached to, as far as the trace records them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET

from corpus.traces.measures.steps import steps
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run


def credited(document: TraceText, run: Run) -> dict[str, Any]:
    """Return the credit that a run can carry, as in JSON.

    ``units`` tells for each unit whether the trace has any, how many, and why none; ``channels``
    for each reward channel the unit that its name asks for, and those that it can be attached to.
    """
    units = []
    for unit, (count, _) in UNITS.items():
        number, reason = count(run)
        if number:
            reason = ""
        units.append({"unit": unit, "supported": number > 0, "number": number, "reason": reason})
    attachable = [one["unit"] for one in units if one["supported"]]
    unsupported = {one["unit"]: one["reason"] for one in units if not one["supported"]}
    channels = []
    for name, value in run.trace.rewards.items():
        named = {"name": name, "value": value, "names": _unit_asked_for(name)}
        channels.append({**named, "attachable": attachable, "unsupported": unsupported})
    origin = {"file": document.file, "line": document.line, "trace_id": run.trace.trace_id}
    return {**origin, "units": units, "channels": channels}


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


def _unit_asked_for(channel: str) -> str | None:
    """Return the unit that the first word of a channel's name asks for, or None.

    Examples
    --------
    >>> _unit_asked_for("orchestration.split"), _unit_asked_for("section heat")
    ('orchestrator', None)
    """
    first = re.search(r"[^\W\d_]+", channel.lower())
    for unit, (_, names) in UNITS.items():
        if first and first.group() in names:
            return unit
    return None
