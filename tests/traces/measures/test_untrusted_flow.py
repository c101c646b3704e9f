"""How untrusted content spreads: from where, along which edges, until which check."""

from itertools import pairwise

from hypothesis import given

from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.run import OUTSIDE
from tests.support.made_traces import event, pair, run_of, runs


def flow_of(trace):
    return untrusted_flow(run_of(trace))


def test_the_content_of_an_event_reaches_what_follows_from_it():
    trace = pair()
    event(trace, "told")["trusted"] = False
    found = flow_of(trace)
    # plan, make-ann, make-bob, ask, told, ann-done, bob-done, tea
    assert found.origin == [-1, -1, -1, -1, 4, 4, -1, 4]
    assert found.before == [-1, -1, -1, -1, -1, 4, -1, 5]
    assert found.reached == [7]
    assert found.path(7) == [4, 5, 7]
    assert found.path(4) == [4]


def test_an_untrusted_event_keeps_its_own_origin_but_an_untrusted_aggregate_is_a_place():
    trace = pair()
    for name in ("told", "ann-done"):
        event(trace, name)["trusted"] = False
    found = flow_of(trace)
    assert (found.origin[5], found.before[5], found.path(7)) == (5, -1, [5, 7])
    event(trace, "tea")["trusted"] = False
    found = flow_of(trace)
    assert (found.origin[7], found.reached) == (7, [])


def test_what_a_person_or_a_guard_passes_on_has_been_seen():
    for kind in sorted(OUTSIDE):
        trace = pair()
        event(trace, "told")["trusted"] = False
        event(trace, "ann-done").update(type=kind, trusted=True)
        found = flow_of(trace)
        assert (found.origin[5], found.origin[7]) == (4, -1)
        assert found.reached == []


@given(runs())
def test_every_path_runs_along_edges_from_an_untrusted_event_past_no_check(run):
    found = untrusted_flow(run)
    edges = set(run.graph.edges())
    for place, origin in enumerate(found.origin):
        if origin < 0:
            continue
        path = found.path(place)
        assert (path[0], path[-1]) == (origin, place)
        assert run.events[origin].trusted is False
        for source, target in pairwise(path):
            assert (source, target) in edges
            assert run.kinds[source] not in OUTSIDE
