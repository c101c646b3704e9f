"""What a reader sees of `corpus search`."""

from __future__ import annotations

import json


def test_a_search_finds_entries_and_what_was_left_out(run, minimal):
    hits = json.loads(run("search", "mud", "--format", "json", "--data", minimal).stdout)
    assert [(hit["kind"], hit["key"], hit["approximate"]) for hit in hits] == [
        ("excluded", "X1", False)
    ]
    hits = json.loads(run("search", "capacitiv", "--format", "json", "--data", minimal).stdout)
    assert [(hit["key"], hit["taken_for"]) for hit in hits] == [
        ("clay", {"capacitiv": "capacitive"})
    ]
    text = run("search", "capacitiv", "--data", minimal).stdout
    assert "capacitiv ≈ capacitive" in text


def test_a_search_without_hits_names_the_word_that_is_nowhere(run, minimal):
    result = run("search", "clay", "zebra", "--data", minimal)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "'zebra'" in result.stderr
    assert "clay" not in result.stderr
    result = run("search", "clay", "fen", "--data", minimal)
    assert result.exit_code == 1
    assert "all of these words" in result.stderr
