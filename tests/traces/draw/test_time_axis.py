"""Time axes: to scale but for long pauses, or stretched where events crowd."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.traces.draw.time_axis import axis_to_scale, stretched_axis

#: Seven even steps, and a pause of a thousand seconds before the last.
PAUSED = [0, 1, 2, 3, 4, 5, 1005, 1006]


def test_a_time_between_two_moments_is_between_their_positions():
    axis = axis_to_scale([0, 10, 40], 3)
    assert [axis.along(time) for time in (-1, 0, 5, 25, 40)] == [0, 0, 1.75, 8.75, 14]


def test_a_pause_is_cut_to_a_share_of_what_happens():
    axis = axis_to_scale(PAUSED, 8)
    # Six steps of a second and two fifths of these for the pause: 8.4 in all, on 14 units.
    assert axis.cuts == [(pytest.approx(5 / 0.6), pytest.approx(7.4 / 0.6))]
    assert axis.along(505) == pytest.approx((5 + 2.4 / 2) / 0.6)


@given(st.lists(st.floats(0, 1.7e308), min_size=1, max_size=12))
@example([0.0, 17.0])
def test_later_times_are_never_left_of_earlier_ones(times):
    axis = axis_to_scale(times, len(times))
    assert axis.positions == sorted(axis.positions)
    assert axis.positions[0] == 0
    assert all(0 <= position <= 14 for position in axis.positions)
    assert all(0 <= start < end <= 14 for start, end in axis.cuts)


def test_events_of_one_moment_are_side_by_side_after_their_causes():
    found = stretched_axis([0, 0, 0], [0, 0, 1], [0, 1, 2], [(0, 1), (1, 2)])
    assert found.x[0] < found.x[1] < found.x[2]


def test_a_cycle_of_one_moment_has_an_end():
    found = stretched_axis([0, 0], [0, 1], [0, 1], [(0, 1), (1, 0)])
    assert found.x[0] < found.x[1]
