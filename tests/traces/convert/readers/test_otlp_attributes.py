"""The attributes and ids of OTLP JSON as plain values."""

import pytest

from corpus.traces.convert.readers.otlp import attributes


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ({"stringValue": "a"}, "a"),
        ({"intValue": "7"}, "7"),
        ({"doubleValue": 0.5}, 0.5),
        ({"boolValue": False}, False),
        ({"string_value": "a"}, "a"),
        ({"int_value": 7}, 7),
        ({"double_value": 0.5}, 0.5),
        ({"bool_value": True}, True),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "1"}]}}, ["a", "1"]),
        ({"array_value": {"values": [{"string_value": "a"}]}}, ["a"]),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": True}}]}}, {"k": True}),
        ({"kvlist_value": {"values": [{"key": "k", "value": {"int_value": 1}}]}}, {"k": 1}),
        ({"arrayValue": {}}, []),
        ({"bytesValue": "AA=="}, None),
        ("bare", None),
        (None, None),
    ],
)
def test_a_typed_value_is_a_plain_one(written, plain):
    assert attributes([{"key": "a", "value": written}]) == {"a": plain}


@pytest.mark.parametrize(("written", "found"), [({"a": 1}, {"a": 1}), (None, {}), ("x", {})])
def test_a_plain_object_is_read_and_anything_else_is_none(written, found):
    assert attributes(written) == found


def test_values_in_values_end_at_a_depth():
    node: object = {"stringValue": "deep"}
    for _ in range(7):
        node = {"arrayValue": {"values": [node]}}
    assert attributes([{"key": "a", "value": node}]) == {"a": [[[[[[["deep"]]]]]]]}
    deeper = {"arrayValue": {"values": [node]}}
    assert attributes([{"key": "a", "value": deeper}]) == {"a": [[[[[[[[None]]]]]]]]}
