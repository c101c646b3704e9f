"""What has moved since a release is named by its keys, with the sentence that it makes untrue."""

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


def since_first(data: Path, *more: str) -> str:
    result = run("claims", "--since", "first", "--data", data, *more)
    assert result.exit_code == 0
    return result.stdout


def moved(data: Path) -> dict[str, str]:
    """Return how each claim that moved did."""
    return dict(re.findall(r"^([\w-]+): (.+)$", since_first(data), re.MULTILINE))


def test_an_added_entry_is_named_in_every_claim_that_it_moves(data):
    assert moved(data) == {}
    add_sensor(data, "new")
    assert moved(data)["size"] == "fails, 5 in first, now 6: +new"


def test_a_share_moves_in_percent_and_by_no_key(data):
    share = '\n[[claims]]\nid = "half"\ntracked = true\nstatement = "20 % are deep."\n'
    for claims in (data / "claims.toml", data / "releases" / "first" / "claims.toml"):
        text = claims.read_text("utf-8")
        claims.write_text(text + share + 'where = { depth = "deep" }\nshare = 20\n', "utf-8")
    add_sensor(data, "new")
    assert moved(data)["half"] == "moved, 20 % in first, now 17 %"


def test_the_sentence_to_revise_is_that_of_the_release(data):
    claims = data / "claims.toml"
    old = "Five sensors are known."
    claims.write_text(claims.read_text("utf-8").replace(old, "Six are known now."), "utf-8")
    add_sensor(data, "new")
    assert old in since_first(data, "size")


def test_a_claim_about_what_the_release_did_not_have_is_not_compared(data):
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(
            '\n[[claims]]\nid = "later"\nstatement = "x"\nwhere = { senses = "later" }\ncount = 0\n'
        )
    book = data / "codebook.toml"
    term = '{ id = "later", definition = "Later." }, { id = "water"'
    book.write_text(book.read_text("utf-8").replace('{ id = "water"', term, 1), "utf-8")
    assert "Not in first: later." in since_first(data)


@pytest.mark.parametrize(("old", "new"), [("salt", "salinity"), ("cy", "cyd")])
def test_what_has_another_name_since_a_release_is_compared_under_it(data, old, new):
    claim = 'id = "salty"\nstatement = "x"\nwhere = { senses = "salt" }\nkeys = ["cy"]\n'
    with (data / "claims.toml").open("a", encoding="utf-8") as claims:
        claims.write(f"\n[[claims]]\n{claim}")
    # A term or an entry.
    for file in filter(Path.is_file, data.iterdir()):
        text = file.read_text("utf-8")
        file.write_text(re.sub(rf"\b{old}\b", new, text), "utf-8")
    assert since_first(data) == "0 of 4 claims moved since first (On moors, 2026-01-02).\n"
    add_sensor(data, "new")
    assert set(moved(data)) == {"size", "surface", "water-lead"}
    # The page tells nothing else.
    study = load_corpus(str(data))
    (page,) = since_releases(study, lambda then: Delta.between(then, study).carried)
    assert ([*page.joined.values()], page.left) == ([["new"]], [])


def test_a_claim_about_a_merged_term_is_compared_with_what_the_release_had(data):
    claims = data / "claims.toml"
    text = claims.read_text("utf-8").replace("count = 5", 'count = 3\nwhere = { senses = "water" }')
    claims.write_text(text, "utf-8")
    (data / "releases" / "first" / "claims.toml").write_text(text, "utf-8")
    change = ("codebook", "--change", "senses:heat=water", "--yes", "--data", data)
    assert run(*change).exit_code == 0
    assert moved(data)["size"].endswith(": +dot")


@pytest.mark.parametrize(
    ("arguments", "advice"), [(("frist",), "first"), (("first", "--format", "json"), "text")]
)
def test_an_unknown_release_and_another_format_are_wrong_usage(data, arguments, advice):
    result = run("claims", "--data", data, "--since", *arguments)
    assert result.exit_code == 2
    assert advice in result.stderr


def test_without_the_release_there_is_nothing_to_compare_with_and_the_check_fails(data):
    (data / "releases.toml").write_text("format = [", "utf-8")
    assert run("claims", "--since", "first", "--data", data).exit_code == 1
    assert run("check", "--data", data).exit_code == 1
