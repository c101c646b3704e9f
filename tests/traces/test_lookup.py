"""Values out of other people's JSON: of the wanted type, or nothing; never an exception."""

import json
import math
from typing import Any

import pytest

from corpus.traces.lookup import (
    DEPTH_LIMIT,
    LATEST_TIME,
    count,
    has_time,
    iso_time,
    parsed,
    stated_count,
)


@pytest.mark.parametrize(
    ("written", "stated"),
    [
        (3, 3),
        (3.0, 3),
        (0, 0),
        ("0", 0),
        ("120", 120),
        (10**18 - 1, 10**18 - 1),
        (10**18, None),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, None),
        (-1, None),
        ("-1", None),
        ("²", None),
        ("٣", None),
        ("1e3", None),
        (True, None),
        (False, None),
        (math.inf, None),
        (math.nan, None),
        (None, None),
        ([], None),
    ],
)
def test_a_count_is_stated_or_unknown_and_unknown_counts_as_nothing(written, stated):
    assert stated_count({"n": written}, "n") == stated
    assert count({"n": written}, "n") == (stated or 0)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1970-01-01", 0.0),
        ("1970-01-01T00:00:01", 1.0),
        ("1970-01-01T01:00:01+01:00", 1.0),
        ("1970-01-01T00:00:00.123456789Z", 0.123456),
        ("1969-12-31T23:59:59Z", None),
        ("2999-12-31T23:59:59Z", LATEST_TIME - 1),
        ("3000-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00+23:59", None),
        ("2026-13-01", None),
        ("12:00:00", None),
        ("1970-01-01T00:00:00Z" + " " * 21, None),
        (12, None),
        (None, None),
    ],
)
def test_a_time_is_read_as_seconds_or_not_at_all(written, seconds):
    assert iso_time(written) == seconds


def test_one_time_is_enough_for_a_clock():
    assert has_time([{"t": "soon"}, 7, {"t": "1970-01-01"}], "t")
    assert not has_time([{"t": "soon"}, {"u": "1970-01-01"}], "t")
    assert not has_time([], "t")


def test_json_in_a_string_is_parsed_up_to_a_depth():
    """Python may be able to read such a value and, some calls deeper, not to write it."""
    deepest: Any = json.loads("[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT)
    written = json.dumps(deepest)
    assert parsed(written) == deepest
    assert parsed(f"[{written}]") == f"[{written}]"
