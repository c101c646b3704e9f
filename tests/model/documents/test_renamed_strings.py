"""Renaming a word in a document renames every whole string, and nothing inside another one."""

from corpus.model.documents.renamed_strings import declared_names, with_renamed_strings
from tests.corpora.full import full


def test_names_and_values_are_renamed_at_every_depth_and_parts_are_not():
    document = {
        "claims": [{"where": {"depth": ["deep", "deeper"]}, "keys": ["deep"], "count": 1}],
        "deep": True,
        "of": [["deep", 2.5, None]],
    }
    assert with_renamed_strings(document, {"deep": "abyss", "depth": "level"}) == {
        "claims": [{"where": {"level": ["abyss", "deeper"]}, "keys": ["abyss"], "count": 1}],
        "abyss": True,
        "of": [["abyss", 2.5, None]],
    }
    assert document["deep"] is True


def test_two_names_change_places():
    assert with_renamed_strings({"a": "b", "b": "a"}, {"a": "b", "b": "a"}) == {"b": "a", "a": "b"}


def test_without_new_names_nothing_changes():
    document = {"a": ["b", {"c": 1}]}
    assert with_renamed_strings(document, {}) == document


def test_the_names_of_a_codebook_are_those_that_other_documents_may_use():
    names = declared_names(full().codebook)
    assert names >= {"sensors", "depth", "sensor", "deep", "wet", "claims", "depth_by_senses", "proof"}  # fmt: skip
    assert not names & {"Depth", "soils", "ada", "sensors.csv"}
