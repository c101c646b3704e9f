"""The form for people without git: its fields, and how an issue opened with it is read."""

from pathlib import Path

import pytest

from corpus.curation.edit.form import REFERENCE, form_fields, parse_form
from corpus.tables.documents import read_codebook
from tests.corpora.full import codebook_data, declared, full

BOOK = read_codebook(str(Path(__file__).parents[3] / "data"))


def test_what_github_makes_of_the_form_is_read_back():
    parts, expected = [], {}
    for field in form_fields(BOOK):
        if field.type == "term":
            value = expected[field.name] = BOOK.vocabulary_of(field).ids[-1]
        elif field.required or field.name == "reference":
            value = expected[field.name] = f"some {field.name}"
        else:
            value = "_No response_"
        parts.append(f"### {field.label}\n\n{value}\n")
    text = "\r\n".join("\n".join(parts).split("\n"))
    assert parse_form("words before\n" + text, BOOK) == expected


def test_a_text_field_cannot_take_over_another_one():
    body = "### Category\n\nsurvey\n\n### Contribution\n\nx\n\n### Category\n\nbenchmark\n\n### key\n\nhalo\n"
    assert parse_form(body, BOOK) == {"category": "survey", "one_liner": "x"}


def soils(**labels):
    """Return the codebook of the full corpus with other labels of some terms."""
    data = codebook_data()
    for vocabulary in data["vocabularies"].values():
        for term in vocabulary["terms"]:
            if term["id"] in labels:
                term["label"] = labels[term["id"]]
    return full(**data).codebook


def test_without_a_column_for_identifiers_everything_required_is_asked_for():
    data = codebook_data()
    sensors = data["tables"]["sensors"]
    sensors["columns"] = [one for one in sensors["columns"] if one["type"] not in ("arxiv", "url")]
    fields = {
        field.name: field.required for field in form_fields(full({"sensors": []}, **data).codebook)
    }
    assert REFERENCE not in fields
    assert (fields["name"], fields["seen"], fields["notes"]) == (True, True, False)


def test_a_column_that_the_bibliography_repeats_is_asked_once_and_labels_differ():
    data = codebook_data()
    more = [declared("authors", "names"), declared("first", label="Name")]
    data["tables"]["dated"]["columns"] += more
    fields = form_fields(full({"dated": []}, **data).codebook)
    assert [field.name for field in fields].count("authors") == 1
    assert {field.name: field.label for field in fields if field.name in ("name", "first")} == {
        "name": "Name", "first": "Name (first)",
    }  # fmt: skip


def senses(chosen, **labels):
    body = f"### Senses\n\n{chosen}\n\n### Depth\n\ndeep\n"
    found = parse_form(body, soils(**labels))
    assert found["depth"] == "deep"
    return found.get("senses")


@pytest.mark.parametrize(
    ("chosen", "cell"),
    [
        ("water (rain, dew, or mist)", "water"),
        ("heat, water (rain, dew, or mist), gas (air, too)", "heat; water; gas"),
        ("gas (air, too), heat", "gas; heat"),
        ("water (rain, dew", "water (rain; dew"),
    ],
)
def test_a_label_may_have_a_comma(chosen, cell):
    """GitHub puts one between two options as well."""
    assert senses(chosen, water="rain, dew, or mist", gas="air, too") == cell


def test_texts_become_one_line_and_what_is_outside_is_not_read():
    body = "Hello\n### Unknown\nx\n### Notes  \n\ntwo\nlines\n\n#### Year\n### \n### Year\n2020"
    assert parse_form(body, soils()) == {"notes": "two lines #### Year ###", "year": "2020"}
    assert parse_form("", soils()) == {}
