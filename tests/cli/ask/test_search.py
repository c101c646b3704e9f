"""What a reader sees of `corpus search`."""

import json


def test_a_search_finds_entries_and_what_was_left_out(run, minimal):
    for word, kind, key in (("mud", "excluded", "X1"), ("capacitive", "entry", "clay")):
        hits = json.loads(run("search", word, "--format", "json", "--data", minimal).stdout)
        assert [(hit["kind"], hit["key"]) for hit in hits] == [(kind, key)]


def test_a_search_without_hits_fails(run, minimal):
    result = run("search", "zebra", "--data", minimal)
    assert (result.exit_code, result.stderr) == (1, "nothing matches\n")


def test_a_search_finds_what_has_some_of_the_words_and_names_the_others(run, minimal):
    result = run("search", "clay", "zebra", "--format", "json", "--data", minimal)
    hits = json.loads(result.stdout)
    assert next((hit["kind"], hit["key"], hit["missing"]) for hit in hits) == (
        "entry",
        "clay",
        ["zebra"],
    )
    result = run("search", "clay", "zebra", "--data", minimal)
    assert result.exit_code == 0
    *_, heads, _, clay = result.stdout.splitlines()
    assert "Unknown  zebra" in result.stdout
    assert (heads.split()[-1], clay.split()[-1]) == ("without", "zebra")
