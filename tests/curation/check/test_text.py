"""What is wrong with a text whatever column it stands in: the codes, and the place or the name that a reader needs."""

import pytest

from corpus.curation.check.cells import text_trouble


def trouble(cell):
    return [(rule.code, advice) for rule, advice in text_trouble(cell)]


@pytest.mark.parametrize("sign", "=+@-\uff1d\uff0b\uff0d\uff20")
def test_what_a_spreadsheet_would_run(sign):
    assert trouble(f"{sign}SUM(1)") == [("C212", repr(sign))]


@pytest.mark.parametrize(("cell", "advice"), [
    ("wet\nland", "a line break (U+000A)"), ("wet\tland", "a tab (U+0009)"), ("wet\x1bland", "a control character (U+001B)"),
    ("wet\u200bland", "zero width space (U+200B)"), ("wet\u202eland", "right-to-left override (U+202E)"),
    ("wet\u034fland", "combining grapheme joiner (U+034F)"), ("wet\u2800land", "braille pattern blank (U+2800)"),
])  # fmt: skip
def test_characters_that_cannot_be_seen_are_named(cell, advice):
    assert trouble(cell) == [("C211", advice)]


@pytest.mark.parametrize(
    "cell",
    ["TODO", "tbd", "xxx", "N/A", "na", "NaN", "None", "?", "???", "…", "...", "#REF!", "unknown?"],
)
def test_placeholders(cell):
    assert trouble(cell) == [("C213", "")]


@pytest.mark.parametrize(("cell", "advice"), [
    (" Peat", "whitespace at its start or end"), ("Peat ", "whitespace at its start or end"), ("wet  peat", "two spaces in a row"),
    (" wet  peat", "whitespace at its start or end"), ("wet\u00a0peat", "a no-break space (U+00A0)"),
    ("wet\u2009peat", "a thin space (U+2009)"),
])  # fmt: skip
def test_stray_whitespace(cell, advice):
    assert trouble(cell) == [("C214", advice)]


@pytest.mark.parametrize("first", "\t\r")
def test_a_tab_or_return_at_the_start_is_a_formula_to_some_programs(first):
    assert [code for code, _ in trouble(f"{first}SUM")] == ["C211", "C212", "C214"]


@pytest.mark.parametrize(("cell", "code"), [
    ("Mo\u0301or", "C215"), ("M\\'{o}or", "C216"), ("\\emph{wet}", "C216"), ("{\\em wet}", "C216"), ("$x^2$ of peat", "C216"),
    ("LÃ©ger", "C217"), ("wet â€” dry", "C217"),
])  # fmt: skip
def test_damaged_texts(cell, code):
    assert trouble(cell) == [(code, "")]


@pytest.mark.parametrize(("text", "found"), [
    ("Part \u0410 of learning", False),  # alone, it may be a name
    ("Multi-\u0410gent learning", True),
    ("Multi-Ag\u0435nt learning", True),
    ("A \uff21gent for learning", True),
    ("\u03c4-bench and \u03b2-VAE", False),
    ("\u041c\u043e\u0441\u043a\u0432\u0430 in one word", False),
])  # fmt: skip
def test_letters_of_another_script_are_found_inside_latin_words(text, found):
    assert ("C221" in [code for code, _ in trouble(text)]) is found
