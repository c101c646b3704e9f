"""Values out of other people's JSON: of the wanted type, or nothing; never an exception."""

import json
import math
from typing import Any

import pytest

from corpus.traces.convert import lookup
from corpus.traces.convert.lookup import (
    DEPTH_LIMIT,
    LATEST_TIME,
    count,
    epoch_time,
    first_text,
    has_time,
    is_deeper,
    iso_time,
    items,
    nano_time,
    number,
    parsed,
    record,
    records,
    stated_count,
    text,
    value,
)

NODE = {"a": [{"b": 3}, "x", None], "n": 1, "t": "é", "": {"e": 0}}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), NODE),
        (("a", 0, "b"), 3),
        (("a", -2), "x"),
        (("a", -4), None),
        (("a", 3), None),
        (("a", "0"), None),
        (("n", "b"), None),
        (("t", 0), None),
        (("", "e"), 0),
        ((0,), None),
    ],
)
def test_a_path_leads_to_what_is_there_or_to_nothing(path, found):
    assert value(NODE, *path) == found


def test_a_value_of_another_type_is_as_good_as_none():
    assert (text(NODE, "t"), text(NODE, "n"), text(None)) == ("é", "", "")
    assert (record(NODE, ""), record(NODE, "a")) == ({"e": 0}, {})
    assert (items(NODE, "a"), items(NODE, "t")) == (NODE["a"], [])
    assert records(NODE, "a") == [{"b": 3}]


def test_the_first_field_with_words_counts():
    node = {"a": "", "b": 7, "c": "x", "d": "y"}
    assert (first_text(node, "a", "b", "c", "d"), first_text(node, "a", "b")) == ("x", "")


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
    ("written", "found"),
    [(2, 2.0), (-0.5, -0.5), (1e301, None), (10**400, None), (True, None), ("2", None)],
)
def test_a_number_is_finite(written, found):
    assert number({"n": written}, "n") == found
    assert number({"n": math.nan}, "n") is None


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


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (1_700_000_000_123_456_789, 1_700_000_000.123456),
        ("1700000000123456789", 1_700_000_000.123456),
        (999, 0.0),
        ("1" * 22, None),
        (1.5e18, None),
        (True, None),
        (0, None),
        (-1, None),
        (int(LATEST_TIME) * 10**9, None),
    ],
)
def test_nanoseconds_are_whole_and_of_this_millennium(written, seconds):
    assert nano_time(written) == seconds


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (1_700_000_000_123, 1_700_000_000.123),
        (1_700_000_000_123.4567, 1_700_000_000.123457),
        (0, None),
        (math.nan, None),
        (math.inf, None),
        (10**400, None),
        ("1700000000123", None),
        (False, None),
        (LATEST_TIME * 1000, None),
    ],
)
def test_milliseconds_are_seconds_to_the_microsecond(written, seconds):
    assert epoch_time(written, 1e-3) == seconds


@pytest.mark.parametrize(
    "written", ["[1", "{'a': 1}", "12", '"x"', " prose [1]", "", "[" * 100_000, {"a": 1}, None]
)
def test_what_is_no_json_object_or_list_stays_as_it_is(written):
    assert parsed(written) == written


def test_json_in_a_string_is_parsed_up_to_a_length(monkeypatch):
    monkeypatch.setattr(lookup, "PARSED_LIMIT", 10)
    assert (parsed(' {"a": 1} '), parsed('  {"a": 1} ')) == ({"a": 1}, '  {"a": 1} ')


def test_json_in_a_string_is_parsed_up_to_a_depth():
    """Python may be able to read such a value and, some calls deeper, not to write it."""
    deepest: Any = json.loads("[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT)
    written = json.dumps(deepest)
    assert parsed(written) == deepest
    assert parsed(f"[{written}]") == f"[{written}]"


@pytest.mark.parametrize(
    ("node", "depth"), [("a", 0), ([], 1), ({}, 1), ([{"a": [1]}, []], 3), ({"a": 1, "b": {}}, 2)]
)
def test_the_depth_of_a_value_is_that_of_its_deepest_part(node, depth):
    assert not is_deeper(node, depth)
    assert depth == 0 or is_deeper(node, depth - 1)
