"""Cycles, time along edges, causes and the wall clock of a run."""

from itertools import pairwise

import pytest
from hypothesis import given

from corpus.traces.checks.validate import order, reach, wall_clock
from tests.support.made_traces import act, edge, pair, run_of, runs


def chain(*times):
    """Events a, b, c, ... of one agent at these times, each caused by the one before."""
    trace = pair()
    names = [chr(ord("a") + place) for place in range(len(times))]
    trace["events"] = [
        act(name, time, "message", "solo") for name, time in zip(names, times, strict=True)
    ]
    trace["edges"] = [edge(source, target) for source, target in pairwise(names)]
    return trace


def closed(*times):
    """The same, and the last event causes the first."""
    trace = chain(*times)
    last = trace["events"][-1]["id"]
    trace["edges"].append(edge(last, "a"))
    return trace


@pytest.mark.parametrize(
    ("trace", "shown"),
    [
        (closed(0), "a -> a"),
        (closed(0, 0), "a -> b -> a"),
        (closed(0, 0, 0, 0, 0), "a -> b -> c -> d -> e -> a"),
    ],
)
def test_a_cycle_is_shown_from_its_first_event(trace, shown):
    (problem,) = order(run_of(trace))
    assert (problem.path, problem.value, problem.words) == ("/events/0", "a", {"cycle": shown})


@given(runs())
def test_without_a_cause_is_what_no_edge_leads_to_and_nothing_starts(run):
    spawned = {event.to for event in run.events if event.type == "spawn"} - {run.main}
    met = {place for place, kind in enumerate(run.kinds) if kind == "human_intervention"}
    for name in run.first.keys() - spawned - run.tools:
        own = [place for place in run.graph.by_time if run.actors[place] == name]
        met |= {own[0], *(place for place in own if run.kinds[place] in ("tool_call", "spawn"))}
    met.add(min(range(len(run.events)), key=run.times.__getitem__))
    met.update(run.graph.targets)
    assert [problem.path for problem in reach(run)] == [
        f"/events/{place}" for place in range(len(run.events)) if place not in met
    ]


@pytest.mark.parametrize(
    ("declared", "fits"),
    # The events last 100 s: one per cent less is rounding, half as much again and a second are
    # start-up.
    [(99.02, True), (98.9, False), (100, True), (151, True), (151.1, False)],
)
def test_a_wall_clock_fits_the_events_within_what_rounding_and_starting_take(declared, fits):
    trace = chain(10, 110)
    trace["costs"]["wall_clock_s"] = declared
    expected = [] if fits else [("/costs/wall_clock_s", f"{declared:g}", {"span": "100"})]
    assert [(one.path, one.value, one.words) for one in wall_clock(run_of(trace))] == expected
