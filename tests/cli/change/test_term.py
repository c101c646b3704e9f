import json
import tomllib

import pytest

import corpus
from tests.corpora.full import repository, write_full
from tests.support.repository import commit_all

#: What else names the terms that are merged: a figure, a finding with a number, claims.
MORE = """
[figures.salts]
kind = "timeline"
title = "Salts"
table = "dated"
date = "seen"
group = "senses"
window = ["2020-10", "2021-02"]
milestones = [{ axis = "senses", terms = ["salt", "gas", "water"] }]

[[finding.parts]]
text = "Of all, {SensesGas} sense gas."
"""
NAMING = """
[[claims]]
id = "no-gas"
statement = "No sensor of gas or salt lies deep."
where = { depth = "deep", senses = ["gas", "salt"] }
count = 0

[[claims]]
id = "by-sense"
statement = "What they sense."
by = ["senses"]
counts = { water = 3, salt = 1, heat = 2 }
tracked = true
"""


@pytest.fixture
def naming(tmp_path):
    """The corpus in a repository, with a figure, a number and claims that name terms of `senses`."""
    data = repository(tmp_path)
    book, claims = data / "codebook.toml", data / "claims.toml"
    book.write_text(book.read_text("utf-8") + MORE, "utf-8")
    claims.write_text(claims.read_text("utf-8") + NAMING, "utf-8")
    text = "<!-- corpus: SensesSalt -->1<!-- /corpus --> of salt.\n"
    (tmp_path / "README.md").write_text(text, "utf-8")
    commit_all(tmp_path, "name")
    return data


@pytest.fixture
def soils(tmp_path):
    return write_full(tmp_path / "soils")


def codes(run, folder):
    result = run("check", "--format", "json", "--data", folder)
    return [finding["code"] for finding in json.loads(result.stdout)["findings"]]


def test_a_term_has_its_new_name_wherever_it_is_named(run, soils):
    before = codes(run, soils)
    result = run("term", "rename", "depth", "surface", "top", cwd=soils)
    assert result.exit_code == 0, result.stderr
    assert codes(run, soils) == before
    pool = (soils / "sensors.csv").read_text("utf-8")
    assert ",top," in pool
    assert ",surface," not in pool
    book = tomllib.loads((soils / "codebook.toml").read_text("utf-8"))
    assert "top" in [term["id"] for term in book["vocabularies"]["depth"]["terms"]]
    claims = tomllib.loads((soils / "claims.toml").read_text("utf-8"))
    assert "surface" not in str([claim.get("where") for claim in claims["claims"]])
    counted = json.loads(run("stats", "--format", "json", "--data", soils).stdout)
    assert "top" in str(counted)
    assert run("claims", "--data", soils).exit_code == 0
    assert "renamed to top" in result.stderr


def test_a_dry_run_shows_the_rows_and_writes_nothing(run, soils):
    before = {path.name: path.read_bytes() for path in soils.iterdir()}
    result = run("term", "rename", "depth", "surface", "top", "--dry-run", cwd=soils)
    assert result.exit_code == 0
    assert ",top," in result.stdout
    assert "fills" not in result.stderr  # no count has moved
    assert {path.name: path.read_bytes() for path in soils.iterdir()} == before


@pytest.mark.parametrize(
    "arguments",
    [("depht", "surface", "top"), ("depth", "surfaec", "top"), ("depth", "surface", "deep")],
)
def test_what_is_not_there_or_taken_is_refused(run, soils, arguments):
    assert run("term", "rename", *arguments, cwd=soils).exit_code == 2


def declared(data, file="codebook.toml"):
    return tomllib.loads((data / file).read_text("utf-8"))


def test_two_terms_become_one_in_tables_figures_claims_and_texts(run, naming):
    result = run("term", "merge", "senses", "salt", "gas", "heat", cwd=naming)
    assert result.exit_code == 0, result.stderr
    assert "water-lead" in result.stderr  # heat is sensed as often now
    assert set(codes(run, naming)) == {"C601"}
    book, claims = declared(naming), declared(naming, "claims.toml")["claims"]
    senses = book["vocabularies"]["senses"]
    assert [term["id"] for term in senses["terms"]] == ["water", "heat"]
    assert senses["groups"][0]["terms"] == ["water", "heat"]
    assert book["figures"]["salts"]["milestones"][0]["terms"] == ["heat", "water"]
    assert "{SensesHeat}" in book["finding"]["parts"][0]["text"]
    assert claims[2]["descending"] == ["water", "heat"]
    assert claims[3]["where"] == {"depth": "deep", "senses": ["heat"]}
    assert claims[4]["counts"] == {"water": 3, "heat": 2}
    assert ",salt," not in (naming / "sensors.csv").read_text("utf-8")
    assert "corpus: SensesHeat -->" in (naming.parent / "README.md").read_text("utf-8")


def test_a_cell_with_both_terms_has_the_new_one_once(run, naming):
    assert run("term", "merge", "senses", "heat", "water", cwd=naming).exit_code == 0
    pool = (naming / "sensors.csv").read_text("utf-8")
    assert "surface,water,2011.00010" in pool


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("rename", "senses", "water", "moisture"), ("senses", "water", "moisture", False)),
        (("merge", "senses", "salt", "gas"), ("senses", "salt", "gas", True)),
    ],
)
def test_a_diff_tells_of_the_name_and_of_no_cell_that_fills_or_empties(run, naming, change, told):
    before = corpus.load(str(naming))
    assert run("term", *change, cwd=naming).exit_code == 0
    found = before.diff(corpus.load(str(naming)))
    assert found.terms.values.tolist() == [list(told)]
    assert (len(found.rows), len(found.cells)) == (0, 0)
    result = run("diff", "HEAD", "--format", "json", cwd=naming)
    report = json.loads(result.stdout)
    (term,) = report["terms"]
    assert tuple(term.values()) == told
    assert report["changed"] == report["cells"] == report["weakened"] == []
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("senses", "salt", "gsa"), ("senses", "gas", "gas"), ("depth", "none", "deep")]
)
def test_what_cannot_become_one_is_refused(run, soils, arguments):
    assert run("term", "merge", *arguments, cwd=soils).exit_code == 2


def test_every_place_of_a_name_is_listed_with_its_line(run, naming):
    result = run("show", "salt", "--places", "--format", "json", "--data", naming)
    found = {}
    for place in json.loads(result.stdout)["places"]:
        found.setdefault(place["file"].rpartition("/")[2], []).append(place["line"])
    assert set(found) == {"codebook.toml", "claims.toml", "sensors.csv", "README.md"}
    assert found["sensors.csv"] == [4]
    assert found["README.md"] == [1]
    claims = (naming / "claims.toml").read_text("utf-8").split("\n")
    assert all("salt" in claims[line - 1] for line in found["claims.toml"])


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("depth", {"codebook.toml", "claims.toml", "sensors.csv", "second.csv"}),
        ("bob", {"claims.toml", *(f"{t}.csv" for t in ("sensors", "dated", "judged", "uses", "second"))}),
    ],
)  # fmt: skip
def test_columns_and_keys_have_places_too(run, soils, name, files):
    result = run("show", name, "--places", "--format", "json", "--data", soils)
    places = json.loads(result.stdout)["places"]
    assert {place["file"].rpartition("/")[2] for place in places} == files


def test_a_name_that_nothing_has_is_refused_with_the_nearest(run, soils):
    result = run("show", "surfaec", "--places", "--data", soils)
    assert result.exit_code == 2
    assert "surface" in result.stderr
