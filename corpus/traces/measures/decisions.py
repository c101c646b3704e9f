"""Which of the five orchestration decisions each event belongs to, by fixed rules.

O1 when to spawn, O2 whom to delegate to, O3 how to communicate, O4 how to aggregate, O5 when to stop. The schema has no
event type for delegating or stopping, so these two are read off the events that carry them out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.traces.run import OUTSIDE, Run

DECISIONS: Final = {
    "O1": "when to spawn",
    "O2": "whom to delegate to",
    "O3": "how to communicate",
    "O4": "how to aggregate",
    "O5": "when to stop",
}
RULES: Final = {
    "spawn": "an agent is spawned",
    "target": "the spawn names the agent or its role",
    "first-message": "the first message of a parent to an agent it spawned",
    "handoff": "a message that hands over: its role says so, it was sent by a tool, or its receiver had not acted yet",
    "message": "any other message",
    "aggregate": "results are put together",
    "return": "one agent ends its own work",
    "despawn": "one agent is ended",
    "end": "the run ends here",
    "causes": "the decision leads to an event with this label by one edge",
}
TRUNCATED: Final = frozenset(
    ("truncated", "max_tokens", "max_turns", "max_steps", "length", "limit", "timeout", "budget", "error")
)
EXTERNAL: Final = frozenset(
    ("external", "interrupted", "interrupt", "cancelled", "canceled", "aborted", "user", "human")
)
CARRIED: Final = ("aggregate", "return", "message", "despawn", "spawn")


class DecisionLabel(NamedTuple):
    """One label of one event.

    Attributes
    ----------
    event : int
        Position in the trace.
    decision : str
        O1 to O5.
    rule : str
        Which of :data:`RULES` gave it.
    scope : str
        For O5: ``local`` (one agent stops) or ``global`` (the run stops); else empty.
    stop : str
        For the global O5: explicit, implicit, external or truncated; else empty.
    """

    event: int
    decision: str
    rule: str
    scope: str = ""
    stop: str = ""


def stop_kind(run: Run) -> str:
    """Say how the run came to its end.

    ``explicit``: a decision (or the source) says that it stops. ``external``: a person or a guard ends it.
    ``truncated``: it breaks off in the middle of a call. ``implicit``: it just has nothing further to do.
    """
    event = run.events[run.end]
    if event.x_stop_reason is not UNSET:
        reason = event.x_stop_reason.lower()
        if reason == "explicit" or reason in TRUNCATED or reason in EXTERNAL:
            return "explicit" if reason == "explicit" else "truncated" if reason in TRUNCATED else "external"
        return "explicit" if event.type == "orchestrator_decision" and reason != "implicit" else "implicit"
    if run.kinds[run.graph.by_time[-1]] in OUTSIDE:
        return "external"
    if event.type == "orchestrator_decision":
        return "explicit"
    return "truncated" if event.type in ("tool_call", "tool_result", "spawn") else "implicit"


def labels(run: Run) -> list[DecisionLabel]:
    """Label every event of a run, in the order of the run; an event may have several labels or none."""
    found: dict[int, dict[str, DecisionLabel]] = {}
    for place, label in (*_spawns(run), *_messages(run), *_by_type(run)):
        found.setdefault(place, {}).setdefault(label.decision, label)
    end = DecisionLabel(run.end, "O5", "end", "global", stop_kind(run))
    found.setdefault(run.end, {})["O5"] = end
    for decision, label in _caused(run, found):
        found.setdefault(decision, {}).setdefault(label.decision, label)
    rank = run.graph.rank
    return [label for place in sorted(found, key=rank.__getitem__) for _, label in sorted(found[place].items())]


def _spawns(run: Run) -> list[tuple[int, DecisionLabel]]:
    found = []
    for place in run.spawns:
        event = run.events[place]
        found.append((place, DecisionLabel(place, "O1", "spawn")))
        if (event.to is not UNSET and event.to) or (event.role is not UNSET and event.role):
            found.append((place, DecisionLabel(place, "O2", "target")))
    return found


def _messages(run: Run) -> list[tuple[int, DecisionLabel]]:
    """Tell delegation (O2) from other communication (O3)."""
    found = []
    rank = run.graph.rank
    contacts: set[tuple[str, object]] = set()
    for place in sorted(run.by_kind.get("message", ()), key=rank.__getitem__):
        event = run.events[place]
        to = event.to
        rule = "message"
        if isinstance(to, str):
            first = run.first.get(to)
            new = first is not None and rank[first] > rank[place] and to not in run.parents and to != run.main
            if run.parents.get(to) == event.agent and (event.agent, to) not in contacts:
                rule = "first-message"
            elif event.role == "handoff" or event.tool is not UNSET or new:
                rule = "handoff"
            contacts.add((event.agent, to))
        found.append((place, DecisionLabel(place, "O3" if rule == "message" else "O2", rule)))
    return found


def _by_type(run: Run) -> list[tuple[int, DecisionLabel]]:
    found = [(place, DecisionLabel(place, "O4", "aggregate")) for place in run.by_kind.get("aggregate", ())]
    for kind in ("return", "despawn"):
        found += [(place, DecisionLabel(place, "O5", kind, "local")) for place in run.by_kind.get(kind, ())]
    return found


def _caused(run: Run, found: dict[int, dict[str, DecisionLabel]]) -> list[tuple[int, DecisionLabel]]:
    """Hand the labels of what a decision leads to by one edge to the decision."""
    decisions = set(run.by_kind.get("orchestrator_decision", ()))
    if not decisions:
        return []
    caused = []
    for source, target in zip(run.graph.sources, run.graph.targets, strict=True):
        if source in decisions and (target == run.end or run.kinds[target] in CARRIED):
            for label in found.get(target, {}).values():
                caused.append((source, label._replace(event=source, rule="causes")))
    return caused


def delegating(run: Run) -> int:
    """Count the decisions that spawn or delegate: those that :func:`labels` gives O1 or O2."""
    decisions = set(run.by_kind.get("orchestrator_decision", ()))
    handed = {*run.spawns, *(place for place, label in _messages(run) if label.decision == "O2")}
    return len({s for s, d in zip(run.graph.sources, run.graph.targets, strict=True) if s in decisions and d in handed})
