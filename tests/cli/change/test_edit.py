"""A new key is carried everywhere, and nothing that names the entry is broken in silence."""

import json
import re
import shutil
from pathlib import Path

import pytest
import tomli

from tests.corpora.full import CLAIMS, declare_accepted_claims, repository
from tests.support.changing import contents, run
from tests.support.repository import commit_all

#: Short names of entries, as a figure declares them.
FIGURE = """
[figures.words]  # "ada" in a comment
kind = "timeline"
title = "ada"
table = "dated"
date = "seen"
group = "depth"
window = ["2020-10", "2021-02"]
labels = { ada = "The ada sensor", bob = 'bob' }
"""
KEYED = """
[[claims]]
id = "ada-is-shallow"
statement = "ada is shallow."
where = { sensor = ["ada", 'eve'], depth = "surface" }
keys = [
  "ada",  # the first
]
"""


def edit(data, key, cell, *options):
    return run("edit", key, "--set", cell, *options, "--data", data)


@pytest.fixture
def data(tmp_path):
    data = repository(tmp_path)
    declare_accepted_claims(data)
    codebook = data / "codebook.toml"
    codebook.write_text(codebook.read_text("utf-8") + FIGURE, "utf-8")
    (data / "claims.toml").write_text(CLAIMS + KEYED, "utf-8")
    (data / "accepted_claims.csv").write_text(
        "claim,sign,key,reason\nsurface,extra,ada,said ada\nsize,other,ada,no key\n", "utf-8"
    )
    commit_all(tmp_path)
    return data


def test_a_new_key_is_carried_into_claims_codebook_and_what_is_accepted(data):
    before = tomli.loads((data / "claims.toml").read_text("utf-8"))
    assert edit(data, "ada", "sensor=aspen").exit_code == 0
    text = (data / "claims.toml").read_text("utf-8")
    claims = {claim["id"]: claim for claim in tomli.loads(text)["claims"]}
    assert claims["surface"]["keys"] == ["aspen", "bob"]
    assert claims["ada-is-shallow"]["where"]["sensor"] == ["aspen", "eve"]
    assert claims["ada-is-shallow"]["keys"] == ["aspen"]
    assert "# the first" in text
    # A sentence is not rewritten: a word in it may mean anything.
    assert claims["ada-is-shallow"]["statement"] == before["claims"][-1]["statement"]
    words = tomli.loads((data / "codebook.toml").read_text("utf-8"))["figures"]["words"]
    assert words["labels"] == {"aspen": "The ada sensor", "bob": "bob"}
    assert words["title"] == "ada"
    accepted = (data / "accepted_claims.csv").read_text("utf-8").splitlines()
    assert "surface,extra,aspen,said ada" in accepted


def test_a_renamed_key_changes_no_claim_in_the_report(data):
    edit(data, "ada", "sensor=aspen")
    result = run("diff", "HEAD", "--data", data, "--format", "json")
    report = json.loads(result.stdout)
    assert report["claims"] == []
    (row,) = report["changed"]
    assert (row["kind"], row["old_key"], row["key"]) == ("renamed", "ada", "aspen")


def test_a_term_of_the_same_name_is_not_renamed(data):
    """`heat` is what a sensor senses, too; only the places that mean the entry are followed."""
    assert edit(data, "dot", "sensor=heat").exit_code == 0
    before = contents(data)
    assert edit(data, "heat", "sensor=marsh").exit_code == 0
    after = contents(data)
    for name in ("codebook.toml", "claims.toml"):
        assert after[data / name] == before[data / name]
    assert "marsh" in (data / "sensors.csv").read_text("utf-8")


def test_a_rename_of_a_term_with_the_name_of_an_entry_is_shown(data):
    """Whoever renames an entry and a term together cannot hide the term behind the entry."""
    edit(data, "dot", "sensor=heat")
    commit_all(data.parent)
    codebook = data / "codebook.toml"
    codebook.write_text(codebook.read_text("utf-8").replace('"heat"', '"marsh"'), "utf-8")
    table = data / "sensors.csv"
    text = table.read_text("utf-8").replace("heat,Warmth", "marsh,Warmth")
    table.write_text(text.replace(",deep,heat,", ",deep,marsh,"), "utf-8")
    report = json.loads(run("diff", "HEAD", "--data", data, "--format", "json").stdout)
    assert report["terms"] == [{"vocabulary": "senses", "old": "heat", "new": "marsh"}]


def test_a_key_that_another_entry_has_is_refused(data):
    before = contents(data)
    result = edit(data, "ada", "sensor=bob")
    assert result.exit_code == 1
    assert "C301" in result.stderr
    assert contents(data) == before


def test_a_dry_run_names_the_documents_and_writes_nothing(data):
    before = contents(data)
    result = edit(data, "ada", "sensor=aspen", "--dry-run")
    assert result.exit_code == 0
    assert "claims.toml" in result.stderr
    assert "aspen,Rain above" in result.stdout
    assert contents(data) == before


def test_no_document_of_the_shipped_corpus_keeps_an_old_key(tmp_path):
    """Claims name rows by the key, by a part of a key, and by a column that names the entry."""
    today = Path(__file__).parents[3] / "data"
    shipped = shutil.copytree(today, tmp_path / "data", ignore=shutil.ignore_patterns("traces"))
    for key in ("matpo", "mappo2022", "puppeteer"):
        assert edit(shipped, key, f"key={key}x").exit_code == 0
        for name in ("claims.toml", "codebook.toml", "protocol.toml"):
            text = (shipped / name).read_text("utf-8")
            assert not re.search(rf'"(?:[^"]*/)?{key}(?:/[^"]*)?"', text), (key, name)
    assert "error" not in run("check", "--data", shipped).stdout
