"""JSON pointers, and the line and character of what they point at."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.reading import pointer_lines
from corpus.traces.reading.pointer_lines import Lines, locate, pointer, token_place, values


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ((), ""),
        (("",), "/"),
        (("events", 0), "/events/0"),
        (("a/b", "m~n"), "/a~1b/m~0n"),
        # RFC 6901: the tilde of an escaped slash is not escaped again.
        (("~1",), "/~01"),
        (("ü ", -1), "/ü /-1"),
    ],
)
def test_a_pointer_escapes_slashes_and_tildes(parts, path):
    assert pointer(*parts) == path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3", [("", 0, False)]),
        (" [] ", [("", 1, False)]),
        ("[[], {}, 1]", [("", 0, False), ("/0", 1, False), ("/1", 5, False), ("/2", 9, False)]),
        ('{"a": {"a": 1}}', [("", 0, False), ("/a", 6, False), ("/a/a", 12, False)]),
        # A member after a list or an object goes on where it was.
        (
            '{"a": [1], "b": 2}',
            [("", 0, False), ("/a", 6, False), ("/a/0", 7, False), ("/b", 16, False)],
        ),
        (
            '[{"a": 1}, 2]',
            [("", 0, False), ("/0", 1, False), ("/0/a", 7, False), ("/1", 11, False)],
        ),
        # Brackets, commas and quotation marks inside of strings are none.
        (r'["],[\"{:", 1]', [("", 0, False), ("/0", 1, False), ("/1", 12, False)]),
        (r'{"a\"b": 1}', [("", 0, False), ('/a"b', 9, False)]),
        (
            "[1,\n-2e5,\ttrue]",
            [("", 0, False), ("/0", 1, False), ("/1", 4, False), ("/2", 10, False)],
        ),
    ],
)
def test_every_value_has_its_pointer_and_offset(text, found):
    assert list(values(text)) == found


@pytest.mark.parametrize(
    ("text", "duplicates"),
    [
        ('{"a": 1, "a": 2, "a": 3}', [9 + 5, 17 + 5]),
        (r'{"a": 1, "\u0061": 2}', [19]),
        (r'{"\/": 1, "/": 2}', [15]),
        (r'{"\n": 1, "\u000a": 2}', [20]),
        (r'{"\ud83d\ude00": 1, "😀": 2}', [25]),
        # The same key in another object is another key.
        ('{"a": {"a": 1}, "b": {"a": 2}}', []),
        ('[{"a": 1}, {"a": 1}]', []),
        (r'{"\\n": 1, "\n": 2}', []),
    ],
)
def test_a_key_is_a_duplicate_however_it_is_spelled(text, duplicates):
    assert [offset for _, offset, is_duplicate in values(text) if is_duplicate] == duplicates


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='a"\\/~{[:,é😀\n', max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(alphabet='a"\\/~{[:,é😀', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def _at(value: Any, path: str) -> Any:
    for part in path.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


@given(json_values, st.booleans(), st.sampled_from([None, 1]))
def test_a_pointer_leads_to_the_value_that_begins_at_its_offset(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    for path, offset, is_duplicate in values(text):
        parsed, _ = json.JSONDecoder().raw_decode(text, offset)
        assert (parsed, is_duplicate) == (_at(value, path), False)


@pytest.mark.parametrize(
    ("offset", "place"),
    [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (9, (3, 6))],
)
def test_lines_and_characters_count_from_one(offset, place):
    assert Lines("ab\n\ncdefg").place(offset) == place


def test_the_first_wanted_token_is_found_outside_of_strings():
    assert token_place('{"a": "NaN",\n "b": NaN, "c": NaN}', "NaN".__eq__) == (2, 7)
    assert token_place('["NaN"]', "NaN".__eq__) == (1, 0)


def test_a_text_of_the_largest_size_is_searched_and_a_larger_one_is_not(monkeypatch):
    text = "[1,\n2]"
    monkeypatch.setattr(pointer_lines, "LARGEST", len(text))
    assert locate(text, {"/1", "/2"}) == {"/1": (2, 1)}
    assert token_place(text, "2".__eq__) == (2, 1)
    assert locate(f"{text} ", {"/1"}) == {}
    assert token_place(f"{text} ", "2".__eq__) == (1, 0)


def test_of_equal_keys_the_last_is_located_as_it_is_the_one_that_counts():
    assert locate('{"a": 1,\n "a": 2}', {"/a"}) == {"/a": (2, 7)}
