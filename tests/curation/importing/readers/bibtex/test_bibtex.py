"""LaTeX in fields and addresses, and the numbers of DBLP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text

from corpus.curation.importing.readers.bibtex.bibtex import read_bibtex
from corpus.curation.importing.readers.bibtex.latex_text import address_text, plain_text
from tests.support.imported import cells


@pytest.mark.parametrize(
    ("latex", "address"),
    [
        (r"\url{https://a.example/x\_y\%20z}", "https://a.example/x_y%20z"),
        (r"https://a.example/{\~{}}ann/{\_}b", "https://a.example/~ann/_b"),
        (r"https://a.example/$\sim$ann", "https://a.example/~ann"),
        (r"\href{https://a.example/{\_}}{the paper}", "https://a.example/_"),
        (r"10.1007/978-3{\_}1\#2", "10.1007/978-3_1#2"),
        ("https://a.example/100%25~x", "https://a.example/100%25~x"),
    ],
)
def test_addresses_lose_the_latex_that_protects_them(latex, address):
    assert address_text(latex) == address


@given(st.text(st.sampled_from("abé {}'`!?-_^<>|\"@[]()*+=:;.,/0 "), max_size=20))
def test_the_short_way_gives_what_the_converter_gives(text):
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return
    if depth == 0:
        slow = LatexNodes2Text(math_mode="verbatim").latex_to_text(text)
        assert plain_text(text).split() == slow.split()


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("R & D: 50% of peat, #1", "R & D: 50% of peat, #1"),
        (r"R \& D: 50\% of peat, \#1", "R & D: 50% of peat, #1"),
        (
            r"The {\TeX}book and \LaTeX{} for \BogFont\ users",
            "The TeXbook and LaTeX for BogFont users",
        ),
        (r"{\'E}tude na{\"\i}ve de \L{}\'od\'z", "Étude naïve de Łódź"),
        (r"Moor---or ``fen''", "Moor\u2014or \u201cfen\u201d"),
        (r"Electronic\emdash{}or not\slash both", "Electronic\u2014or not/both"),
        (r"See \url{bog.example/a_b}", "See bog.example/a_b"),
        (r"\emph{Peat} in 50% of $x^2$ bogs", "Peat in 50% of $x^2$ bogs"),
    ],
)
def test_what_people_type_into_a_title_stays_in_it(latex, text):
    assert plain_text(latex).replace("\xa0", " ") == text


@given(st.text(st.sampled_from(r"abe \\{}'`^\"~&%#-$c"), max_size=16))
def test_no_text_of_a_field_breaks_the_conversion(text):
    if text.count("{") == text.count("}"):
        plain_text(text)


def cells_of(text):
    return [record.cells for record in read_bibtex(text, "f").rows]


@pytest.mark.parametrize(
    ("entry", "cells"),
    [
        # Scopus writes names of fields with spaces and slashes.
        ("@misc{a, title={A}, funding text 1={B}, x/y={C}}", {"funding text 1": "B", "x/y": "C"}),
        ("@misc{Ward 2019, title={A}}", {"key": "Ward 2019"}),
        ("@misc{, title={A}, year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{title={A}, year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{a, title={A}\n year={2019}}", {"title": "A", "year": "2019"}),
        ("@misc{a, title={A}}\n%@misc{b, title={B\n", {"title": "A"}),
        # More commas than a name has: they are between people.
        (
            "@misc{a, author={Ward, A., Moor, B., Fen, C.}}",
            {"author": "Ward, A., Moor, B., Fen, C."},
        ),
        ("@misc{a, title={Bog}, subtitle={How peat grows}}", {"title": "Bog: How peat grows"}),
        ("@misc{a, title={Why?}, subtitle={Peat}}", {"title": "Why? Peat"}),
        ("@book{a, booktitle={Proceedings of Mires}}", {"title": "Proceedings of Mires"}),
        ("@misc{a, title={A}, OPTyear={1999}, _journal={B}, options={c}}", {"options": "c"}),
    ],
)
def test_habits_that_leave_no_doubt_are_read(entry, cells):
    records = read_bibtex(entry, "f")
    assert records.findings == []
    [found] = [record.cells for record in records.rows]
    assert {name: found.get(name) for name in cells} == cells
    assert not {"_journal", "optyear"} & set(found)


@pytest.mark.parametrize(
    ("entry", "cells"),
    [
        ("@misc{a,\n title={A},\n journal=jws,\n year=2019}", {"title": "A", "year": "2019"}),
        ("@misc{a,\n title={A},\n year=2019,\n year=2020}", {"title": "A", "year": "2019"}),
    ],
)
def test_a_field_that_cannot_be_read_loses_no_entry(entry, cells):
    records = read_bibtex(f"\n{entry}", "f")
    assert [(finding.code, finding.line) for finding in records.findings] == [("I112", 2)]
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
    assert (talk["booktitle"], talk["year"], talk["location"]) == ("Mires", "2020", "Bogtown")
    assert talk["title"] == "Salt"
    assert "doi" not in talk
    assert book["title"] == volume["title"] == "Mires"


def test_entries_that_refer_to_each_other_end():
    first, _ = cells_of("@misc{a, title={A}, crossref={b}}\n@misc{b, year={2019}, crossref={a}}")
    assert first["year"] == "2019"


def test_the_numbers_of_dblp_are_no_family_names():
    names = "Antonio Rago 0001 and Rago 0002, Bo and {Bog Trust} and Jo van der Moor 0003"
    (record,) = read_bibtex(f"@misc{{a, title={{A}}, author={{{names}}}}}", "f").rows
    assert record.cells["author"] == (
        "Rago, Antonio",
        "Rago, Bo",
        "{Bog Trust}",
        "van der Moor, Jo",
    )


def test_a_reference_that_leads_nowhere_is_reported():
    records = read_bibtex("\n@inproceedings{a, title={A}, crossref={lost}}", "f")
    assert [(finding.code, finding.line) for finding in records.findings] == [("I112", 2)]
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
""".replace("DEEP", "{" * 60 + "}" * 60)


def test_a_malformed_bibtex_entry_is_named_and_the_rest_is_read():
    records = read_bibtex(BIB, "f.bib")
    assert cells(records) == [
        {
            "key": "ward2019",
            "type": "article",
            "author": ("Ward, Ann", "{Bog Trust}", "Müller, Jón"),
            "title": "Peat & 50% moss",
            "journal": "Journal of Soil Moisture",
            "year": "2019",
        },
        {
            "key": "fine",
            "type": "misc",
            "title": "Fine",
            "author": ("Moor, Bo",),
            "eprint": "2103.00001",
        },
    ]
    assert [(f.code, f.line) for f in records.findings] == [("I106", 9), ("I106", 14)]


def test_thousands_of_open_braces_end_soon():
    records = read_bibtex(
        "@article{a, title = {" + "{" * 20_000 + "\n@misc{b, title={B}}\n", "f.bib"
    )
    assert [record.cells["title"] for record in records.rows] == ["B"]
    assert [f.code for f in records.findings] == ["I106"]
