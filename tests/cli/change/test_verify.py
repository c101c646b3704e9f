"""Where preprints were published is looked up, shown with its source, and written after one question."""

import json
from functools import partial

import pytest
from click.testing import CliRunner

from corpus.cli.change import retrieve as command
from corpus.cli.main import main
from corpus.curation.lookup.transport import PoliteClient
from tests.corpora.full import write_full
from tests.support.changing import row
from tests.support.search_answers import Answers


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


def dblp(title, venue, year, **more):
    info = {
        "title": f"{title}.",
        "venue": venue,
        "year": year,
        "authors": {"author": {"text": "Ann Ward"}},
    }
    return {"info": {**info, **more}}


@pytest.fixture
def preprint(data, monkeypatch):
    """The first entry as a preprint; takes the answers of DBLP."""

    def answers(*hits):
        bodies = [json.dumps({"result": {"hits": {"hit": list(hits)}}}).encode()]
        bodies.append(json.dumps({"message": {"items": []}}).encode())
        client = partial(PoliteClient, opener=Answers(*bodies), sleep=lambda _: None)
        monkeypatch.setattr(command, "PoliteClient", client)

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
    arguments = ["verify", "ada", "--data", str(data)]
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
    done = run("verify", "ada", "--yes", "--data", data)
    assert (done.exit_code, row(data, "ada")["venue"]) == (0, "arXiv")
    assert "0 published, 0 failed" in done.stderr


def test_an_unknown_entry_is_refused_and_without_a_connection_it_stops(run, data, monkeypatch):
    assert run("verify", "nobody", "--data", data).exit_code == 2
    down = partial(PoliteClient, opener=Answers(*[OSError("gone")] * 9), sleep=lambda _: None)
    monkeypatch.setattr(command, "PoliteClient", down)
    done = run("verify", "--yes", "--data", data)
    assert (done.exit_code, row(data, "ada")["venue"]) == (1, "Journal of Soil")
