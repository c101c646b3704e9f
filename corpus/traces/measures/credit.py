"""Which units of a run a reward can be attached to, as far as the trace records them."""

import re
from typing import Any

from msgspec import UNSET

from corpus.traces.measures.steps import steps
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

# fmt: off
#: The unit that a channel asks for with the first word of its name.
_UNIT_OF_WORD = {
    "team": "team", "shared": "team", "outcome": "team", "task": "team",
    "orchestrator": "orchestrator", "orchestration": "orchestrator",
    "role": "role",
    "agent": "agent", "individual": "agent",
    "turn": "turn", "step": "turn", "process": "turn",
    "message": "message", "communication": "message",
    "tool": "tool",
    "token": "token",
}
# fmt: on


def credited(document: TraceText, run: Run) -> dict[str, Any]:
    """Return the credit that a run can carry, as in JSON.

    ``units`` tells for each unit whether the trace has any, how many, and why none; ``channels``
    for each reward channel the unit that its name asks for, and those that it can be attached to.
    """
    units = []
    attachable = []
    unsupported = {}
    for unit, (number, reason) in _unit_counts(run).items():
        if number:
            attachable.append(unit)
            reason = ""
        else:
            unsupported[unit] = reason
        units.append({"unit": unit, "supported": number > 0, "number": number, "reason": reason})
    channels = []
    for name, value in run.trace.rewards.items():
        words = re.findall(r"[^\W\d_]+", name.lower())
        channels.append(
            {
                "name": name,
                "value": value,
                "names": _UNIT_OF_WORD.get("".join(words[:1])),
                "attachable": attachable,
                "unsupported": unsupported,
            }
        )
    return {
        "file": document.file,
        "line": document.line,
        "trace_id": run.id,
        "units": units,
        "channels": channels,
    }


def _unit_counts(run: Run) -> dict[str, tuple[int, str]]:
    """Return how many units of each kind a run has, and why in case it has none.

    A single role, agent or turn does not count: it is the whole.
    """
    roles = [run.roles.get(agent, "") for agent in run.agents]
    acting = run.first.keys() & set(run.agents)
    turns = len(run.events) - steps(run).weights.count(0)
    messages = run.of_kind("message")
    whole = [one for one in messages if one.to is not UNSET and one.content_ref is not UNSET]
    found = {
        "team": (1, ""),
        "orchestrator": (
            sum(map(run.useful.__getitem__, run.by_kind["orchestrator_decision"])),
            "no orchestrator_decision has a path to the end",
        ),
        "role": (len(set(roles)), "all agents have one role, so it is the team"),
        "agent": (len(acting), "one agent acts, so it is the team"),
        "turn": (turns, "fewer than two events are turns of a model"),
        "message": (len(whole), "no message names its receiver and content"),
        "tool": (len(run.pairs.answers), "no tool call has its result"),
        "token": (0, "the schema records how many tokens there were, not which"),
    }
    for unit in ("role", "agent", "turn"):
        number, reason = found[unit]
        if number == 1:
            found[unit] = (0, reason)
    if "" in roles:
        found["role"] = (0, f"{roles.count('')} of {len(roles)} agents have no role")
    if run.graph.cycle:
        found["turn"] = (0, "a cycle leaves the turns without an order")
    if not messages:
        found["message"] = (0, "no agent sends a message")
    return found
