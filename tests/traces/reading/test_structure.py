"""The schema, part by part: every way in which a JSON value is no trace."""

import json

import pytest

from corpus.traces.reading.structure import problems, shown
from tests.support.made_traces import event, pair


@pytest.mark.parametrize(
    ("key", "value", "code", "words"),
    [
        ("id", "", "OT001", ""),
        ("id", 3, "OT001", "3"),
        ("t", True, "OT001", "true"),
        ("t", -0.5, "OT001", "-0.5"),
        ("type", "spawned", "OT001", "spawned"),
        ("type", ["spawn"], "OT001", '["spawn"]'),
        ("from", None, "OT001", "null"),
        ("trusted", 1, "OT001", "1"),
        ("x_steps", -1, "OT118", "-1"),
        ("x_inferred", [1], "OT118", "[1]"),
        ("x_contents", {"user": [1]}, "OT118", '{"user": [1]}'),
    ],
)
def test_a_wrong_value_of_an_event_is_named(key, value, code, words):
    trace = pair()
    event(trace, "ask")[key] = value
    found = [(one.rule.code, one.path, one.value) for one in problems(trace)]
    assert found == [(code, f"/events/3/{key}", words)]


def test_each_part_with_a_mistake_is_named():
    trace = pair()
    trace["events"][0] |= {"x_steps": "1", "x_model": 1}
    trace["events"][1] = None
    trace["events"][2]["t"] = -1
    trace["edges"][2] |= {"why": "x"}
    trace["costs"] = {"tokens": -1, "tea": "1"}
    assert sorted((one.path, one.rule.code) for one in problems(trace)) == [
        ("/costs", "OT001"),
        ("/costs/tea", "OT001"),
        ("/costs/tokens", "OT001"),
        ("/edges/2/why", "OT001"),
        ("/events/0/x_model", "OT118"),
        ("/events/0/x_steps", "OT118"),
        ("/events/1", "OT001"),
        ("/events/2/t", "OT001"),
    ]


def test_a_value_is_shown_as_short_json():
    assert json.loads(shown({"ü": [1, None]})) == {"ü": [1, None]}
    assert shown("x" * 200) == "x" * 200
    assert shown("x" * 201) == "x" * 199 + "…"
    assert len(shown([0] * 1000)) == 200
