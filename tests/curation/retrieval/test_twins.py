"""What a search or a list has is taken for a known work only where nothing contradicts, and never in silence."""

import csv

import pytest
from click.testing import CliRunner

from corpus.cli.main import main

POOL = """Title,Authors,Year,DOI
Wet sensing part I: theory,"Ried, Di",2020,10.1234/w.1
Bog report 2020: yields and losses,"Ried, Di",2020,10.1234/b.1
Modelling colour of peat,"Moor, Bo",2019,
"""
HITS = """Title,Authors,Year,DOI
Wet sensing part II: theory,"Ried, Di",2021,10.1234/w.2
Bog report 2021: yields and losses,"Ried, Di",2021,10.1234/b.2
Wet sensing part I: theory,"Ried, D.",2020,https://doi.org/10.1234/W.1
Modeling colour of peat,"Moor, Bo",2020,
Modeling colors of peat,"Moor, Bo",2025,
Editorial,"Moor, Bo",2018,10.1234/e.1
Editorial,"Ried, Di",2024,10.1234/e.2
"""
SEARCH = '[[searches]]\nid = "exports"\nsource = "Scopus"\nquery = "peat"\n'


def run(*arguments):
    result = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.csv").write_text(POOL, "utf-8")
    (tmp_path / "hits.csv").write_text(HITS, "utf-8")
    run("init", "wet", "--from", "pool.csv", "--living")
    with (tmp_path / "wet/data/searches.toml").open("a", encoding="utf-8") as searches:
        searches.write(SEARCH)
    return tmp_path


def pairs(folder):
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as table:
        return [(row["verdict"], row["line"], row["twin"]) for row in csv.DictReader(table)]


TWINS = [
    ("same", "4", "pool ried-2020-wet"),
    ("same", "5", "pool moor-2019-modelling"),
    ("ask", "6", "pool moor-2019-modelling"),
]


def test_retrieved_parts_and_years_stay_and_each_known_record_has_its_twin(corpus):
    told = run(
        "retrieve", "exports", "--from", "hits.csv", "--data", "wet/data", "--pairs", "pairs.csv"
    )
    assert "exports: 5 new candidates; 2 known, 0 found again, 0 repeated" in told.stderr
    assert pairs(corpus) == TWINS


def test_a_list_is_compared_in_the_same_way(corpus):
    told = run("coverage", "--against", "hits.csv", "--data", "wet/data", "--pairs", "pairs.csv")
    assert "taken for one work: 2; to be decided: 1" in told.stderr
    assert pairs(corpus) == TWINS
