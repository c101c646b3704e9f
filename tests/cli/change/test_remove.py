"""An entry is removed on purpose only, and never with rows that refer to it left behind."""

import pytest

from tests.corpora.full import write_full
from tests.support.changing import contents, run


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


def test_an_exclusion_is_proposed_and_nothing_written(data):
    before = contents(data)
    result = run("remove", "cy", "--data", data)
    assert result.exit_code == 2
    assert "corpus exclude cy" in result.stderr
    assert contents(data) == before


def test_rows_that_refer_to_the_entry_are_named_and_removed_with_cascade(data):
    before = contents(data)
    result = run("remove", "ada", "--force", "--data", data)
    assert result.exit_code == 2
    assert "judged.csv:2" in result.stderr
    assert "second.csv:2" in result.stderr
    assert contents(data) == before
    assert run("remove", "ada", "--force", "--cascade", "--data", data).exit_code == 0
    for name in ("sensors.csv", "judged.csv", "second.csv"):
        assert "ada," not in (data / name).read_text("utf-8")


def test_a_claim_that_names_the_entry_is_shown_with_its_line(data):
    result = run("remove", "bob", "--force", "--cascade", "--data", data)
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
    result = run("remove", "cy", "--force", "--cascade", "--data", data)
    assert result.exit_code == 2
    assert f"codebook.toml:{text.count(chr(10))}" in result.stderr
    assert contents(data) == before


def test_a_dry_run_shows_what_changes_and_writes_nothing(data):
    before = contents(data)
    result = run("remove", "cy", "--cascade", "--dry-run", "--data", data)
    assert result.exit_code == 0
    assert "5 -> 4" in result.stderr
    assert contents(data) == before


def test_an_unknown_key_is_refused_with_the_nearest(data):
    result = run("remove", "dott", "--force", "--data", data)
    assert result.exit_code == 2
    assert "dot" in result.stderr.replace("dott", "")
