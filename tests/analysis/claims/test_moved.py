"""What has moved since a release is named by its keys, with the sentence that it makes untrue."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from corpus.curation.changes.delta import Delta
from corpus.publishing.page.sections import since_releases
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import FILES, add_sensor, write_full
from tests.corpora.making import write_files

RELEASES = """\
format = 1

[[releases]]
id = "first"
version = "1.0.0"
date = "2026-01-02"
text = "On moors"
entries = 5
excluded = 3
claims = 1
"""


def run(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)


@pytest.fixture
def data(tmp_path):
    """Return a corpus with a release of what it has."""
    data = write_full(tmp_path)
    write_files(data / "releases" / "first", FILES)
    (data / "releases.toml").write_text(RELEASES, "utf-8")
    return data


def moved(data: Path, *more: str) -> dict:
    result = run("claims", "--since", "first", "--format", "json", "--data", data, *more)
    assert result.exit_code == 0
    return {item["id"]: item for item in json.loads(result.stdout)["moved"]}


def test_nothing_moves_where_nothing_changed(data):
    assert moved(data) == {}


def test_an_added_entry_is_named_in_every_claim_that_it_moves(data):
    add_sensor(data, "new")
    found = moved(data)
    assert found["size"]["added"] == ["new"]
    assert (found["size"]["removed"], found["size"]["changed"]) == ([], [])
    lines = run("claims", "--since", "first", "--data", data).stdout.splitlines()
    assert "size: fails, 5 in first, now 6: +new" in lines


def test_a_share_moves_in_percent_and_by_no_key(data):
    share = '\n[[claims]]\nid = "half"\ntracked = true\nstatement = "20 % are deep."\n'
    for claims in (data / "claims.toml", data / "releases" / "first" / "claims.toml"):
        text = claims.read_text("utf-8")
        claims.write_text(text + share + 'where = { depth = "deep" }\nshare = 20\n', "utf-8")
    add_sensor(data, "new")
    assert (
        "half: moved, 20 % in first, now 17 %"
        in run("claims", "--since", "first", "--data", data).stdout.splitlines()
    )


def test_the_sentence_to_revise_is_that_of_the_release(data):
    claims = data / "claims.toml"
    old = "Five sensors are known."
    claims.write_text(claims.read_text("utf-8").replace(old, "Six are known now."), "utf-8")
    add_sensor(data, "new")
    found = moved(data)["size"]
    assert found["sentence"] == old
    assert old in run("claims", "size", "--since", "first", "--data", data).stdout


def test_a_claim_about_what_the_release_did_not_have_is_not_compared(data):
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(
            '\n[[claims]]\nid = "later"\nstatement = "x"\nwhere = { senses = "later" }\ncount = 0\n'
        )
    book = data / "codebook.toml"
    term = '{ id = "later", definition = "Later." }, { id = "water"'
    book.write_text(book.read_text("utf-8").replace('{ id = "water"', term, 1), "utf-8")
    result = run("claims", "--since", "first", "--format", "json", "--data", data)
    assert json.loads(result.stdout)["not_comparable"] == ["later"]


@pytest.mark.parametrize(("old", "new"), [("salt", "salinity"), ("senses", "of"), ("cy", "cyd")])
def test_what_has_another_name_since_a_release_is_compared_under_it(data, old, new):
    claim = 'id = "salty"\nstatement = "x"\nwhere = { senses = "salt" }\nkeys = ["cy"]\n'
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(f"\n[[claims]]\n{claim}")
    # A term, a column or an entry.
    for file in filter(Path.is_file, data.iterdir()):
        text = file.read_text("utf-8")
        file.write_text(re.sub(rf"\b{old}\b", new, text), "utf-8")
    result = run("claims", "--since", "first", "--data", data)
    assert result.stdout == "0 of 4 claims moved since first (On moors, 2026-01-02).\n"
    add_sensor(data, "new")
    assert set(moved(data)) == {"size", "surface", "water-lead"}
    # The page tells nothing else.
    study = load_corpus(str(data))
    (page,) = since_releases(study, lambda then: Delta.between(then, study).carried)
    assert ([*page.joined.values()], page.left, page.changed) == ([["new"]], [], [])


def test_a_claim_about_a_merged_term_is_compared_with_what_the_release_had(data):
    claims = data / "claims.toml"
    text = claims.read_text("utf-8").replace("count = 5", 'count = 3\nwhere = { senses = "water" }')
    claims.write_text(text, "utf-8")
    (data / "releases" / "first" / "claims.toml").write_text(text, "utf-8")
    change = ("codebook", "--change", "senses:heat=water", "--yes", "--data", data)
    assert run(*change).exit_code == 0
    assert moved(data)["size"]["added"] == ["dot"]


@pytest.mark.parametrize(
    ("arguments", "advice"), [(("frist",), "first"), (("first", "--format", "markdown"), "json")]
)
def test_an_unknown_release_and_annotations_are_wrong_usage(data, arguments, advice):
    result = run("claims", "--data", data, "--since", *arguments)
    assert result.exit_code == 2
    assert advice in result.stderr


def test_without_the_release_there_is_nothing_to_compare_with_and_the_check_fails(data):
    (data / "releases.toml").write_text("format = [", "utf-8")
    assert run("claims", "--since", "first", "--data", data).exit_code == 1
    assert run("check", "--data", data).exit_code == 1
