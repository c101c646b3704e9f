"""Renaming a word in a document renames every whole string, and nothing inside another one."""

from corpus.curation.changes.declared import with_renamed_strings


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
