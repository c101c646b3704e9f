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


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("J. von Neumann", "von Neumann, J."),
        ("Ann Ward Jr.", "Ward Jr., Ann"),
        ("Ann B. Ward, Jr", "Ward Jr, Ann B."),
        ("Ward, Jr., Ann", "Ward Jr., Ann"),
        ("Ward, Ann, Jr.", "Ward Jr., Ann"),
        ("Christian de Witt III", "de Witt III, Christian"),
        ("Li Jr", "Jr, Li"),  # without a lineage, one of the two names would be missing
        ("Ward, Jr", "Ward, Jr"),
        ("李 明", "李 明"),
        ("Mire Institute", "Mire Institute"),
        ("Ann  Ward;", "Ward, Ann"),
        ("Ward, Ann, of the Mire", "Ward Ann of the Mire"),
        ("", ""),
    ],
)
def test_a_name_in_reading_order_begins_with_the_family(name, cell):
    assert author(name) == cell
