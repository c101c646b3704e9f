"""Which units of a run a reward can be attached to, as far as the trace records them."""

import re

from msgspec import UNSET

from corpus.traces.lookup import JsonObject, table_of
from corpus.traces.measures.steps import steps
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

_FILE = table_of(__file__, "credit.toml")


def credited(document: TraceText, run: Run) -> JsonObject:
    """Return the credit that a run can carry, as in JSON.

    ``units`` tells for each unit whether the trace has any, how many, and why none; ``channels``
    for each reward channel the unit that its name asks for, and those that it can be attached to.
    """
    numbers, lacks = _unit_numbers(run), dict(_FILE["lacks"])
    roles = [run.roles.get(agent, "") for agent in run.agents]
    if "" in roles:
        numbers["role"] = 0
        lacks["role"] = f"{roles.count('')} of {len(roles)} agents have no role"
    if run.graph.cycle:
        numbers["turn"] = 0
        lacks["turn"] = "a cycle leaves the turns without an order"
    if not run.by_kind["message"]:
        lacks["message"] = "no agent sends a message"
    units = []
    attachable = []
    unsupported = {}
    for unit, number in numbers.items():
        reason = ""
        if number:
            attachable.append(unit)
        else:
            reason = unsupported[unit] = lacks[unit]
        units.append({"unit": unit, "supported": number > 0, "number": number, "reason": reason})
    channels = []
    for name, value in run.trace.rewards.items():
        words = re.findall(r"[^\W\d_]+", name.lower())
        channels.append(
            {
                "name": name,
                "value": value,
                "names": _FILE["words"].get("".join(words[:1])),
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


def _unit_numbers(run: Run) -> dict[str, int]:
    """Return how many units of each kind a run has.

    A single role, agent or turn does not count: it is the whole.
    """
    found = {
        "team": 1,
        "orchestrator": sum(map(run.useful.__getitem__, run.by_kind["orchestrator_decision"])),
        "role": len(set(map(run.roles.get, run.agents))),
        "agent": len(run.first.keys() & set(run.agents)),
        "turn": len(run.events) - steps(run).weights.count(0),
        "message": 0,
        "tool": len(run.pairs.answers),
        "token": 0,
    }
    for event in run.of_kind("message"):
        found["message"] += event.to is not UNSET and event.content_ref is not UNSET
    for unit in ("role", "agent", "turn"):
        if found[unit] == 1:
            found[unit] = 0
    return found
