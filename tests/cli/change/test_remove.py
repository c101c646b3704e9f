"""An entry is removed on purpose only, and never with rows that refer to it left behind."""

import pytest

from tests.corpora.full import write_full
from tests.support.changing import contents, run


def remove(data, *arguments):
    return run("remove", *arguments, "--data", data)


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


def test_an_exclusion_is_proposed_and_nothing_written(data):
    before = contents(data)
    result = remove(data, "cy")
    assert result.exit_code == 2
    assert "corpus exclude cy" in result.stderr
    assert contents(data) == before


def test_rows_that_refer_to_the_entry_are_named_and_removed_with_cascade(data):
    before = contents(data)
    result = remove(data, "ada", "--force")
    assert result.exit_code == 2
    assert "judged.csv:2" in result.stderr
    assert "second.csv:2" in result.stderr
    assert contents(data) == before
    assert remove(data, "ada", "--force", "--cascade").exit_code == 0
    for name in ("sensors.csv", "judged.csv", "second.csv"):
        assert "ada," not in (data / name).read_text("utf-8")


def test_a_claim_that_names_the_entry_is_shown_with_its_line(data):
    result = remove(data, "bob", "--force", "--cascade")
    lines = (data / "claims.toml").read_text("utf-8").splitlines()
    number = lines.index('keys = ["ada", "bob"]') + 1
    assert f"claims.toml:{number}:" in result.stderr
    assert "surface" in result.stderr  # the claim that breaks


def test_a_codebook_that_names_the_entry_comes_first(data):
    codebook = data / "codebook.toml"
    text = (
        codebook.read_text("utf-8")
        + '\n[figures.words]\nkind = "timeline"\ntitle = "Words"\ntable = "dated"\ndate = "seen"\nlabels = { cy = "Cy" }\n'
    )
    codebook.write_text(text, "utf-8")
    before = contents(data)
    result = remove(data, "cy", "--force", "--cascade")
    assert result.exit_code == 2
    assert f"codebook.toml:{text.count(chr(10))}" in result.stderr
    assert contents(data) == before


def test_a_dry_run_shows_what_changes_and_writes_nothing(data):
    before = contents(data)
    result = remove(data, "cy", "--cascade", "--dry-run")
    assert result.exit_code == 0
    assert "5 -> 4" in result.stderr
    assert contents(data) == before


def test_an_unknown_key_is_refused_with_the_nearest(data):
    result = remove(data, "dott", "--force")
    assert result.exit_code == 2
    assert "dot" in result.stderr.replace("dott", "")
