"""Seconds of a run: what each agent was busy, how many were there, and sums that stay exact."""

import math

import pytest
from hypothesis import given

from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import intervals, merged, summed, timing, width
from corpus.traces.run import Life
from tests.support.made_traces import runs


@given(runs())
def test_an_agent_is_busy_for_the_union_of_its_intervals(run):
    weights = steps(run).weights
    of_agents: dict[str, list[tuple[float, float]]] = {}
    for _, agent, start, end in intervals(run, weights):
        of_agents.setdefault(agent, []).append((start, end))
    expected = {}
    for agent, spans in of_agents.items():
        expected[agent] = math.fsum(end - start for start, end in merged(spans))
    busy, union, _ = timing(run, weights)
    assert busy == pytest.approx(expected)
    assert (union or 0) <= math.fsum(expected.values()) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("lives", "mean", "peak"),
    [
        ([Life(2, 5)], 1.0, 1),
        # One agent ends when the next one begins: they do not overlap.
        ([Life(0, 1), Life(1, 2)], 1.0, 1),
        ([Life(0, 2), Life(1, 3)], 4 / 3, 2),
        # An agent of one moment counts at that moment, and adds nothing to the mean.
        ([Life(0, 4), Life(2, 2)], 1.0, 2),
        ([Life(1, 1), Life(1, 1)], 2.0, 2),
        ([Life(0, 1), Life(3, 4)], 2 / 4, 1),
    ],
)
def test_mean_over_time_and_peak(lives, mean, peak):
    assert width(lives) == (mean, peak)
    assert width(lives[::-1]) == (mean, peak)


def test_a_sum_is_rounded_once_and_too_large_a_one_is_infinite():
    assert summed([1e16, 1.0, -1e16]) == 1.0
    assert summed([]) == 0
    assert summed([1.7e308, 1.7e308]) == math.inf
