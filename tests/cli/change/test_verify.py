"""What a source states now is compared with its record, saved at once, and asked for politely."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from corpus.cli.change import verify as command
from corpus.curation.lookup import lookup_rules
from corpus.curation.lookup.services import look_up
from corpus.curation.lookup.transport import TRIES, PoliteClient
from corpus.model.finding import CorpusError
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.support.search_answers import Answers, arxiv_page

TODAY = Path(__file__).parents[3] / "data"


@pytest.fixture
def data(tmp_path):
    ignored = shutil.ignore_patterns("releases", "releases.toml", "traces")
    return Path(shutil.copytree(TODAY, tmp_path / "data", ignore=ignored))


@pytest.fixture
def asked(monkeypatch):
    """Answer with what is stored in `answers`; the identifiers that were asked for, and pauses."""
    log = {"asked": [], "pauses": [], "answers": {}}

    def look_up(identifier, opener):
        log["asked"].append(identifier)
        answer = log["answers"][identifier]
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(command, "look_up", look_up)
    monkeypatch.setattr(
        command,
        "PoliteClient",
        lambda pause: PoliteClient(pause, log.get("opener"), log["pauses"].append),
    )
    return log


def answer(data, key, **changed):
    table = load_corpus(str(data)).tables["source_records"]
    row = next(row for row in table.rows if row[0] == key and row[1].startswith("arXiv:"))
    cells = dict(zip(table.spec.header, row, strict=True))
    arxiv = cells["identifier"].removeprefix("arXiv:")
    return Work(
        "arXiv", cells["title"], tuple(cells["authors"].split("; ")), arxiv=arxiv,
        doi=cells["doi"], venue="arXiv", first_public=cells["first_version"],
    )._replace(**changed)  # fmt: skip


def record(data, key):
    table = load_corpus(str(data)).tables["source_records"]
    row = next(row for row in table.rows if row[0] == key)
    return dict(zip(table.spec.header, row, strict=True))


def test_what_is_stated_as_before_is_dated_anew(run, data, asked):
    asked["answers"]["arXiv:2508.04652"] = answer(data, "magrpo")
    result = run("verify", "magrpo", "--data", data)
    assert (result.exit_code, result.stdout) == (0, "")
    assert record(data, "magrpo")["read_on"] == date.today().isoformat()


def test_what_is_stated_otherwise_is_a_change_to_review(run, data, asked):
    asked["answers"]["arXiv:2508.04652"] = answer(data, "magrpo", title="Another Title Altogether")
    result = run("verify", "magrpo", "--dry-run", "--data", data)
    assert result.exit_code == 1
    assert "Another Title Altogether" in result.stdout
    assert record(data, "magrpo")["read_on"] == ""
    assert run("verify", "magrpo", "--data", data).exit_code == 1
    assert record(data, "magrpo")["title"] == "Another Title Altogether"
    assert "C420" in run("check", "--data", data).stdout


def test_a_withdrawn_work_is_noted(run, data, asked):
    finding = lookup_rules.WITHDRAWN.at("x", value="x", problem="an error")
    asked["answers"]["arXiv:2508.04652"] = CorpusError([finding])
    assert run("verify", "magrpo", "--data", data).exit_code == 1
    assert record(data, "magrpo")["status"] == "withdrawn"
    assert "C427" in run("check", "--data", data).stdout


def test_it_stops_where_no_source_answers_and_pauses_between_questions(run, data, asked):
    down = CorpusError([lookup_rules.NOT_RECOGNISED.at("x", value="x")])
    for row in load_corpus(str(data)).tables["source_records"].rows:
        asked["answers"][row[1].removeprefix("DOI:")] = down
    result = run("verify", "--all", "--data", data)
    assert result.exit_code == 1
    assert (len(asked["asked"]), asked["pauses"]) == (3, [command.PAUSE] * 2)


@pytest.mark.parametrize("arguments", [(), ("magrpo", "--all"), ("nobody",)])
def test_wrong_arguments_are_refused(run, data, asked, arguments):
    assert run("verify", *arguments, "--data", data).exit_code == 2
    assert asked["asked"] == []


def test_a_hostile_answer_reaches_no_terminal(run, data, asked):
    hostile = "Peat ::error::x \x1b[31m"
    asked["answers"]["arXiv:2508.04652"] = answer(data, "magrpo", title=hostile)
    result = run("verify", "magrpo", "--data", data)
    assert "\x1b" not in result.stdout + result.stderr
    assert record(data, "magrpo")["title"] != hostile


def test_a_run_goes_on_where_it_stopped(run, data, asked):
    path = data / "source_records.csv"
    lines = path.read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        # The last cell is the day on which the record was read.
        if number and not line.startswith("magrpo,"):
            lines[number] = line + date.today().isoformat()
    path.write_text("\n".join(lines) + "\n", "utf-8")
    asked["answers"]["arXiv:2508.04652"] = answer(data, "magrpo")
    assert run("verify", "--all", "--data", data).exit_code == 0
    assert asked["asked"] == ["arXiv:2508.04652"]


def test_a_source_that_asks_to_wait_is_asked_again(run, data, asked, monkeypatch):
    """First busy, then about another work: the answer after the wait is what counts."""
    answers = Answers((429, {"retry-after": "30"}), arxiv_page(("2508.04652", "Another Title")))
    asked["opener"] = answers
    monkeypatch.setattr(command, "look_up", look_up)
    assert run("verify", "magrpo", "--data", data).exit_code == 1
    assert asked["pauses"] == [30.0]
    assert record(data, "magrpo")["title"] == "Another Title"


def test_a_source_that_refuses_for_too_long_is_not_answered(run, data, asked, monkeypatch):
    asked["opener"] = Answers(*[(503, {})] * TRIES)
    monkeypatch.setattr(command, "look_up", look_up)
    result = run("verify", "magrpo", "--data", data)
    assert (result.exit_code, len(asked["pauses"])) == (1, TRIES - 1)
    assert "503" in result.stderr
    assert record(data, "magrpo")["read_on"] == ""
