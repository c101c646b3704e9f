"""Entries of BibTeX: habits, inherited fields, people, and what is damaged."""

import pytest

from corpus.curation.importing.readers.bibtex import MAX_ENTRY, read_bibtex, read_entries
from corpus.curation.importing.readers.records import Records
from tests.support.imported import cells, places


def cells_of(text):
    return [record.cells for record in read_bibtex(text, "f").rows]


@pytest.mark.parametrize(
    ("entry", "cells"),
    [
        # Scopus writes names of fields with spaces and slashes.
        ("@misc{a, title={A}, funding text 1={B}, x/y={C}}", {"funding text 1": "B", "x/y": "C"}),
        ("@misc{, title={A}, year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{title={A}, year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{a, title={A}\n year={2019}}", {"title": "A", "year": "2019"}),
        # More commas than a name has: they are between people.
        (
            "@misc{a, author={Ward, A., Moor, B., Fen, C.}}",
            {"authors": "Ward, A., Moor, B., Fen, C."},
        ),
        ("@misc{a, title={Bog}, subtitle={How peat grows}}", {"title": "Bog: How peat grows"}),
        ("@misc{a, title={Why?}, subtitle={Peat}}", {"title": "Why? Peat"}),
        ("@book{a, booktitle={Proceedings of Mires}}", {"title": "Proceedings of Mires"}),
    ],
)
def test_habits_that_leave_no_doubt_are_read(entry, cells):
    records = read_bibtex(entry, "f")
    assert records.findings == []
    [found] = [record.cells for record in records.rows]
    assert {name: found.get(name) for name in cells} == cells


@pytest.mark.parametrize(
    ("entry", "cells"),
    [
        ("@misc{a,\n title={A},\n journal=jws,\n year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{a,\n title={A},\n year=2019,\n year=2020}", {"title": "A", "year": "2019"}),
    ],
)
def test_a_field_that_cannot_be_read_loses_no_entry(entry, cells):
    records = read_bibtex(f"\n{entry}", "f")
    assert places(records.findings) == [("I112", 2)]
    [found] = [record.cells for record in records.rows]
    assert {name: found.get(name) for name in cells} == cells
    assert "journal" not in found


def test_a_part_takes_over_what_its_whole_has():
    talk, book, volume = cells_of(
        "@inproceedings{t, title={Salt}, crossref={P}, xdata={s}}\n"
        "@proceedings{p, title={Mires}, year={2020}, doi={10.1/x}, editor={Ward, Ann}}\n"
        "@book{v, crossref={p}, volume={2}}\n"
        "@xdata{s, location={Bogtown}}\n@set{g, entryset={t,p}}"
    )
    assert (talk["venue"], talk["year"], talk["location"]) == ("Mires", "2020", "Bogtown")
    assert talk["title"] == "Salt"
    assert "doi" not in talk
    assert book["title"] == volume["title"] == "Mires"


def test_entries_that_refer_to_each_other_end():
    first, _ = cells_of("@misc{a, title={A}, crossref={b}}\n@misc{b, year={2019}, crossref={a}}")
    assert first["year"] == "2019"


def test_a_reference_that_leads_nowhere_is_reported():
    records = read_bibtex("\n@inproceedings{a, title={A}, crossref={lost}}", "f")
    assert places(records.findings) == [("I112", 2)]
    assert "crossref" not in records.rows[0].cells


BIB = r"""
% a comment
@string{jsm = "Journal of Soil Moisture"}
@article{ward2019,
  author = {Ward, Ann and {Bog Trust} and M{\"u}ller, J{\'o}n},
  title = {{Peat} \& 50\% moss},
  journal = jsm, year = 2019,
}
@article{broken,
  title = {never closed,
  year = 2020
}
@misc{fine, title = {Fine}, author = {Moor, Bo and others}, eprint = {2103.00001}}
@article{deep, title = {DEEP}}
""".replace("DEEP", "{" * 5_000 + "}" * 5_000)


def test_a_malformed_bibtex_entry_is_named_and_the_rest_is_read():
    records = read_bibtex(BIB, "f.bib")
    assert cells(records) == [
        {
            "key": "ward2019",
            "type": "article",
            "authors": ("Ward, Ann", "{Bog Trust}", "Müller, Jón"),
            "title": "Peat & 50% moss",
            "venue": "Journal of Soil Moisture",
            "year": "2019",
        },
        {
            "key": "fine",
            "type": "misc",
            "title": "Fine",
            "authors": ("Moor, Bo", "et al."),
            "eprint": "2103.00001",
        },
    ]
    assert places(records.findings) == [("I106", 9), ("I106", 14)]


def test_fields_of_an_entry_alone_are_not_those_of_its_parts():
    (part, _) = cells_of(
        "@inbook{c, title={Salt}, crossref={b}}\n"
        "@book{b, title={Mires}, abstract={Wet.}, pages={1--9}, note={n}, publisher={Bog Press}}"
    )
    assert part == {
        "key": "c",
        "type": "inbook",
        "title": "Salt",
        "venue": "Mires",
        "publisher": "Bog Press",
    }


@pytest.mark.parametrize(
    ("entry", "column", "value"),
    [
        ("@techreport{a, title={A}, type={Bog note}}", "venue", "Bog note"),
        ("@phdthesis{a, title={A}, type={Licentiate}}", "type of work", "Licentiate"),
        ("@misc{a, title={A}, url={https://a.example/x\\_y}}", "url", "https://a.example/x_y"),
        ("@misc{a, title={A}, author={{Bog {\\&} Fen} and others}}", "authors", ("{Bog & Fen}", "et al.")),
        ("@article{a, title={A}, year=2001, month=may}", "date", "2001-05"),
        ("@article{a, title={A}, year=2001, month={5}}", "date", "2001-05"),
        ("@article{a, title={A}, year=2001, month=10 # { } # oct}", "date", "2001-10-10"),
        ("@article{a, title={A}, year=2001, month={May--June}}", "month", "May–June"),
        ("@misc{a, title={A}, editor={{Bog Trust}}}", "editor", ("Bog Trust",)),
    ],
)  # fmt: skip
def test_a_field_has_its_column_and_its_text(entry, column, value):
    (found,) = cells_of(entry)
    assert found[column] == value
    assert found["type"] == entry[1 : entry.index("{")]


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("{" * 5_000 + "}" * 5_000, False),
        ("{" * 50 + "}" * 50, True),
        ("x" * (MAX_ENTRY - len("@misc{a, title={}}")), True),
        ("x" * (MAX_ENTRY + 1 - len("@misc{a, title={}}")), False),
    ],
)
def test_an_entry_has_limits(text, is_read):
    value = text if text.startswith("{") else f"{{{text}}}"
    records = Records("BibTeX", "f.bib")
    assert len(read_entries(f"@misc{{a, title={value}}}", records)) == is_read
    assert [f.code for f in records.findings] == ["I106"] * (not is_read)
