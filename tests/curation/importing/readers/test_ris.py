"""RIS: records, damaged ones too, and all values of a tag."""

import pytest

from corpus.curation.importing.readers.tagged import read_ris
from tests.support.imported import cells


def test_stray_text_is_named():
    records = read_ris("TY  - JOUR\nTI  - Peat\nER  -\n\nstray text\n", "f.ris")
    assert [(f.code, f.line, f.value) for f in records.findings] == [("I106", 5, "stray text")]


def test_a_record_without_its_end_takes_nothing_of_the_next():
    text = "TY  - JOUR\nTI  - Peat\n\nTY  - JOUR\nTI  - Bog\nER  - \nTY  - BOOK\nTI  - Fen\n"
    records = read_ris(text, "f.ris")
    assert [(row.place, row.cells["title"]) for row in records.rows] == [
        (1, "Peat"),
        (4, "Bog"),
        (7, "Fen"),
    ]
    assert records.findings == []


def test_every_value_of_a_repeated_tag_is_kept():
    text = "TY  - JOUR\nDO  - 10.1/a\nDO  - 10.1/b\nXQ  - 5\nAB  - Peat\n  and moss\nAB  - Bog\nER  - \n"
    (found,) = cells(read_ris(text, "f.ris"))
    assert found == {
        "type_of_reference": "JOUR",
        "doi": ("10.1/a", "10.1/b"),
        "unknown_tag XQ": "5",
        "abstract": ("Peat and moss", "Bog"),
    }


def test_keywords_below_one_tag_are_a_list_and_an_empty_line_ends_nothing():
    text = "TY  - JOUR\n\nKW  - moss\npeat bog\n\nTI  - Peat\nER  - \n"
    (found,) = cells(read_ris(text, "f.ris"))
    assert (found["keywords"], found["title"]) == (("moss", "peat bog"), "Peat")


@pytest.mark.parametrize("line", ["DO - 10.1/a", "DO   - 10.1/a", "DO- 10.1/a", "DO -10.1/a"])
def test_a_damaged_tag_is_named_and_no_part_of_the_line_above(line):
    records = read_ris(f"TY  - JOUR\nTI  - Peat\n{line}\nER  - \n", "f.ris")
    assert cells(records) == [{"type_of_reference": "JOUR", "title": "Peat"}]
    assert [(f.code, f.line, f.value) for f in records.findings] == [("I106", 3, line)]


@pytest.mark.parametrize("line", ["AI - a survey", "SE-Asian peat", "ti - peat", "- peat"])
def test_a_line_of_text_that_looks_like_a_tag_belongs_to_the_text(line):
    records = read_ris(f"TY  - JOUR\nTI  - Moss,\n{line}\nER  - \n", "f.ris")
    assert cells(records)[0]["title"] == f"Moss, {line}"
    assert records.findings == []


def test_a_file_with_one_space_before_every_hyphen_is_read():
    records = read_ris(
        "TY - JOUR\nTI - Peat - a survey\nDO -\nER -\nTY - BOOK\nTI - Fen\nER -", "f"
    )
    assert [row["title"] for row in cells(records)] == ["Peat - a survey", "Fen"]


def test_a_semicolon_divides_addresses_only_before_another_one():
    text = (
        "TY  - JOUR\nUR  - https://a.example/x;v=1;https://b.example\nUR  - www.c.example\nER  - \n"
    )
    (found,) = cells(read_ris(text, "f.ris"))
    assert found["url"] == ("https://a.example/x;v=1", "https://b.example", "www.c.example")
