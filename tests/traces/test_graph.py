"""The happened-before graph against a slow and plain reckoning, and at sizes where recursion would fail."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.graph import Graph

SIZES = st.integers(1, 7)


@st.composite
def graphs(draw):
    size = draw(SIZES)
    times = draw(st.lists(st.integers(0, 3).map(float), min_size=size, max_size=size))
    nodes = st.integers(0, size - 1)
    return times, draw(st.lists(st.tuples(nodes, nodes), max_size=10))


def paths(size, edges):
    """Every pair of events with a path between them: Warshall's closure."""
    reach = set(edges)
    for middle, first, last in itertools.product(range(size), repeat=3):
        if (first, middle) in reach and (middle, last) in reach:
            reach.add((first, last))
    return reach


def built(times, edges):
    return Graph(times, [s for s, _ in edges], [d for _, d in edges])


@given(graphs())
def test_a_cycle_is_found_exactly_where_an_event_reaches_itself(drawn):
    times, edges = drawn
    graph = built(times, edges)
    reach = paths(len(times), edges)
    assert bool(graph.cycle) == any((event, event) in reach for event in range(len(times)))
    for one, other in zip(graph.cycle, [*graph.cycle[1:], *graph.cycle[:1]], strict=True):
        assert (one, other) in edges


@given(graphs())
def test_the_order_has_every_event_once_and_respects_every_edge(drawn):
    times, edges = drawn
    graph = built(times, edges)
    assert sorted(graph.order) == list(range(len(times)))
    assert all(graph.rank[event] == place for place, event in enumerate(graph.order))
    kept = list(zip(graph.sources, graph.targets, strict=True))
    assert all(graph.rank[s] < graph.rank[d] for s, d in kept)
    if not graph.cycle:
        assert sorted(kept) == sorted(edges)


@given(graphs())
def test_reach_and_ancestors(drawn):
    times, edges = drawn
    graph = built(times, edges)
    kept = list(zip(graph.sources, graph.targets, strict=True))
    reach = paths(len(times), kept) | {(event, event) for event in range(len(times))}
    for event in range(len(times)):
        assert [bool(mark) for mark in graph.reached([event])] == [
            (event, other) in reach for other in range(len(times))
        ]
        assert [bool(mark) for mark in graph.ancestors(event)] == [
            (other, event) in reach for other in range(len(times))
        ]


@given(graphs(), st.lists(st.integers(0, 5).map(float), min_size=7, max_size=7))
def test_the_heaviest_path_weighs_most_of_all(drawn, weights):
    graph = built(*drawn)
    after: dict[int, set[int]] = {}
    for s, d in zip(graph.sources, graph.targets, strict=True):
        after.setdefault(s, set()).add(d)

    def heaviest_from(event):
        return weights[event] + max(map(heaviest_from, after.get(event, ())), default=0)

    weights = weights[: graph.size]
    assert graph.heaviest(weights) == max(map(heaviest_from, range(graph.size)))


def test_a_cycle_and_a_chain_of_many_edges_need_no_recursion():
    size = 30_000
    ring = Graph([0.0] * size, list(range(size)), [*range(1, size), 0])
    assert len(ring.cycle) == size
    backwards = Graph([float(-n) for n in range(size)], list(range(size - 1)), list(range(1, size)))
    assert backwards.heaviest([1] * size) == size
    assert not backwards.timely
