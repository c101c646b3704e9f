"""Entries of BibTeX as they are parsed: what is lost is a field, never the entry."""

import pytest
from pybtex.database import PybtexError

from corpus.curation.importing.readers.bibtex.bibtex_parser import ParsedEntry, parse_entries
from corpus.curation.importing.readers.bibtex.string_macros import StringMacros


def parsed(text, macros=None):
    return list(parse_entries(text, macros or StringMacros()))


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("@Misc{a, Title={A}, year=2019}", ParsedEntry("a", "misc", {"Title": "A", "year": "2019"}, ())),
        ("@misc(a, title={A})", ParsedEntry("a", "misc", {"title": "A"}, ())),
        ("@misc{a}", ParsedEntry("a", "misc", {}, ())),
        ("@misc{ a  b , title={A},}", ParsedEntry("a b", "misc", {"title": "A"}, ())),
        ("@misc{title={A}}", ParsedEntry("", "misc", {"title": "A"}, ())),
        ("@misc{a, t={x\n  y} # { z}}", ParsedEntry("a", "misc", {"t": "x y z"}, ())),
        ("@misc{a, chemicals/cas={1}, Schlüssel={2}}",
         ParsedEntry("a", "misc", {"chemicals/cas": "1", "Schlüssel": "2"}, ())),
    ],
)  # fmt: skip
def test_forms_that_leave_no_doubt(text, entry):
    assert parsed(text) == [entry]


def test_of_a_field_given_twice_the_first_is_taken_and_the_other_named():
    (entry,) = parsed("@misc{a, Year={2019}, year={2020}}")
    assert entry.fields == {"Year": "2019"}
    assert len(entry.problems) == 1
    assert "year" in entry.problems[0]


def test_strings_are_known_to_later_texts_and_an_unknown_one_belongs_to_its_entry():
    macros = StringMacros()
    assert parsed('@string{jsm = "Mires"}', macros) == []
    known, unknown = parsed("@misc{a, journal=jsm}\n@misc{b, journal=jws}", macros)
    assert (known.fields, known.problems) == ({"journal": "Mires"}, ())
    assert len(unknown.problems) == 1
    assert "jws" in unknown.problems[0]


@pytest.mark.parametrize(
    "text", ["@misc{a, title={A", "@misc{a, title=}", "@misc{a, title={A}}}}x@"]
)
def test_what_is_not_closed_is_refused(text):
    if text.endswith("@"):
        assert parsed(text[:-2])[0].fields == {"title": "A"}
        return
    with pytest.raises(PybtexError):
        parsed(text)
