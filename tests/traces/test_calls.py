"""Which result answers which call: by id, by edge."""

import pytest

from corpus.traces.model import Event, Trace
from corpus.traces.run import Pairs, Run
from tests.support.made_traces import edge, pair, run_of


def answers(events, edges=()):
    """The result of each answered call, by id; the events follow each other in time."""
    trace = pair()
    trace["events"] = [{"agent": "lead", "t": t, **one} for t, one in enumerate(events)]
    trace["edges"] = [edge(source, target) for source, target in edges]
    run = run_of(trace)
    ids = [one.id for one in run.events]
    return {ids[call]: ids[result] for call, result in run.pairs.answers.items()}


def call(name, tool="shop", **more):
    return {"id": name, "type": "tool_call", "tool": tool, **more}


def result(name, tool="shop", **more):
    return {"id": name, "type": "tool_result", "tool": tool, **more}


def test_an_id_used_twice_means_its_first_call_and_result():
    events = [call("c1", x_call_id="1"), call("c2", x_call_id="1"), result("r", x_call_id="1")]
    assert answers(events) == {"c1": "r"}


def test_different_ids_are_never_a_pair():
    events = [call("c", x_call_id="1"), result("r", x_call_id="2")]
    assert answers(events, (("c", "r"),)) == {}


def test_without_ids_an_edge_decides():
    events = [call("c1"), call("c2"), result("r1"), result("r2")]
    assert answers(events, (("c1", "r2"),)) == {"c1": "r2"}


# Ids that are unique for one agent only.


@pytest.mark.parametrize(
    ("calls", "results", "pairs"),
    [
        ("ab", "ba", Pairs({0: 3, 1: 2}, [], [])),
        # The results of a tool answer the calls in their order.
        ("ab", ["shell", "shell"], Pairs({0: 2, 1: 3}, [], [])),
        # A second result of one call is left over.
        ("a", "aa", Pairs({0: 1}, [], [2])),
    ],
)
def test_an_id_counts_within_its_agent(calls, results, pairs):
    events = [Event(f"c-{who}", 0, "tool_call", who, tool="t", x_call_id="1") for who in calls]
    for who in results:
        events.append(Event(f"r-{who}", 1, "tool_result", who, tool="t", x_call_id="1"))
    costs = {"tokens": 0, "wall_clock_s": 0}
    assert Run(Trace("t", "t", events, [], {}, costs)).pairs == pairs
