"""The order of events, the types of edges, and the topology that spawns and messages draw."""

import pytest

from corpus.traces.convert.ordering import QueuedEvent, guess_topology, in_order


def at(*times):
    return [QueuedEvent("message", "a", time, {}) for time in times]


def test_where_causes_run_in_a_circle_the_clock_decides():
    late, one, other = events = at(2, 1, 1)
    assert in_order(events, [(one, other), (other, one)]) == [one, other, late]


def spawn(agent, to):
    return {"type": "spawn", "agent": agent, "to": to}


def message(agent, to, **more):
    return {"type": "message", "agent": agent, "to": to, **more}


@pytest.mark.parametrize(
    ("events", "topology"),
    [
        ([], "unknown"),
        ([spawn("a", "b"), spawn("a", "c")], "centralized"),
        ([spawn("a", "b"), spawn("b", "c")], "hierarchical"),
        ([message("a", "b")], "swarm"),
        ([spawn("a", "b"), message("b", "a"), message("a", "b")], "centralized"),
        ([spawn("a", "b"), spawn("a", "c"), message("b", "c")], "mixed"),
        ([message("a", "user"), message("human", "a"), message("a", "a")], "unknown"),
        ([message("a", "b", x_inferred=["t", "to"])], "unknown"),
        ([message("a", "b", x_inferred=True)], "unknown"),
        ([message("a", "b", x_inferred=["t"])], "swarm"),
        ([{"type": "spawn", "agent": "a"}, {"type": "message", "agent": "a"}], "unknown"),
    ],
)
def test_the_topology_is_what_stated_spawns_and_messages_draw(events, topology):
    assert guess_topology(events) == topology
