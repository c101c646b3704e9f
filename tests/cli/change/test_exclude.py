"""`corpus exclude`: a record in the log of exclusions, or an entry that moves into it."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from corpus.curation.check.check import check_corpus
from tests.conftest import REAL
from tests.corpora.full import write_full
from tests.support.changing import codes, contents, given, row, run
from tests.support.recorded_answers import Web, atom, offline

ARXIV = "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1"


@pytest.fixture
def data(tmp_path):
    return Path(
        shutil.copytree(REAL, tmp_path / "data", ignore=shutil.ignore_patterns(".*", "traces"))
    )


@pytest.fixture
def soil(tmp_path):
    """The full made-up corpus, which has no coded reasons, no dates and no sources in its log."""
    return write_full(tmp_path)


@pytest.fixture
def web(monkeypatch):
    """The network: arXiv knows one work."""
    known = Web({ARXIV: atom()})
    monkeypatch.setattr("corpus.curation.lookup.transport.open_address", known)
    return known


def exclude(data, *arguments, **cells):
    """Exclude a work with these cells; nothing is asked."""
    return run("exclude", *arguments, "--no-input", "--data", data, *given(**cells))


def test_excluding_an_entry_takes_what_refers_to_it_along(data):
    result = exclude(
        data,
        "halo",
        "--cascade",
        stage="full_text_screen",
        query_family="orchestration",
        exclusion_reason="Nothing is trained",
        criterion="X3",
    )
    assert (result.exit_code, result.stdout) == (0, "E033\n")
    today = date.today()
    record = row(data, "E033", table="exclusions")
    assert row(data, "E033", table="exclusion_criteria")["criterion"] == "X3"
    assert (record["identifier"], record["source"]) == ("arXiv:2505.13516", "arXiv")
    screened = date.fromisoformat(record["date_screened"])
    assert today - timedelta(1) <= screened <= today
    assert check_corpus(str(data)) == []  # screened after the cutoff, which is no mistake
    assert " 1 -> 0" in result.stderr


def test_an_exclusion_without_its_coded_reason_is_pointed_out(data):
    result = exclude(
        data,
        "halo",
        "--cascade",
        stage="full_text_screen",
        query_family="orchestration",
        exclusion_reason="Mud",
    )
    assert result.exit_code == 0, result.stderr
    assert "C413" in codes(result)
    found = check_corpus(str(data))
    assert [(f.code, f.value) for f in found] == [("C413", "E033")]


def test_excluding_a_work_by_its_identifier_with_questions(data, web):
    result = run(
        "exclude",
        "2601.00010",
        "--data",
        data,
        answers=["orchestration", "1", "Not about agents", "X2"],
    )
    assert result.exit_code == 0, result.stderr
    assert row(data, "E033", table="exclusion_criteria")["criterion"] == "X2"
    record = row(data, "E033", table="exclusions")
    assert (record["screening_label"], record["stage"]) == (
        "Wet Sensors: Reading Soil & Peat",
        "abstract_screen",
    )


def test_a_record_gets_the_next_number_and_what_is_known_of_the_entry(soil):
    result = exclude(soil, "ada", "--cascade", step="text")
    assert (result.exit_code, result.stdout) == (0, "x4\n"), result.stderr
    assert row(soil, "x4", table="dropped") == {
        "record": "x4",
        "step": "text",
        "label": "Rain above Ada's antenna",
        "found": "arXiv:2011.00010",
    }
    for file in ("sensors.csv", "dated.csv", "judged.csv", "uses.csv", "probes.csv"):
        assert "ada" not in (soil / file).read_text("utf-8")


def test_an_entry_with_evidence_stays_without_cascade(soil):
    before = contents(soil)
    result = exclude(soil, "ada", step="text")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "judged.csv:2" in result.stderr
    assert contents(soil) == before


def test_a_dry_run_shows_the_row_and_writes_nothing(soil):
    before = contents(soil)
    result = exclude(soil, "eve", "--cascade", "--dry-run", step="text")
    assert result.exit_code == 0, result.stderr
    header, line = result.stdout.splitlines()
    assert header == "record,step,label,found"
    assert line.startswith("x4,text,Eve & {dry} ground,")
    assert contents(soil) == before


def test_a_required_cell_that_nobody_gives_is_a_finding_and_nothing_is_written(soil):
    before = contents(soil)
    result = exclude(soil, "eve", "--cascade")
    assert (result.exit_code, result.stdout) == (1, "")
    assert codes(result)
    assert contents(soil) == before


def test_without_a_connection_a_record_has_what_its_identifier_tells(soil, web):
    web.answers = {ARXIV: offline()}
    result = exclude(soil, "2601.00010", step="title")
    assert (result.exit_code, result.stdout) == (0, "x4\n"), result.stderr
    assert row(soil, "x4", table="dropped")["found"] == "arXiv:2601.00010"


def test_the_source_of_a_record_is_one_of_the_protocol(minimal, web):
    protocol = minimal / "protocol.toml"
    protocol.write_text(protocol.read_text("utf-8").replace('"arXiv"', '"elsewhere"'), "utf-8")
    before = contents(minimal)
    # arXiv was asked, but is no source of this protocol: who excludes has to name one.
    refused = exclude(minimal, "2601.00010", stage="abstract")
    assert (refused.exit_code, contents(minimal)) == (1, before)
    stage = given(stage="abstract")
    asked = run("exclude", "2601.00010", "--data", minimal, *stage, answers=["1"])
    assert (asked.exit_code, asked.stdout) == (0, "X3\n"), asked.stderr
    assert row(minimal, "X3", table="rejected")["source"] == "elsewhere"
