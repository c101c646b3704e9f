"""Exports of tagged lines: each record with its line, and a damaged line is named."""

import pytest

from corpus.curation.importing.readers.reading import format_of
from corpus.curation.importing.readers.tagged import read_pubmed, read_web_of_science
from tests.support.imported import places

WOS = "FN Clarivate\nVR 1.0\nPT J\nAU Ward, A\n   Moor, B\nTI Light in\n   the fen\nDE moss; light\nZQ new\nER\n\nPT J\nTI Salt\nER\nEF\n"
PUBMED = "PMID- 1\nTI  - Light in\n      the fen.\nOWN - NLM\nCN  - Bog Trust\nAID - 10.1/x [doi]\n\nPMID- 2\nTI  - Salt\n"


@pytest.mark.parametrize(
    ("read", "text", "lines", "first"),
    [
        (
            read_web_of_science,
            WOS,
            [3, 12],
            {
                "authors": ("Ward, A", "Moor, B"),
                "title": "Light in the fen",
                "author keywords": "moss; light",
            },
        ),
        (
            read_pubmed,
            PUBMED,
            [1, 8],
            {"title": "Light in the fen", "authors": ("Bog Trust",), "doi": "10.1/x"},
        ),
    ],
)
def test_records_have_their_lines_and_lists_stay_lists(read, text, lines, first):
    records = read(text, "f")
    assert [record.place for record in records.rows] == lines
    found = records.rows[0].cells
    assert {name: found[name] for name in first} == first
    assert records.findings == []


@pytest.mark.parametrize("read", [read_web_of_science, read_pubmed])
def test_a_line_outside_every_record_is_a_finding(read):
    text = WOS if read == read_web_of_science else PUBMED
    records = read(f"stray words\n{text}", "f")
    assert places(records.findings) == [("I106", 1)]
    assert len(records.rows) == 2


def test_a_database_without_numbers_of_pubmed_begins_its_records_otherwise():
    records = read_pubmed(
        "\nOWN - ERIC\nTI  - Peat by light\nAU  - Ward, Ann\nDP  - 2019\n\n"
        "OWN - ERIC\nTI  - Salt and moss\nDP  - 2020\n",
        "f",
    )
    assert [row.cells["title"] for row in records.rows] == ["Peat by light", "Salt and moss"]
    assert records.findings == []


def test_web_of_science_is_known_by_its_first_record():
    assert format_of(".txt", b"\xef\xbb\xbfPT Journal\nTI Peat\nER\n").name == "wos"


def test_a_second_title_is_another_record_and_named():
    text = "PMID- 1\nTI  - Peat\nAU  - Ward A\n\nTI  - Salt\nAU  - Moor B\n\nPMID- 2\nTI  - Fen\n"
    records = read_pubmed(text, "f")
    assert [dict(row.cells) for row in records.rows] == [
        {"PMID": "1", "title": "Peat", "authors": ("Ward A",)},
        {"PMID": "2", "title": "Fen"},
    ]
    assert places(records.findings) == [("I106", 5), ("I106", 6)]


def test_an_empty_line_inside_a_long_text_ends_no_record():
    text = "PMID- 1\nTI  - Peat\nAB  - One.\n\n      Two.\nOT  - moss\n\nDP  - 2019\n"
    (row,) = read_pubmed(text, "f").rows
    assert row.cells == {
        "PMID": "1",
        "title": "Peat",
        "abstract": "One. Two.",
        "keywords": ("moss",),
        "date": "2019",
    }


@pytest.mark.parametrize(
    ("lines", "authors"),
    [
        ("FAU - Ward, Ann\nAU  - Ward A\nCN  - Bog Trust\n", ("Ward, Ann",)),
        ("AU  - Ward A\nCN  - Bog Trust\n", ("Ward A",)),
        ("CN  - Bog Trust\n", ("Bog Trust",)),
    ],
)
def test_the_fullest_names_of_pubmed_are_the_authors(lines, authors):
    (row,) = read_pubmed(f"PMID- 1\nTI  - Peat.\n{lines}", "f").rows
    assert row.cells["authors"] == authors
