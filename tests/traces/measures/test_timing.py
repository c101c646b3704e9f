"""Seconds of a run: what each agent was busy, whatever the order of the recorder."""

import math

import pytest
from hypothesis import given

from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import intervals, merged, timing
from tests.support.made_traces import runs


@given(runs())
def test_an_agent_is_busy_for_the_union_of_its_intervals(run):
    weights = steps(run).weights
    of_agents: dict[str, list[tuple[float, float]]] = {}
    for interval in intervals(run, weights).values():
        of_agents.setdefault(interval.agent, []).append((interval.start, interval.end))
    expected = {}
    for agent, spans in of_agents.items():
        expected[agent] = math.fsum(end - start for start, end in merged(spans))
    found = timing(run, weights)
    assert found is not None or not expected
    if found is not None:
        assert found.busy == pytest.approx(expected)
        assert found.union <= math.fsum(expected.values()) * (1 + 1e-9)
