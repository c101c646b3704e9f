import json

import pytest

from corpus.curation.check.accepted import with_accepted
from corpus.model.finding import WARNING, Rule
from corpus.tables.corpus_reader import load_corpus


@pytest.fixture
def warned(minimal):
    """The minimal corpus with a warning: two titles that are nearly the same."""
    pool = minimal / "sensors.csv"
    text = pool.read_text("utf-8")
    pool.write_text(text.replace("Temperatures of till", "Light in the fens"), "utf-8")
    return minimal


def findings(run, folder):
    return json.loads(run("check", "--format", "json", "--data", folder).stdout)["findings"]


def test_two_warnings_about_one_cell_are_accepted_by_one_row(minimal):
    study = load_corpus(str(minimal))
    near = Rule("C305", "like {other}", "", WARNING)
    found = [near.at(study.pool.file, study.pool.lines[0], "name", "A", other=n) for n in (1, 2)]
    after = with_accepted(study, found, "C305", next(iter(study.pool.names())), "", "yearly")
    assert len(after.tables["ok"].rows) == len(study.tables["ok"].rows) + 1


def test_the_warning_is_listed_with_its_reason_and_no_longer_found(run, warned):
    [found] = findings(run, warned)
    assert (found["line"], found["column"]) == (4, "name")
    before = (warned / "ok.csv").read_text("utf-8")
    shown = run("accept", found["code"], "till", "--reason", "as printed", "--dry-run", cwd=warned)
    assert shown.exit_code == 0
    assert "as printed" in shown.stdout
    assert (warned / "ok.csv").read_text("utf-8") == before
    done = run("accept", found["code"], "till", "name", "--reason", "as printed", cwd=warned)
    assert done.exit_code == 0, done.stderr
    assert findings(run, warned) == []
    assert "Light in the fens,as printed" in (warned / "ok.csv").read_text("utf-8")


@pytest.mark.parametrize(
    "arguments", [("C316", "till"), ("C000", "till"), ("CODE", "fen"), ("CODE", "till", "year")]
)
def test_a_warning_that_is_not_there_is_refused_with_those_that_are(run, warned, arguments):
    [found] = findings(run, warned)
    named = [found["code"] if name == "CODE" else name for name in arguments]
    result = run("accept", *named, "--reason", "x", cwd=warned)
    assert result.exit_code == 2
    if "till" in named:
        assert found["code"] in result.stderr


def test_an_error_cannot_be_accepted(run, minimal):
    pool = minimal / "sensors.csv"
    pool.write_text(pool.read_text("utf-8").replace("2021", "20x1", 1), "utf-8")
    [found] = [one for one in findings(run, minimal) if one["severity"] == "error"][:1]
    result = run("accept", found["code"], "fen", "--reason", "x", cwd=minimal)
    assert result.exit_code == 2
