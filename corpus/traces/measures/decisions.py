"""Which of the five orchestration decisions each event belongs to, by fixed rules.

O1 when to spawn, O2 whom to delegate to, O3 how to communicate, O4 how to aggregate, O5 when to
stop. The schema has no event type for delegating or stopping, so these two are recognised by the
events that carry them out.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.model import Event
from corpus.traces.run import OUTSIDE, Run

DECISIONS = {
    "O1": "when to spawn",
    "O2": "whom to delegate to",
    "O3": "how to communicate",
    "O4": "how to aggregate",
    "O5": "when to stop",
}
RULES = {
    "spawn": "an agent is spawned",
    "target": "the spawn or the decision names the agent or its role",
    "first-message": "the first message of a parent to an agent it spawned",
    "handoff": (
        "a message that hands over: it has that role, it was sent by a tool, "
        "or its receiver had not acted yet"
    ),
    "message": "any other message",
    "aggregate": "results are put together",
    "return": "one agent ends its own work",
    "despawn": "one agent is ended",
    "end": "the run ends here",
    "causes": "the decision leads to an event of its agent with this label by one edge",
}
#: The decision that events of a type carry out, and its scope; the rule is called like the type.
_OF_TYPE = {
    "spawn": ("O1", ""),
    "aggregate": ("O4", ""),
    "return": ("O5", "local"),
    "despawn": ("O5", "local"),
}
# fmt: off
TRUNCATED = frozenset((
    "truncated", "max_tokens", "max_turns", "max_steps", "length", "limit", "timeout", "budget",
    "error",
))
EXTERNAL = frozenset((
    "external", "interrupted", "interrupt", "cancelled", "canceled", "aborted", "user", "human",
))
# fmt: on


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
    """Return how the run came to its end.

    ``explicit``: a decision (or the source) states that it stops. ``external``: a person or a guard
    ends it. ``truncated``: it breaks off in the middle of a call. ``implicit``: it has nothing
    further to do.
    """
    event = run.events[run.end]
    is_decision = event.type == "orchestrator_decision"
    if event.x_stop_reason is not UNSET:
        # Producers write their own words; those of finish reasons are known, others mean nothing.
        reason = event.x_stop_reason.lower()
        if reason in TRUNCATED:
            return "truncated"
        if reason in EXTERNAL:
            return "external"
        if reason == "explicit" or (is_decision and reason != "implicit"):
            return "explicit"
        return "implicit"
    if _is_ended_from_outside(run):
        return "external"
    if is_decision:
        return "explicit"
    if event.type in ("tool_call", "tool_result", "spawn"):
        return "truncated"
    return "implicit"


def _is_ended_from_outside(run: Run) -> bool:
    """Whether a person or a guard has the last word; a check that was passed has none."""
    for place in reversed(run.graph.by_time):
        if run.kinds[place] != "safety_event":
            return run.kinds[place] in OUTSIDE
        event = run.events[place]
        if event.failed or event.trusted is False:
            return True
    return True


def labels(run: Run) -> list[DecisionLabel]:
    """Label the events of a run, in its order; an event may have several labels or none."""
    # The end of the run replaces the end of one agent, which is the same event.
    end = DecisionLabel(run.end, "O5", "end", "global", stop_kind(run))
    # By event and decision.
    found = {label[:2]: label for label in (*_by_type(run), *_messages(run), end)}
    # Last, since a decision gets the labels that its effects by one edge have by then.
    caused = []
    for source, target in run.graph.edges():
        # What another agent does next is the decision of that one.
        is_own = run.actors[source] == run.actors[target]
        if run.kinds[source] == "orchestrator_decision" and is_own:
            for decision in DECISIONS:
                label = found.get((target, decision))
                if label:
                    caused.append(label._replace(event=source, rule="causes"))
    for label in caused:
        found.setdefault(label[:2], label)
    rank = run.graph.rank
    return sorted(found.values(), key=lambda label: (rank[label.event], label.decision))


def _by_type(run: Run) -> Iterator[DecisionLabel]:
    for kind, (decision, scope) in _OF_TYPE.items():
        for place in run.by_kind[kind]:
            yield DecisionLabel(place, decision, kind, scope)
    for place in run.spawns:
        if run.events[place].to or run.events[place].role:
            yield DecisionLabel(place, "O2", "target")
    for place in run.by_kind["orchestrator_decision"]:
        if isinstance(run.events[place].to, str):
            yield DecisionLabel(place, "O2", "target")


def _messages(run: Run) -> Iterator[DecisionLabel]:
    """Tell delegation (O2) from other communication (O3)."""
    contacts = set()
    for place in sorted(run.by_kind["message"], key=run.graph.rank.__getitem__):
        event = run.events[place]
        rule = "message"
        if isinstance(event.to, str):
            contact = (event.agent, event.to)
            # Many recorders write the task of a new agent as a message after its spawn.
            is_to_own = run.parents.get(event.to) == event.agent
            if is_to_own and contact not in contacts:
                rule = "first-message"
            elif _hands_over(run, place, event):
                rule = "handoff"
            contacts.add(contact)
        yield DecisionLabel(place, "O3" if rule == "message" else "O2", rule)


def _hands_over(run: Run, place: int, event: Event) -> bool:
    """Whether a message hands over: by role, by a tool, or to an agent that had not acted yet."""
    if event.role == "handoff" or event.tool is not UNSET:
        return True
    to = event.to
    if not isinstance(to, str) or to == run.main or to in run.parents:
        return False
    first = run.first.get(to)
    rank = run.graph.rank
    return first is not None and rank[first] > rank[place]
