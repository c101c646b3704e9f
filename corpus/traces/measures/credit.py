"""Which units of a run a reward can be attached to, as far as the trace records them."""

import re

from msgspec import UNSET

from corpus.traces.lookup import JsonObject, table_of
from corpus.traces.measures.steps import steps
from corpus.traces.run import Run

_FILE = table_of(__file__, "credit.toml")


def credit(run: Run) -> JsonObject:
    """Return the credit that a run can carry, as in JSON.

    ``units`` tells for each unit how many the trace has, and why none; ``channels`` for each reward
    channel its value, the unit that its name asks for, if any, and whether that is possible.
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
    units = {}
    for unit, number in numbers.items():
        units[unit] = {"number": number, "reason": "" if number else lacks[unit]}
    channels = {}
    for name, value in run.trace.rewards.items():
        words = re.findall(r"[^\W\d_]+", name.lower())
        unit = _FILE["words"].get("".join(words[:1]))
        possible = numbers.get(unit, 0) > 0
        channels[name] = {"value": value, "names": unit, "possible": possible}
    return {"units": units, "channels": channels}


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
