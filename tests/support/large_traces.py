"""Runs of many agents for pictures: a lead, managers, and workers of several roles."""

import random
from typing import Any

ROLES = ("searcher", "reader", "coder", "checker")


class _Trace:
    """Events and edges of a run in the making."""

    def __init__(self):
        self.events: list[dict[str, Any]] = []
        self.edges: list[dict[str, str]] = []

    def add(self, t, kind, agent, cause, edge, **keys):
        name = f"e{len(self.events)}"
        self.events.append({"id": name, "t": round(t, 2), "type": kind, "agent": agent, **keys})
        if cause:
            self.edges.append({"src": cause, "dst": name, "type": edge})
        return name


def swarm(agents, calls=6, seed=1):
    """Return a run of `agents` agents that make about `calls` tool calls each.

    Some return nothing, some calls fail, some results are not trusted.
    """
    luck = random.Random(seed)
    made = _Trace()
    task = made.add(0, "human_intervention", "user", "", "", role="task", to="lead")
    plan = made.add(1, "orchestrator_decision", "lead", task, "causal", role="lead", x_steps=1)
    managers = agents // 60
    bosses = [f"manager-{number}" for number in range(managers)] or ["lead"]
    returned: list[tuple[float, str]] = []
    left = agents - 1 - managers
    for number, boss in enumerate(bosses):
        cause = plan
        begin = 2.0 + 3 * number
        if managers:
            keys = {"role": "manager", "to": boss}
            cause = made.add(begin, "spawn", "lead", plan, "spawn", **keys)
        team = left // (len(bosses) - number)
        left -= team
        ends = []
        for worker in range(team):
            role = ROLES[worker * len(ROLES) // team]
            late = worker * len(ROLES) // team * 24
            start = begin + 2 + late + luck.random()
            name = f"{role}-{number}-{worker}"
            end = _worker(made, luck, boss, name, role, start, cause, calls)
            if end is not None:
                ends.append(end)
        over = max(time for time, _ in ends) + 2
        joined = made.add(over, "aggregate", boss, "", "", x_steps=1)
        made.edges += [{"src": end, "dst": joined, "type": "aggregate"} for _, end in ends]
        returned.append((over, joined))
    finish = max(time for time, _ in returned) + 1
    last = made.add(
        finish, "return", "lead", "", "", to="user", x_steps=1, x_stop_reason="explicit"
    )
    made.edges += [{"src": end, "dst": last, "type": "return"} for _, end in returned]
    return {
        "trace_id": f"swarm-{agents}",
        "task_id": "question",
        "system": "A made-up team with managers that send searchers, readers, coders and checkers",
        "topology": "hierarchical",
        "events": made.events,
        "edges": made.edges,
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": finish},
    }


def _worker(made, luck, boss, name, role, t, cause, calls):
    """Add one worker; return when and with which event it returned, if it did."""
    last = made.add(t, "spawn", boss, cause, "spawn", role=role, to=name)
    edge = "spawn"
    for call in range(luck.randint(1, 2 * calls - 1)):
        keys = {"tool": "search", "x_call_id": f"{name}-{call}"}
        t += 0.3 + luck.expovariate(0.7)
        asked = made.add(t, "tool_call", name, last, edge, x_steps=1, **keys)
        t += 0.2 + luck.expovariate(1.0)
        if luck.random() < 0.02:
            keys["x_error"] = "timeout"
        trusted = luck.random() > 0.003
        last = made.add(t, "tool_result", name, asked, "tool_dependency", trusted=trusted, **keys)
        edge = "causal"
    if luck.random() < 0.07:
        return None
    return t + 1, made.add(t + 1, "return", name, last, edge, to=boss, x_steps=1)


def varied():
    """Return a small run with one of everything that a picture shows.

    A person and a guard, a failed call, untrusted content, a wasted agent, a message that was
    inferred, an event that has an end, and a long pause.
    """
    made = _Trace()
    task = made.add(0, "human_intervention", "user", "", "", to="lead")
    plan = made.add(1, "orchestrator_decision", "lead", task, "causal", x_steps=1)
    made.add(2, "spawn", "lead", plan, "spawn", to="idle", role="helper")
    spawned = made.add(3, "spawn", "lead", plan, "spawn", to="ann", role="buyer")
    keys = {"tool": "shop", "x_call_id": "c1"}
    asked = made.add(4, "tool_call", "ann", spawned, "spawn", x_steps=2, x_end=4.5, **keys)
    failed = {"trusted": False, "x_error": "timeout"}
    told = made.add(6, "tool_result", "ann", asked, "tool_dependency", **keys, **failed)
    note = made.add(7, "message", "ann", told, "causal", to="bob", x_inferred=["to", "type"])
    made.add(8, "spawn", "lead", plan, "spawn", to="bob", role="boiler")
    looked = made.add(9, "safety_event", "guard", note, "safety_flow")
    back = made.add(5000, "return", "ann", told, "causal", to="lead", trusted=True, x_steps=1)
    done = made.add(5001, "return", "bob", looked, "message", to="lead", x_steps=1)
    last = made.add(5002, "aggregate", "lead", back, "aggregate", x_steps=1)
    made.edges.append({"src": done, "dst": last, "type": "aggregate"})
    end = {"x_stop_reason": "explicit", "x_steps": 1, "x_end": 5004}
    stop = made.add(5003, "orchestrator_decision", "lead", last, "causal", **end)
    made.add(5003.5, "despawn", "lead", stop, "temporal", to="ann")
    return {
        "trace_id": "varied",
        "task_id": "tea",
        "system": "A made-up team that shows each kind of mark once",
        "topology": "centralized",
        "events": made.events,
        "edges": made.edges,
        "rewards": {"team": 0.5},
        "costs": {"tokens": 1200, "wall_clock_s": 5004},
    }
