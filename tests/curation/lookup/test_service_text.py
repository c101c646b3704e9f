"""Text and names of a service: cleaned, and in the form that tables want."""

import pytest

from corpus.curation.lookup.answers import author, clean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("a\u202eb\u200bc\ufeff", "abc"),
        ("a\n\t b", "a b"),
        ("cafe\u0301", "café"),
        ("x < y and z > w", "x < y and z > w"),
        ("<b>alert(1)</b>", "alert(1)"),
        ("&lt;b&gt;bold&lt;/b&gt;", "bold"),
        ("x" * 5000, "x" * 1000),
    ],
)
def test_text_becomes_one_plain_line(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    "name", ["", ",", ",,,", "a,b,c,d", "{}", "{{{", "\\", "~", "von", "O'Neil", "李 明", "a" * 500]
)
def test_no_name_breaks_anything(name):
    assert ";" not in author(name)
