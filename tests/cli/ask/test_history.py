"""`corpus history` over commits, tags and releases, readable or not."""

import json
import re
import subprocess

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import FILES, repository, sensor_line, write_full
from tests.support.repository import commit_all, git

NEW_ROW = sensor_line(
    "fir", name="A fir found by its messages", senses="salt", arxiv="2106.00006", notes="new"
)


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["history", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def report(*arguments):
    return json.loads(run(*arguments, "--format", "json").stdout)


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Three commits: the start, an added sensor, a sensor at another depth."""
    found = repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    (found / "sensors.csv").write_text(FILES["sensors.csv"] + NEW_ROW, "utf-8")
    commit_all(tmp_path, "Add fir")
    replace(found / "sensors.csv", "surface,salt,2106.00006", "shallow,salt,2106.00006")
    commit_all(tmp_path, "Retag fir")
    return found


def movements(found):
    return [
        (item["series"], item["before"], item["after"], item["added"], item["removed"])
        for item in found["movements"]
    ]


def test_rows_are_counted_without_a_subject(data):
    found = report()
    assert [point["values"]["sensors"] for point in found["points"]] == [5, 6, 6, 6]
    assert movements(found) == [("sensors", 5, 6, ["fir"], [])]
    assert found["movements"][0]["revision"] == git(data.parent, "rev-parse", "HEAD~1")


def test_filters_are_a_cell(data):
    found = report("senses=salt", "depth=shallow")
    last = found["movements"][-1]
    assert (last["added"], last["removed"]) == (["fir"], [])


def test_a_state_that_cannot_be_counted_is_named_and_not_zero(data):
    replace(data / "sensors.csv", "shallow,salt,2106", "bogus,salt,2106")
    broken = commit_all(data.parent, "Break a term")
    replace(data / "sensors.csv", "bogus,salt,2106", "shallow,salt,2106")
    commit_all(data.parent, "Put it back")
    found = report("depth")
    point = next(point for point in found["points"] if point["commit"] == broken)
    assert point["values"] is None
    assert "C202" in point["problem"]
    assert not any(item["revision"] == broken for item in found["movements"])


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [("shallow", "flat", "depth=flat"), ("fir", "firs", "depth")],
    ids=["term", "entry"],
)
def test_what_was_renamed_is_followed_under_its_name_of_today(data, old, new, subject):
    before = [point["values"] for point in report(subject.replace(new, old))["points"]]
    # Wherever the word occurs: vocabulary, cells, claims.
    for path in data.iterdir():
        path.write_text(re.sub(rf"\b{old}\b", new, path.read_text("utf-8")), "utf-8")
    found = report(subject)
    assert [list(point["values"].values()) for point in found["points"]] == [
        list(values.values()) for values in before
    ]
    assert not [item for item in found["movements"] if not item["revision"]]


def test_a_column_that_was_declared_later_has_no_value_before(data):
    replace(
        data / "codebook.toml",
        '"weight", type = "number"',
        '"depths", type = "term", vocabulary = "depth"',
    )
    replace(data / "sensors.csv", ",weight\n", ",depths\n")
    rows = re.sub(r",[0-9.]*$", ",deep", (data / "sensors.csv").read_text("utf-8"), flags=re.M)
    (data / "sensors.csv").write_text(rows, "utf-8")
    found = report("depths")
    assert [point["values"] is None for point in found["points"]] == [True, True, True, False]


def test_outside_a_repository_it_is_refused_with_the_way_out(tmp_path, monkeypatch):
    write_full(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert "no earlier state" in run(code=2).stderr


def test_a_shallow_clone_gives_what_it_has_and_tells(data, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", data.parent.as_uri(), str(clone)], check=True
    )
    found = report("--data", clone / "data")
    assert len(found["points"]) == 2
    assert "--unshallow" in found["note"]


def test_a_hostile_message_reaches_no_terminal(data):
    (data / "sensors.csv").write_text(FILES["sensors.csv"], "utf-8")
    commit_all(data.parent, "=cmd()|'\x1b]0;owned\x07 ::error::boo")
    shown = run().stdout
    assert "\x1b" not in shown
    assert "::error" not in shown
    assert "::error" not in run("--format", "markdown").stdout


def test_a_clock_that_goes_back_changes_no_order(data, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z")
    (data / "sensors.csv").write_text(FILES["sensors.csv"], "utf-8")
    last = commit_all(data.parent, "Yesterday")
    assert [point["commit"] for point in report()["points"]][-2] == last


@pytest.mark.parametrize(
    "arguments", [("no-such",), ("senses", "depth"), ("senses=bogus",), ("bogus=salt",), ("notes",)]
)
def test_wrong_arguments_are_refused(data, arguments):
    run(*arguments, code=2)


def test_text_and_markdown_list_the_changes(data):
    for format_ in ("text", "markdown"):
        shown = run("depth", "--format", format_).stdout
        assert "Retag fir" in shown
        assert "+fir" in shown
