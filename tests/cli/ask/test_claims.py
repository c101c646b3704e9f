"""`corpus claims` as a user runs it, on the shipped corpus and on broken ones."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.conftest import REAL
from tests.corpora.full import FILES, write_full


def run(*arguments):
    return CliRunner().invoke(
        main, [str(argument) for argument in arguments], catch_exceptions=False
    )


def report(command, data):
    return json.loads(run(command, "--data", data, "--format", "json").stdout)


@pytest.fixture
def data(tmp_path):
    return Path(shutil.copytree(REAL, tmp_path / "data"))


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


def retag_halo(data, old="role", new="orchestrator"):
    cells = "partial,orchestration,{},hierarchical"
    replace(data / "pool.csv", cells.format(old), cells.format(new))


def test_named_claims_are_shown_in_full_by_either_name():
    for name in ("message-credit", "C18"):
        result = run("claims", name)
        assert result.stdout.startswith("message-credit (C18): holds\n")
        assert "boundary:" in result.stdout
    wrong = run("claims", "mesage-credit")
    assert wrong.exit_code == 2
    assert "message-credit" in wrong.stderr


def test_a_retagged_entry_fails_the_claims_that_it_moves(data):
    retag_halo(data)
    result = run("claims", "--failing", "--data", data, "--format", "json")
    assert result.exit_code == 1
    claims = {claim["id"]: claim for claim in json.loads(result.stdout)["claims"]}
    assert "halo" in claims["orchestrator-credit"]["keys"]
    assert all(claim["margin"] == 0 for claim in claims.values())
    total = len(report("claims", data)["claims"])
    text = run("claims", "--failing", "--data", data).stdout
    broken = [name for name, claim in claims.items() if claim["result"] == "fails"]
    moved = [name for name, claim in claims.items() if claim["result"] == "moved"]
    assert {"credit-tags", "form-by-credit"} <= set(moved)
    assert {claims[name]["kind"] for name in moved} == {"tracked"}
    assert {claims[name]["kind"] for name in broken} == {"guard"}
    assert text.startswith(
        f"{total - len(claims)} of {total} claims hold, {len(moved)} state other"
    )
    assert f"{len(broken)} fail: {', '.join(broken)}." in text
    assert re.search("^orchestrator-credit .* extra: halo$", text, re.MULTILINE)


def test_a_corpus_without_claims_gets_a_hint(data):
    replace(data / "codebook.toml", 'claims = "claims.toml"\n', "")
    result = run("claims", "--data", data)
    assert (result.exit_code, "claims.toml" in result.stderr) == (2, True)


def accepted(data):
    with (data / "accepted_claims.csv").open(encoding="utf-8", newline="") as table:
        return list(csv.reader(table))[1:]


def test_acknowledging_writes_a_row_per_claim_and_key_and_removes_it_again(data):
    before = (data / "accepted_claims.csv").read_bytes()
    claims = (data / "claims.toml").read_bytes()
    retag_halo(data)
    reason = 'we follow the "second" reader, for now'
    assert run("claims", "--acknowledge", reason, "--data", data).exit_code == 0
    assert ["orchestrator-credit", "extra", "halo", reason] in accepted(data)
    assert ["credit-order", "missing", "role > orchestrator", reason] in accepted(data)
    assert (data / "claims.toml").read_bytes() == claims
    written = report("check", data)["findings"]
    left = [f for f in written if f["file"].endswith(("accepted_claims.csv", "claims.toml"))]
    # "Five of the eight" is nine now: what is accepted is a number, not a sentence that is wrong.
    assert [(f["code"], f["value"]) for f in left] == [("C470", "orchestrator-credit-trained")]
    assert "C5" not in run("fmt", "--check", "--data", data).stdout
    retag_halo(data, "orchestrator", "role")
    found = report("check", data)["findings"]
    stale = [f for f in found if f["code"] == "C603"]
    assert {f["value"] for f in stale} == {"halo", "role > orchestrator"}
    assert all(f["file"].endswith("accepted_claims.csv") and f["line"] > 1 for f in stale)
    assert run("claims", "--acknowledge", "settled", "--data", data).exit_code == 0
    assert (data / "accepted_claims.csv").read_bytes() == before


def test_two_acknowledged_changes_are_both_accepted_after_a_merge(data):
    retag_halo(data)
    run("claims", "--acknowledge", "one", "--data", data)
    first = accepted(data)
    text = (data / "pool.csv").read_text("utf-8")
    row = next(line for line in text.splitlines() if ",shared,agent," in line)
    replace(data / "pool.csv", row, row.replace(",shared,agent,", ",shared,message,"))
    assert run("claims", "--data", data).exit_code == 1
    run("claims", "--acknowledge", "two", "--data", data)
    assert [line for line in accepted(data) if line in first] == first
    key = row.split(",")[0]
    assert ["message-credit", "extra", key, "two"] in accepted(data)
    assert run("claims", "--data", data).exit_code == 0


@pytest.mark.parametrize("reason", ["=1+1", "none"])
def test_a_reason_that_the_check_would_refuse_is_not_written(data, reason):
    retag_halo(data)
    before = (data / "accepted_claims.csv").read_bytes()
    assert run("claims", "--acknowledge", reason, "--data", data).exit_code == 1
    assert (data / "accepted_claims.csv").read_bytes() == before


HOSTILE = (
    "@octocat ![x](https://evil.example/a.png) <img src=x> ::error::owned \u202ertl \x1b[31m | `c`"
)


def test_hostile_texts_of_claims_and_readers_reach_no_sink(tmp_path):
    data = write_full(tmp_path)
    text = json.dumps(HOSTILE)
    claims = data / "claims.toml"
    claims.write_text(FILES["claims.toml"].replace('"Five sensors are known."', f"{text}\nboundary = {text}\nmade_in = [{text}]")
                      + f"\n[[unchecked]]\nid = \"u\"\nstatement = {text}\nreason = {text}\n", "utf-8")  # fmt: skip
    reader = '"' + HOSTILE.replace('"', '""') + '"'
    (data / "second.csv").write_text(FILES["second.csv"].replace(",two,", f",{reader},"), "utf-8")
    for command in (["claims"], ["claims", "size"], ["agreement"]):
        for format_ in ("text", "markdown"):
            shown = run(*command, "--format", format_, "--data", data).stdout
            assert "octocat" in shown or format_ == "text"
            assert not re.search("[\x1b\u202e]", shown)
            assert not re.search(r"^\s*::", shown, re.MULTILINE)
            if format_ == "markdown":
                assert not re.search(r"@\w|<img|[^\\\\]!\[|https://", shown)
