"""Works of OpenAlex: the fields that describe a work, whatever is missing around them."""

import json

import pytest

from corpus.curation.importing.readers.structured import read_json

WORK = {
    "id": "https://openalex.org/W1",
    "display_name": "Peat",
    "publication_year": "2019",
    "cited_by_count": 0,
    "open_access": True,
    "authorships": [
        {"author": {"display_name": "Ann Ward"}},
        {"author": {"display_name": "Bog Survey Team"}},
        {"author": None, "raw_author_name": "Moor, B."},
        {"author": {}},
    ],
    "keywords": [{"display_name": "moss"}, "bog", {"id": "x"}, {"display_name": "fen"}],
    "primary_topic": None,
    "primary_location": {"source": None, "landing_page_url": "https://a.example"},
    "abstract_inverted_index": {"is": [1], "Peat": ["0"], "wet.": [2]},
}


def openalex_cells(work):
    records = read_json(json.dumps([{"authorships": [], "publication_year": None, **work}]), "f")
    return records.rows[0].cells


def test_a_work_has_the_fields_that_are_known():
    assert openalex_cells(WORK) == {
        "openalex": "https://openalex.org/W1",
        "title": "Peat",
        "authors": ("Ann Ward", "Bog Survey Team", "Moor, B."),
        "year": "2019",
        "url": "https://a.example",
        "keywords": ("moss", "fen"),
        "cited by": "0",
        "abstract": "Peat is wet.",
    }


@pytest.mark.parametrize("value", [None, [], {}, "x", 5, [None], [[1]], {"x": {"y": 1}}])
def test_a_field_of_another_form_is_left_out(value):
    damaged = {
        name: value for name in WORK if name not in ("id", "publication_year", "cited_by_count")
    }
    found = openalex_cells({"id": "W1", **damaged})
    assert found["openalex"] == "W1"
    assert set(found) <= {"openalex", "title", "keywords"}


def test_an_abstract_of_any_length_takes_a_bounded_number_of_words():
    positions = [str(number) for number in range(30_000)]
    found = openalex_cells({"abstract_inverted_index": {"bog": positions}})
    assert len(str(found["abstract"]).split()) == 20_000


def test_the_preprint_is_found_in_the_locations():
    places = [
        {"landing_page_url": "https://doi.org/10.1234/a", "pdf_url": None},
        {"landing_page_url": "https://arxiv.org/abs/2103.00001"},
        None,
    ]
    found = openalex_cells({**WORK, "locations": places})
    assert found["arxiv"] == "2103.00001"
    assert found["places"] == ("https://doi.org/10.1234/a", "https://arxiv.org/abs/2103.00001")
