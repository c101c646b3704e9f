"""Names that a codebook takes: what is left of what people write, and that none is given twice."""

import pytest

from corpus.curation.importing.names import ascii_words, column_name, key_name, term_id


@pytest.mark.parametrize(("text", "words"), [
    ("Évapotranspiration (daily), C++", "evapotranspiration daily c plus plus"), ("Weiß & GROSS", "weiss and gross"),
    ("Łukasz Østergaard ł ø", "lukasz ostergaard l o"), ("Þórður Æsir œuvre", "thordur aesir oeuvre"), ("C# > 5 %", "c sharp above 5 percent"),
    ("a<b", "a below b"), ("İzmir ılık", "izmir ilik"), ("Peat™ ﬁeld ²", "peattm field 2"), ("泥炭", ""), ("", ""),
])  # fmt: skip
def test_words_are_ascii_in_small_letters(text, words):
    assert ascii_words(text) == words.split()


@pytest.mark.parametrize(("text", "name"), [
    ("Sensor type (main)", "sensor_type_main"), ("漢字", "column"), ("# of sites", "nr_of_sites"), ("Site#", "site_nr"),
    ("x" * 50, "x" * 40), ("x" * 39 + " yes", "x" * 39), ("", "column"),
])  # fmt: skip
def test_columns(text, name):
    assert column_name(text) == name


@pytest.mark.parametrize(("text", "name"), [
    ("Wet & dry", "wet_and_dry"), ("C#", "c_sharp"), ("泥炭", "泥炭"), ("x" * 70, "x" * 60), ("x" * 59 + " yes", "x" * 59),
])  # fmt: skip
def test_terms(text, name):
    assert term_id(text) == name


@pytest.mark.parametrize(("words", "name"), [
    (["Öztürk", "2021", "Peat"], "ozturk-2021-peat"), (["", "Peat"], "peat"), (["泥炭"], "entry"), ([], "entry"),
    (["x" * 59, "yes"], "x" * 59), (["x" * 70], "x" * 60),
])  # fmt: skip
def test_keys(words, name):
    assert key_name(words) == name


def test_no_name_is_given_twice():
    assert column_name("Year", {"year", "year_2", "year_3"}) == "year_4"
    assert term_id("Wet", {"wet"}) == "wet_2"
    assert term_id("泥", {"泥"}) == "泥_2"
    assert key_name(["Peat"], {"peat", "peat-2"}) == "peat-3"
    assert column_name("Year", {"month"}) == "year"
