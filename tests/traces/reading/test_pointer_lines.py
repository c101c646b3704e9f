"""JSON pointers, and the line and character of what they point at."""

import pytest

from corpus.traces.reading import pointer_lines
from corpus.traces.reading.pointer_lines import locate, token_place, values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3", {"": 0}),
        (" [] ", {"": 1}),
        ("[[], {}, 1]", {"": 0, "/0": 1, "/1": 5, "/2": 9}),
        ('{"a": {"a": 1}}', {"": 0, "/a": 6, "/a/a": 12}),
        # A member after a list or an object goes on where it was.
        ('{"a": [1], "b": 2}', {"": 0, "/a": 6, "/a/0": 7, "/b": 16}),
        ('[{"a": 1}, 2]', {"": 0, "/0": 1, "/0/a": 7, "/1": 11}),
        # Brackets, commas and quotation marks inside of strings are none.
        (r'["],[\"{:", 1]', {"": 0, "/0": 1, "/1": 12}),
        (r'{"a\"b": 1}', {"": 0, '/a"b': 9}),
        ("[1,\t-2e5,\ttrue]", {"": 0, "/0": 1, "/1": 4, "/2": 10}),
    ],
)
def test_every_value_has_its_pointer_and_character(text, found):
    assert list(values(text)) == [(path, (1, at + 1), False) for path, at in found.items()]


def test_a_text_of_the_largest_size_is_searched_and_a_larger_one_is_not(monkeypatch):
    text = "[1,\n2]"
    monkeypatch.setattr(pointer_lines, "LARGEST", len(text))
    assert locate(text, {"/1", "/2"}) == {"/1": (2, 1)}
    assert token_place(text, "2".__eq__) == (2, 1)
    assert locate(f"{text} ", {"/1"}) == {}
    assert token_place(f"{text} ", "2".__eq__) == (1, 0)
