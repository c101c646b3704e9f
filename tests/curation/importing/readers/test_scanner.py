"""Entries of BibTeX as they are scanned: what is lost is a field, never the entry."""

import pytest

from corpus.curation.importing.readers import bibtex
from corpus.curation.importing.readers.bibtex import read_entries
from corpus.curation.importing.readers.records import Records
from tests.support.imported import places


def scanned(text):
    return read_entries(text, Records("BibTeX", "a.bib"))


@pytest.mark.parametrize(
    ("text", "key", "fields"),
    [
        ("@misc(a, title={A})", "a", {"title": "A"}),
        ("@misc{ a  b , title={A},}", "a b", {"title": "A"}),
        ("@misc{a, t={x\n  y} # { z}}", "a", {"t": "x y z"}),
        ("@misc{a, chemicals/cas={1}, Schlüssel={2}}", "a", {"chemicals/cas": "1", "schlüssel": "2"}),
        ("@misc{a, title={A}}} x@", "a", {"title": "A"}),
        ("% @misc{b, title={B}}\n@misc{a, title={A}} % @misc{c}\n% @misc{d, title={D}}", "a", {"title": "A"}),
    ],
)  # fmt: skip
def test_forms_that_leave_no_doubt(text, key, fields):
    entry = scanned(text)[0]
    assert (entry.key, entry.kind, entry.fields, entry.problems) == (key, "misc", fields, [])


def test_strings_are_known_to_later_entries_and_an_unknown_one_belongs_to_its_entry():
    known, unknown = scanned(
        '@string{jsm = "Mires"}\n@misc{a, journal=JSM, month=jul}\n@misc{b, journal=jws}'
    )
    assert (known.fields, known.problems) == ({"journal": "Mires", "month": "July"}, [])
    assert len(unknown.problems) == 1
    assert "jws" in unknown.problems[0]


def test_the_limit_of_macros_itself_is_allowed(monkeypatch):
    monkeypatch.setattr(bibtex, "MAX_EXPANDED", 8)
    text = '@string{a = "peat"}\n@misc{x, title = a # a}\n'
    assert scanned(text)[0].fields == {"title": "peatpeat"}
    records = Records("BibTeX", "a.bib")
    read_entries(text + "@misc{y, title = a}", records)
    assert places(records.findings) == [("I106", 3)]


def test_what_follows_a_comment_without_an_at_is_named():
    records = Records("BibTeX", "a.bib")
    (entry,) = read_entries("@comment{x {y}}\nmisc{a, title={A}}\n@misc{b, title={B}}", records)
    assert entry.key == "b"
    assert places(records.findings) == [("I106", 2)]
