"""The time axis: to scale where it can be, and readable where events crowd."""

from __future__ import annotations

import pytest

from corpus.traces.draw.scale import scale


def test_a_sparse_run_is_to_scale_and_a_long_pause_is_cut() -> None:
    even = scale([0, 5, 10], [0, 1, 2], [0, 1, 2], [])
    assert even.true
    assert even.x[2] == pytest.approx(2 * even.x[1])
    moments = [0, 1, 2, 3, 4, 5, 5000, 5001]
    paused = scale(moments, [0] * 8, range(8), [])
    assert len(paused.cuts) == 1
    assert not paused.true
    assert paused.x[6] - paused.x[5] < 0.5 * paused.width


def test_events_of_one_moment_are_side_by_side_after_their_causes() -> None:
    found = scale([0, 0, 0], [0, 0, 1], [0, 1, 2], [(0, 1), (1, 2)])
    assert found.x[0] < found.x[1] < found.x[2]


def test_a_time_between_events_is_between_their_positions() -> None:
    found = scale([0, 10, 20], [0, 1, 2], [0, 1, 2], [])
    assert found.along(-5) == 0
    assert found.along(5) == pytest.approx(found.x[1] / 2)
    assert found.along(1e9) == found.width + 2


def test_a_cycle_of_one_moment_has_an_end() -> None:
    found = scale([0, 0], [0, 1], [0, 1], [(0, 1), (1, 0)])
    assert found.x[0] < found.x[1]
