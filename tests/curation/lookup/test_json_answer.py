"""JSON of a service: an object, valid, and each value of the kind that is wanted."""

import pytest

from corpus.curation.lookup.json_answer import items_of, mapping_of, read_object, text_of
from corpus.model.finding import CorpusError


def test_an_object_is_returned_as_it_is():
    assert read_object('{"a": ["é", 1.5, null]}'.encode(), "Mire", "x") == {"a": ["é", 1.5, None]}


@pytest.mark.parametrize(
    "body",
    [b"", b"[1]", b"7", b'{"a": NaN}', b'{"a": -Infinity}', b"{'a': 1}", b'{"a": 1} x', b"\xff",
     b'{"a":' + b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}"],
    ids=["empty", "list", "number", "nan", "infinity", "quotes", "rest", "bytes", "deep", "digits"],
)  # fmt: skip
def test_anything_else_is_one_finding_at_what_was_asked(body):
    with pytest.raises(CorpusError) as error:
        read_object(body, "Mire", "10.1234/x")
    assert [(found.code, found.file) for found in error.value.findings] == [("C707", "10.1234/x")]


@pytest.mark.parametrize(
    ("value", "text"),
    [("peat", "peat"), (["moss", "peat"], "moss"), ([], ""), ([["x"]], ""), (7, ""), (None, ""),
     ({"a": "b"}, ""), ("", ""), ("😀", "😀")],
)  # fmt: skip
def test_a_text_is_the_value_or_the_first_of_a_list(value, text):
    assert text_of(value) == text


def test_half_of_a_surrogate_pair_is_left_out():
    """No file and no address can hold it."""
    answer = read_object(b'{"next": "a\\ud800b", "title": ["\\ud83d\\ude00"]}', "Mire", "x")
    assert (text_of(answer["next"]), text_of(answer["title"])) == ("ab", "😀")


def test_what_is_no_object_or_no_list_is_an_empty_one():
    assert (mapping_of({"a": 1}), mapping_of([1]), mapping_of(None)) == ({"a": 1}, {}, {})
    assert (items_of([1]), items_of({"a": 1}), items_of("ab")) == ([1], [], [])
