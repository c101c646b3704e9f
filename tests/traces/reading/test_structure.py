"""The schema, key by key: every way in which a JSON value is no trace."""

import math

import pytest

from corpus.traces.reading.structure import ADDED, fits, problems, shown
from tests.support.made_traces import event, pair


def broken(trace):
    """Code, pointer and value of every problem."""
    return [(one.rule.code, one.path, one.value) for one in problems(trace)]


def test_problems_come_in_the_order_of_the_keys_all_of_them():
    trace = pair() | {"trace_id": "", "system": 1, "topology": None, "events": [], "edges": {}}
    trace |= {"rewards": [], "costs": {"tokens": -1}, "extra": "x"}
    assert [(code, path) for code, path, _ in broken(trace)] == [
        ("OT001", "/extra"),
        ("OT001", "/trace_id"),
        ("OT001", "/events"),
        ("OT001", "/edges"),
        ("OT001", "/rewards"),
        ("OT001", "/costs"),
        ("OT004", "/costs/tokens"),
        ("OT001", "/system"),
        ("OT001", "/topology"),
    ]


@pytest.mark.parametrize(
    ("key", "value", "code", "words"),
    [
        ("id", "", "OT001", ""),
        ("id", 3, "OT001", "3"),
        ("agent", "", "OT001", ""),
        ("t", "1", "OT001", "1"),
        ("t", True, "OT001", "true"),
        ("t", -0.5, "OT004", "-0.5"),
        ("t", math.inf, "OT004", "Infinity"),
        ("t", math.nan, "OT004", "NaN"),
        ("type", "spawned", "OT001", "spawned"),
        ("type", ["spawn"], "OT001", '["spawn"]'),
        ("role", 3, "OT001", "3"),
        ("from", None, "OT001", ""),
        ("trusted", 1, "OT001", "1"),
        ("x_steps", -1, "OT118", "-1"),
    ],
)
def test_a_wrong_value_of_an_event_is_named(key, value, code, words):
    trace = pair()
    event(trace, "ask")[key] = value
    assert broken(trace) == [(code, f"/events/3/{key}", words)]


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("x_steps", [0, 1.5], [-1, True, "1", None, math.inf]),
        ("x_tokens_cached", [0], [-1, "0"]),
        ("x_inferred", [True, False, [], ["t"]], [1, "t", [1], {}, None]),
        ("x_model", ["", "m"], [1, None, ["m"]]),
        ("x_contents", [{}, {"user": ["a"]}], [1, ["a"], {"user": "a"}, {"user": [1]}]),
        ("x_call_id", ["c"], [["c"]]),
        ("x_stop_reason", [""], [False]),
    ],
)
def test_keys_with_a_documented_type_have_values_of_it(key, good, bad):
    assert key in ADDED
    assert [fits(value, ADDED[key]) for value in good] == [True] * len(good)
    assert [fits(value, ADDED[key]) for value in bad] == [False] * len(bad)


def test_a_value_is_shown_as_short_json():
    assert shown("ü") == "ü"
    assert shown({"ü": [1, None]}) == '{"ü": [1, null]}'
    assert shown("x" * 200) == "x" * 200
    assert shown("x" * 201) == "x" * 199 + "…"
    assert len(shown([0] * 1000)) == 200
