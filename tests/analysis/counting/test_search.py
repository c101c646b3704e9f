"""Which entries a search finds, and in which order."""

from __future__ import annotations

import pytest

from corpus.analysis.counting.search import search_entries
from tests.corpora.soils import codebook_data, soils

CORPUS = soils()


@pytest.mark.parametrize(("text", "hits"), [
    ("ada", [("ada", 100, ("sensor",))]),  # a key counts three times, the title as much: the first column is named
    ("surface", [("ada", 33, ("depth",)), ("bob", 33, ("depth",))]),
    ("SURF", [("ada", 30, ("depth",)), ("bob", 30, ("depth",))]),  # the beginning of a word
    ("surfase", [("ada", 23, ("depth",)), ("bob", 23, ("depth",))]),  # one letter of seven differs, indel: 12 / 14
    ("heet", [("ada", 20, ("senses",)), ("dot", 20, ("senses",))]),
    ("heat ada", [("ada", 67, ("senses", "sensor"))]),
    ("ada ada", [("ada", 100, ("sensor",))]),
    ("surface salt", []), ("adb", []), ("slt", []), ("", []), ("!!", []), ("xyzzy", []),
])  # fmt: skip
def test_every_word_must_be_found_and_places_have_weights(text, hits):
    assert [
        (hit.key, round(hit.score), hit.columns) for hit in search_entries(CORPUS, text)
    ] == hits


def test_the_best_come_first_equal_ones_by_key_and_no_more_than_wanted():
    corpus = soils(
        {
            "sensors": [
                ("water", "Fay", "deep", "gas"),
                ("ada", "Ada", "deep", "water"),
                ("bob", "Bob", "deep", "water"),
            ]
        }
    )
    assert [hit.key for hit in search_entries(corpus, "water")] == ["water", "ada", "bob"]
    assert [hit.key for hit in search_entries(corpus, "water", 2)] == ["water", "ada"]


def test_authors_count_twice_and_only_entries_of_the_pool_are_found():
    data = codebook_data()
    data["tables"]["dated"]["columns"].append(
        {"name": "who", "type": "names", "role": "authors", "definition": "All."}
    )
    corpus = soils(
        {
            "dated": [
                ("ada", "2020", "Fen, Hilda"),
                ("bob", "2020", ""),
                ("zoe", "2020", "Fen, Hilda"),
            ]
        },
        **data,
    )
    assert [
        (hit.key, round(hit.score), hit.columns) for hit in search_entries(corpus, "hilda")
    ] == [("ada", 67, ("who",))]
