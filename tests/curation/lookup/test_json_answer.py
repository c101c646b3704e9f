"""JSON of a service: an object, valid, and each value of the kind that is wanted."""

import pytest

from corpus.curation.lookup.answers import read_object, text_at, value_at
from corpus.curation.lookup.transport import Service
from tests.support.imported import findings_of


@pytest.mark.parametrize(
    "body",
    [b"", b"[1]", b"7", b'{"a": NaN}', b'{"a": -Infinity}', b"{'a': 1}", b'{"a": 1} x', b"\xff",
     b'{"a":' + b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}"],
    ids=["empty", "list", "number", "nan", "infinity", "quotes", "rest", "bytes", "deep", "digits"],
)  # fmt: skip
def test_anything_else_is_one_finding_at_what_was_asked(body):
    (found,) = findings_of(read_object, body, Service("Mire", ()), "10.1234/x")
    assert (found.code, found.file) == ("C707", "10.1234/x")


def test_a_path_goes_through_objects_and_the_first_item_of_a_list():
    work = {"author": [{"name": "Ann"}, {"name": "Bo"}]}
    assert (text_at(work, "author.name"), value_at(work, "author.name.first")) == ("Ann", None)
    assert (value_at([], "a"), value_at(7, "a"), value_at({"a": 0}, "a")) == (None, None, 0)
