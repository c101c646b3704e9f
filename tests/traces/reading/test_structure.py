"""The schema, key by key: every way in which a JSON value is no trace."""

import math
from typing import Any

import pytest

from corpus.traces.reading.structure import ADDED, REQUIRED, fits, problems, shown
from tests.support.made_traces import event, pair


def broken(trace: Any) -> list[tuple[str, str, str]]:
    """Code, pointer and value of every problem."""
    return [(one.rule.code, one.path, one.value) for one in problems(trace)]


def test_a_valid_trace_has_no_problem():
    trace = pair()
    trace |= {"system": "", "metrics": {"a": -1}}
    event(trace, "ask").update(trusted=False, x_inferred=["t"], x_error={}, free=None)
    assert broken(trace) == []


@pytest.mark.parametrize("value", [None, 3, "trace", [], [pair()], {}, {"name": "x"}])
def test_something_else_is_one_problem(value):
    assert broken(value) == [("OT001", "", "")]


@pytest.mark.parametrize("key", REQUIRED)
def test_each_required_key_of_the_root_is_missed(key):
    trace = pair()
    del trace[key]
    assert broken(trace) == [("OT001", "", "")]


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
    ("key", "value", "problem"),
    [
        ("id", "", ("OT001", "/events/3/id", "")),
        ("id", 3, ("OT001", "/events/3/id", "3")),
        ("agent", "", ("OT001", "/events/3/agent", "")),
        ("t", "1", ("OT001", "/events/3/t", "1")),
        ("t", True, ("OT001", "/events/3/t", "true")),
        ("t", -0.5, ("OT004", "/events/3/t", "-0.5")),
        ("t", math.inf, ("OT004", "/events/3/t", "Infinity")),
        ("t", math.nan, ("OT004", "/events/3/t", "NaN")),
        ("type", "spawned", ("OT001", "/events/3/type", "spawned")),
        ("type", ["spawn"], ("OT001", "/events/3/type", '["spawn"]')),
        ("role", 3, ("OT001", "/events/3/role", "3")),
        ("from", None, ("OT001", "/events/3/from", "")),
        ("trusted", 1, ("OT001", "/events/3/trusted", "1")),
        ("x_steps", -1, ("OT118", "/events/3/x_steps", "-1")),
    ],
)
def test_a_wrong_value_of_an_event_is_named(key, value, problem):
    trace = pair()
    event(trace, "ask")[key] = value
    assert broken(trace) == [problem]


def test_members_that_are_no_objects_or_lack_keys_are_named_by_their_index():
    trace = pair()
    trace["events"][1] = 3
    del trace["events"][2]["t"], trace["events"][2]["type"]
    trace["edges"][0] = ["plan"]
    trace["edges"][1] = {"src": "", "dst": "x", "type": "because", "note": 1}
    assert broken(trace) == [
        ("OT001", "/events/1", "3"),
        ("OT001", "/events/2", ""),
        ("OT001", "/events/2", ""),
        ("OT001", "/edges/0", '["plan"]'),
        ("OT001", "/edges/1/note", "1"),
        ("OT001", "/edges/1/src", ""),
        ("OT001", "/edges/1/type", "because"),
    ]


def test_known_costs_are_from_zero_on_and_other_numbers_of_any_sign():
    trace = pair()
    trace["costs"] |= {"tokens": 0, "messages": -1, "refund": -1}
    trace["rewards"] = {"team": -1, "style": "good"}
    trace["metrics"] = {"a/b": math.inf, "c": False}
    assert broken(trace) == [
        ("OT001", "/rewards/style", "good"),
        ("OT004", "/costs/messages", "-1"),
        ("OT004", "/metrics/a~1b", "Infinity"),
        ("OT001", "/metrics/c", "false"),
    ]


@pytest.mark.parametrize("number", [10**308, -(10**308), 1.7e308])
def test_a_number_that_a_double_holds_is_fine_and_one_beyond_is_not(number):
    trace = pair()
    trace["rewards"] = {"team": number}
    assert broken(trace) == []
    trace["rewards"] = {"team": number * 10**10 if isinstance(number, int) else math.inf}
    assert [code for code, _, _ in broken(trace)] == ["OT004"]


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
    assert [fits(key, value) for value in good] == [True] * len(good)
    assert [fits(key, value) for value in bad] == [False] * len(bad)


def test_a_value_is_shown_as_short_json():
    assert shown("ü") == "ü"
    assert shown({"ü": [1, None]}) == '{"ü": [1, null]}'
    assert shown("x" * 200) == "x" * 200
    assert shown("x" * 201) == "x" * 199 + "…"
    assert len(shown([0] * 1000)) == 200


@pytest.mark.parametrize("key", ["role", "from", "to", "tool", "content_ref"])
def test_texts_of_an_event_are_strings_that_may_be_empty(key):
    trace = pair()
    event(trace, "ask")[key] = ""
    assert broken(trace) == []
    event(trace, "ask")[key] = ["x"]
    assert broken(trace) == [("OT001", f"/events/3/{key}", '["x"]')]
