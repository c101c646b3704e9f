"""Words in a picture: names of a length, times in a unit that fits the run."""

import pytest

from corpus.traces.draw.ink import clock, clock_unit


@pytest.mark.parametrize(
    ("seconds", "span", "written", "unit"),
    [
        (0.0214, 0.999, "21 ms", "ms"),
        (0.5, 1, "0.5", "s"),
        (59.96, 179.9, "60", "s"),
        (59.6, 180, "1:00", "min:s"),
        (7199.4, 7199.9, "119:59", "min:s"),
        (7199.6, 7200, "2:00:00", "h:min:s"),
        (360_000, 999_999_999, "100:00:00", "h:min:s"),
        (123_456, 1e9, "1.235e+05", "s"),
    ],
)
def test_a_time_has_the_unit_of_the_whole_run(seconds, span, written, unit):
    assert (clock(seconds, span), clock_unit(span)) == (written, unit)
