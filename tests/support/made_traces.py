"""Small made-up traces for the tests: one sound run, and ways to change one thing about it."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

from corpus.traces.checks.validate import check
from corpus.traces.model import EVENT_TYPES
from corpus.traces.reading.decoding import valid_run
from corpus.traces.reading.reading import TraceText


def act(name, t, kind, agent, **keys):
    """An event as it is in a trace."""
    return {"id": name, "t": t, "type": kind, "agent": agent, **keys}


def edge(source, target, kind="causal"):
    """An edge as it is in a trace."""
    return {"src": source, "dst": target, "type": kind}


PAIR: dict[str, Any] = {
    "trace_id": "pair",
    "task_id": "tea",
    "topology": "centralized",
    "events": [
        act("plan", 0, "orchestrator_decision", "lead", role="lead", x_steps=1),
        act("make-ann", 1, "spawn", "lead", role="buyer", to="ann"),
        act("make-bob", 1, "spawn", "lead", role="boiler", to="bob"),
        act("ask", 2, "tool_call", "ann", tool="shop", x_call_id="c1", x_steps=2),
        act("told", 4, "tool_result", "ann", tool="shop", x_call_id="c1"),
        {
            "id": "ann-done",
            "t": 5,
            "type": "return",
            "agent": "ann",
            "from": "ann",
            "to": "lead",
            "x_steps": 1,
        },
        {
            "id": "bob-done",
            "t": 3,
            "type": "return",
            "agent": "bob",
            "from": "bob",
            "to": "lead",
            "x_steps": 1,
        },
        act("tea", 6, "aggregate", "lead", role="lead", x_steps=1),
    ],
    "edges": [
        edge("plan", "make-ann", "spawn"),
        edge("plan", "make-bob", "spawn"),
        edge("make-ann", "ask", "spawn"),
        edge("ask", "told", "tool_dependency"),
        edge("told", "ann-done"),
        edge("make-bob", "bob-done", "spawn"),
        edge("ann-done", "tea", "aggregate"),
        edge("bob-done", "tea", "aggregate"),
    ],
    "rewards": {"team": 0.5},
    "costs": {"tokens": 600, "wall_clock_s": 6, "tool_calls": 1, "messages": 0},
}


def pair():
    """A lead sends ann (3 steps, one call) and bob (1 step) for tea; a fresh copy to change."""
    return copy.deepcopy(PAIR)


def single(**keys):
    """The same task done by one agent in one event."""
    return pair() | {"events": [act("a", 0, "return", "solo", **keys)], "edges": []}


def event(trace, name):
    """The event with this id."""
    found: dict[str, Any] = next(event for event in trace["events"] if event["id"] == name)
    return found


def document(trace, name="a.json"):
    return TraceText(name, 1, json.dumps(trace).encode(), True)


def run_of(trace):
    run, findings = valid_run(document(trace))
    assert run is not None, findings
    return run


def codes(trace):
    """Code and pointer of every finding."""
    return [(finding.code, finding.column) for finding in check(document(trace))[0]]


def codes_of(raw):
    """Codes of the findings of a text."""
    return [finding.code for finding in check(TraceText("a.json", 1, raw, True))[0]]


NAMES = ("lead", "ann", "bob", "user", "shop")


@st.composite
def runs(draw):
    """Any run of a few events, however odd: shuffled clocks, cycles, spawns of nobody."""
    size = draw(st.integers(1, 8))
    names = st.sampled_from(NAMES)
    optional = {
        "to": names,
        "from": names,
        "role": st.sampled_from(["handoff", "worker"]),
        "x_steps": st.sampled_from([0, 1, 2.5]),
        "x_end": st.integers(0, 9),
        "trusted": st.booleans(),
    }
    events = [
        {
            "id": f"e{place}",
            "t": draw(st.integers(0, 6)),
            "type": draw(st.sampled_from(EVENT_TYPES)),
            "agent": draw(names),
            **draw(st.fixed_dictionaries({}, optional=optional)),
        }
        for place in range(size)
    ]
    ends = st.sampled_from([event["id"] for event in events])
    edges = draw(st.lists(st.fixed_dictionaries(edge(ends, ends, st.just("causal"))), max_size=12))
    return run_of({**PAIR, "events": events, "edges": edges})
