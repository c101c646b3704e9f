"""What two states declare otherwise: every entry by its place, its kind and both values."""

from dataclasses import replace
from datetime import date

import pytest

from corpus.curation.changes.declared import by_item, declaration_changes
from tests.corpora.full import full


def documents(old, new):
    """Compare one document in two states."""
    before = replace(full(), documents={"protocol": old})
    after = replace(full(), documents={"protocol": new})
    found = declaration_changes(before, after)
    return [
        (item.place, item.kind, item.before, item.after)
        for change in found
        for item in by_item(change)
        if item.document == "protocol"
    ]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({}, {}, []),
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {}, [("a", "removed", "1", "")]),
        ({}, {"a": ""}, [("a", "added", "", '""')]),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("a, b", "changed", "1", "2")]),
        ({"a": {"b": 1}}, {"a": 1}, [("a", "changed", '{"b": 1}', "1")]),
        # What Python takes for equal, TOML does not.
        ({"a": 1}, {"a": True}, [("a", "changed", "1", "true")]),
        ({"a": 1}, {"a": 1.0}, [("a", "changed", "1", "1.0")]),
        ({"a": "1"}, {"a": 1}, [("a", "changed", "1", "1")]),
        (
            {"a": date(2026, 5, 4)},
            {"a": "2026-05-04"},
            [("a", "changed", '"2026-05-04"', "2026-05-04")],
        ),
        ({"a": "é"}, {"a": "e\u0301"}, [("a", "changed", "é", "e\u0301")]),
    ],
)
def test_values_are_compared_exactly(old, new, found):
    assert documents(old, new) == found


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (["x", "y"], ["x", "y"], []),
        (["x", "y"], ["y", "x"], [("a", "reordered", "x, y", "y, x")]),
        (["x"], ["x", "y"], [("a, item 2", "added", "", "y")]),
        ([], ["x"], [("a, item 1", "added", "", "x")]),
        ([1], [2, 1], [("a, item 1", "added", "", "2")]),
        ([{"id": "x", "n": 1}], [{"id": "x", "n": 2}], [("a, x, n", "changed", "1", "2")]),
        ([{"name": "x"}], [], [("a, x", "removed", '{"name": "x"}', "")]),
        ([], [{"key": "x"}], [("a, x", "added", "", '{"key": "x"}')]),
        ([{"id": "x"}, {"id": "y"}], [{"id": "y"}, {"id": "x"}], [("a", "reordered", "x, y", "y, x")]),
        (
            [{"id": "x"}, {"id": "y"}, {"id": "z"}],
            [{"id": "w"}, {"id": "z"}, {"id": "x"}],
            [("a, y", "removed", '{"id": "y"}', ""), ("a", "reordered", "x, z", "z, x"), ("a, w", "added", "", '{"id": "w"}')],
        ),
        # Without names, or with one name twice, items are compared by their numbers.
        ([{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 3}], [("a, item 2, n", "changed", "2", "3")]),
        ([{"id": "x"}, {"id": "x"}], [{"id": "x"}], [("a, item 2", "removed", '{"id": "x"}', "")]),
        ([{"n": 1}, {"n": 2}], [{"n": 2}, {"n": 1}], [("a", "reordered", '[{"n": 1}, {"n": 2}]', '[{"n": 2}, {"n": 1}]')]),
        ([{"n": 1}, "x"], ["x"], [("a, item 1", "removed", '{"n": 1}', "")]),
        (["a", "b", "c", "d"], ["a", "B", "c", "D"], [("a, item 2", "changed", "b", "B"), ("a, item 4", "changed", "d", "D")]),
    ],
)  # fmt: skip
def test_members_of_a_list_are_recognised_by_their_names(old, new, found):
    assert documents({"a": old}, {"a": new}) == found


def test_what_is_nested_very_deeply_is_compared_as_a_whole():
    old, new = 1, 2
    for _ in range(40):
        old, new = {"a": old}, {"a": new}
    ((place, kind, before, after),) = documents(old, new)
    assert (place, kind) == (", ".join("a" * 12), "changed")
    assert (before.count("{"), before[-29:], after.count("{")) == (28, "1" + "}" * 28, 28)
