"""Time axes: to scale but for long pauses, or stretched where events crowd; round times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.draw.time_axis import axis_to_scale, stretched_axis

#: Seven even steps, and a pause of a thousand seconds before the last.
PAUSED = [0, 1, 2, 3, 4, 5, 1005, 1006]


def test_a_time_between_two_moments_is_between_their_positions():
    axis = axis_to_scale([0, 10, 40], linear=True)
    assert [axis.along(time) for time in (-1, 0, 5, 25, 40)] == [0, 0, 0.125, 0.625, 1]


def test_a_pause_is_cut_to_a_share_of_what_happens():
    axis = axis_to_scale(PAUSED, linear=False)
    # Six steps of a second and two fifths of these for the pause: 8.4 in all.
    assert axis.cuts == [(pytest.approx(5 / 8.4), pytest.approx(7.4 / 8.4))]
    assert axis.along(505) == pytest.approx((5 + 2.4 / 2) / 8.4)
    assert axis.span == 1006


@pytest.mark.parametrize("times", [[5], [5, 5], [0, 1.7e308]])
def test_a_run_of_one_moment_or_of_endless_length_has_positions(times):
    axis = axis_to_scale(times, linear=True)
    assert axis.positions[0] == 0
    assert axis.positions[-1] in (0, 1)
    assert axis.round_ticks(clock=True)[0] == (0, times[0])


@pytest.mark.parametrize(
    ("last", "clock", "expected"),
    [
        (9, True, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (10, True, [0, 2, 4, 6, 8, 10]),
        (0.4, True, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]),
        # A minute is round for a clock, not for a count of turns.
        (500, True, [0, 60, 120, 180, 240, 300, 360, 420, 480]),
        (500, False, [0, 100, 200, 300, 400, 500]),
        (91, True, [0, 15, 30, 45, 60, 75, 90]),
        # Beyond days, steps are of one digit again.
        (1_000_000, True, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]),
    ],
)
def test_ticks_are_round_times(last, clock, expected):
    axis = axis_to_scale([0, last], linear=True)
    ticks = axis.round_ticks(clock)
    assert [time for _, time in ticks] == pytest.approx(expected)
    assert [position for position, _ in ticks] == pytest.approx([t / last for t in expected])


def test_ticks_begin_at_the_first_round_time():
    times = [time for _, time in axis_to_scale([13, 21], linear=True).round_ticks(True, most=4)]
    assert times == [14, 16, 18, 20]


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=12), st.booleans())
def test_later_times_are_never_left_of_earlier_ones(times, linear):
    axis = axis_to_scale(times, linear)
    assert axis.positions == sorted(axis.positions)
    assert all(0 <= position <= 1 for position in axis.positions)
    assert all(0 <= start < end <= 1 for start, end in axis.cuts)
    assert len(axis.round_ticks(True)) <= 11


def test_events_of_one_moment_are_side_by_side_after_their_causes():
    found = stretched_axis([0, 0, 0], [0, 0, 1], [0, 1, 2], [(0, 1), (1, 2)])
    assert found.x[0] < found.x[1] < found.x[2]


def test_a_cycle_of_one_moment_has_an_end():
    found = stretched_axis([0, 0], [0, 1], [0, 1], [(0, 1), (1, 0)])
    assert found.x[0] < found.x[1]
