"""What a source states now is compared with its record, saved at once, and asked for politely."""

import csv
import json
from datetime import date

import pytest
from click.testing import CliRunner

from corpus.cli.change import retrieve as command
from corpus.cli.main import main
from corpus.curation.lookup.services import NOT_RECOGNISED, WITHDRAWN, look_up
from corpus.curation.lookup.transport import PoliteClient
from corpus.model.finding import CorpusError
from corpus.model.work import Work
from tests.corpora.full import write_full
from tests.support.changing import row
from tests.support.search_answers import Answers, arxiv_page

RECORDS = """
[tables.records]
file = "records.csv"
role = "source_records"
key = ["sensor", "identifier"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "identifier", type = "text", role = "identifier", definition = "Identifier." },
  { name = "title", type = "text", role = "title", required = false, definition = "Title." },
  { name = "authors", type = "names", role = "authors", required = false, definition = "Authors." },
  { name = "first_version", type = "date", role = "first_version", required = false, definition = "First." },
  { name = "doi", type = "doi", role = "doi", required = false, definition = "DOI." },
  { name = "venue", type = "text", role = "venue", required = false, definition = "Venue." },
  { name = "status", type = "term", role = "status", required = false, definition = "Status." },
  { name = "read_on", type = "date", role = "read_on", required = false, definition = "Day." },
]
[vocabularies.status]
terms = [{ id = "available", definition = "Yes." }, { id = "withdrawn", definition = "No." }]
"""
ROWS = """\
sensor,identifier,title,authors,first_version,doi,venue,status,read_on
ada,arXiv:2011.00010,Rain above Ada's antenna,"Ward, Ann; Soil Trust",2020-11-02,10.48550/arXiv.2011.00010,,available,
bob,DOI:10.1234/bob,Birches that drink from the sky,,,10.1234/bob,,available,
cy,DOI:10.1234/cy,,,,10.1234/cy,,available,
dot,DOI:10.1234/dot,,,,10.1234/dot,,available,
"""
ADA = "arXiv:2011.00010"


@pytest.fixture
def data(tmp_path):
    """The full corpus with source records of four entries."""
    data = write_full(tmp_path, RECORDS)
    (data / "records.csv").write_text(ROWS, "utf-8")
    return data


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


def answer(**changed):
    """What arXiv states of the first entry, as before unless something has changed."""
    cells = next(csv.DictReader(ROWS.splitlines()))
    work = Work(
        "arXiv", cells["title"], tuple(cells["authors"].split("; ")), arxiv="2011.00010",
        doi=cells["doi"], venue="arXiv", first_public=cells["first_version"],
    )  # fmt: skip
    return work._replace(**changed)


def record(data):
    """Return the source record of the first entry."""
    return row(data, "ada", ADA, table="records")


def test_what_is_stated_as_before_is_dated_anew(run, data, asked):
    asked["answers"][ADA] = answer()
    result = run("verify", "ada", "--data", data)
    assert (result.exit_code, result.stdout) == (0, "")
    assert record(data)["read_on"] == date.today().isoformat()


def test_what_is_stated_otherwise_is_a_change_to_review(run, data, asked):
    asked["answers"][ADA] = answer(title="Another Title Altogether")
    result = run("verify", "ada", "--dry-run", "--data", data)
    assert result.exit_code == 1
    assert "Another Title Altogether" in result.stdout
    assert record(data)["read_on"] == ""
    assert run("verify", "ada", "--data", data).exit_code == 1
    assert record(data)["title"] == "Another Title Altogether"
    assert "C420" in run("check", "--data", data).stdout


def test_a_withdrawn_work_is_noted(run, data, asked):
    finding = WITHDRAWN.at("x", value="x", problem="an error")
    asked["answers"][ADA] = CorpusError([finding])
    assert run("verify", "ada", "--data", data).exit_code == 1
    assert record(data)["status"] == "withdrawn"
    assert "C427" in run("check", "--data", data).stdout


def test_it_stops_where_no_source_answers_and_pauses_between_questions(run, data, asked):
    down = CorpusError([NOT_RECOGNISED.at("x", value="x")])
    for name in (ADA, "10.1234/bob", "10.1234/cy", "10.1234/dot"):
        asked["answers"][name] = down
    result = run("verify", "--all", "--data", data)
    assert result.exit_code == 1
    assert (len(asked["asked"]), asked["pauses"]) == (3, [command.PAUSE] * 2)


@pytest.mark.parametrize("arguments", [(), ("ada", "--all"), ("nobody",)])
def test_wrong_arguments_are_refused(run, data, asked, arguments):
    assert run("verify", *arguments, "--data", data).exit_code == 2
    assert asked["asked"] == []


def test_a_hostile_answer_reaches_no_terminal(run, data, asked):
    hostile = "Peat ::error::x \x1b[31m"
    asked["answers"][ADA] = answer(title=hostile)
    result = run("verify", "ada", "--data", data)
    assert "\x1b" not in result.stdout + result.stderr
    assert record(data)["title"] != hostile


def test_a_run_goes_on_where_it_stopped(run, data, asked):
    path = data / "records.csv"
    today = date.today().isoformat()
    path.write_text(ROWS.replace(",available,\n", f",available,{today}\n"), "utf-8")
    path.write_text(path.read_text("utf-8").replace(today, "", 1), "utf-8")
    asked["answers"][ADA] = answer()
    assert run("verify", "--all", "--data", data).exit_code == 0
    assert asked["asked"] == [ADA]


def test_a_source_that_asks_to_wait_is_asked_again(run, data, asked, monkeypatch):
    """First busy, then about another work: the answer after the wait is what counts."""
    answers = Answers((429, {"retry-after": "30"}), arxiv_page(("2011.00010", "Another Title")))
    asked["opener"] = answers
    monkeypatch.setattr(command, "look_up", look_up)
    assert run("verify", "ada", "--data", data).exit_code == 1
    assert asked["pauses"] == [30.0]
    assert record(data)["title"] == "Another Title"


def dblp(title, venue, year, **more):
    info = {
        "title": f"{title}.",
        "venue": venue,
        "year": year,
        "authors": {"author": {"text": "Ann Ward"}},
    }
    return {"info": {**info, **more}}


@pytest.fixture
def preprint(data, asked):
    """The first entry as a preprint with a DOI column beside it; answers of DBLP and Crossref in order."""

    def answers(*hits, crossref=()):
        bodies = [json.dumps({"result": {"hits": {"hit": list(hits)}}}).encode()]
        bodies.append(json.dumps({"message": {"items": list(crossref)}}).encode())
        asked["opener"] = Answers(*bodies)

    cells = ["--set", "venue=arXiv", "--set", f"name={RAIN}"]
    run_edit = CliRunner().invoke(main, ["edit", "ada", *cells, "--data", str(data)])
    assert run_edit.exit_code == 0, run_edit.output
    return answers


RAIN = "Rain and snow above Ada's antenna, or not"


def test_a_published_version_is_proposed_with_its_source_and_written_after_one_question(
    data, preprint
):
    own = dblp(RAIN, "CoRR", "2020", ee="https://doi.org/10.48550/arXiv.2011.00010")
    preprint(own, dblp(RAIN, "SoilSys", "2021", doi="10.1234/rain"))
    arguments = ["verify", "ada", "--published", "--data", str(data)]
    shown = CliRunner().invoke(main, arguments, input="n\n")
    assert "ada: arXiv -> SoilSys 2021 (DBLP: DOI:10.1234/rain" in shown.stdout
    assert row(data, "ada")["venue"] == "arXiv"
    preprint(own, dblp(RAIN, "SoilSys", "2021", doi="10.1234/rain"))
    assert CliRunner().invoke(main, arguments, input="y\n").exit_code == 0
    assert row(data, "ada")["venue"] == "SoilSys 2021"


@pytest.mark.parametrize(
    "hit",
    [
        dblp(RAIN, "CoRR", "2020"),
        dblp("Rain above Bob's antenna", "SoilSys", "2021"),
        dblp(RAIN, "SoilSys", "2021", authors={"author": {"text": "Cy Stein"}}),
    ],
)
def test_a_preprint_or_another_work_is_not_proposed(run, data, preprint, hit):
    preprint(hit)
    done = run("verify", "ada", "--published", "--yes", "--data", data)
    assert (done.exit_code, row(data, "ada")["venue"]) == (0, "arXiv")
    assert "0 published, 0 failed" in done.stderr
