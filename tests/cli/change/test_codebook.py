"""Names of terms, and the codebook as a sheet that a co-author fills in."""

import csv
import json
import tomllib

import openpyxl
import pytest

from corpus.tables.writing.writer import csv_text
from tests.corpora.full import repository, write_full
from tests.support.imported import workbook
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
    result = changed(run, soils, "depth:surface=top")
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


def test_without_yes_the_files_are_told_and_nothing_is_written(run, soils):
    before = {path.name: path.read_bytes() for path in soils.iterdir()}
    result = run("codebook", "--change", "depth:surface=top", cwd=soils)
    assert result.exit_code == 0
    assert "sensors.csv" in result.stderr
    assert "fills" not in result.stderr  # no count has moved
    assert {path.name: path.read_bytes() for path in soils.iterdir()} == before


@pytest.mark.parametrize(
    "change",
    [
        "depht:surface=top",
        "depth:surfaec=top",
        "depth:surface",
        "depth:surface=",
        "senses:gsa=salt",
        "depth:none=deep",
        "sensor=-",
        "name=-",
        "dropped.step=-",
        "dropped.step=stage",
        "notes=depth",
        "depth:surface==1",
        "senses:water=-",  # a claim names it
        "depth=-",  # and so does a reading of sparsity
    ],
)
def test_what_is_not_there_or_in_use_is_refused(run, soils, change):
    before = {path.name: path.read_bytes() for path in soils.iterdir()}
    assert changed(run, soils, change).exit_code == 2
    assert {path.name: path.read_bytes() for path in soils.iterdir()} == before


def changed(run, data, *changes):
    """Write changes of names, as a sheet has them."""
    options = [part for change in changes for part in ("--change", change)]
    return run("codebook", *options, "--yes", cwd=data)


def declared(data, file="codebook.toml"):
    return tomllib.loads((data / file).read_text("utf-8"))


def test_two_terms_become_one_in_tables_figures_claims_and_texts(run, naming):
    result = changed(run, naming, "senses:salt=heat", "senses:gas=heat")
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


def test_a_cell_with_both_terms_has_the_new_one_once(run, naming):
    assert changed(run, naming, "senses:heat=water").exit_code == 0
    pool = (naming / "sensors.csv").read_text("utf-8")
    assert "surface,water,2011.00010" in pool


def test_a_diff_tells_of_the_name_and_of_no_cell_that_fills_or_empties(run, naming):
    assert changed(run, naming, "senses:water=moisture").exit_code == 0
    result = run("diff", "HEAD", "--format", "json", cwd=naming)
    report = json.loads(result.stdout)
    assert report["terms"] == [{"vocabulary": "senses", "old": "water", "new": "moisture"}]
    assert report["changed"] == report["cells"] == report["weaker_checks"] == []
    assert result.exit_code == 0


def filled(path, edits):
    """Fill cells of an exported sheet: (column, term, part of the header) -> text."""
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    for (column, term, part), text in edits.items():
        (row,) = [row for row in rows if row[:2] == [column, term]]
        row[rows[0].index(part)] = text
    if path.suffix == ".xlsx":
        path.write_bytes(workbook(("codebook", rows)))
    else:
        path.write_text(csv_text(rows), "utf-8")


def test_the_sheet_has_every_term_with_count_and_examples(run, soils, tmp_path):
    for name in ("terms.csv", "terms.xlsx"):
        assert run("codebook", "--export", tmp_path / name, cwd=soils).exit_code == 0
    rows = list(csv.DictReader((tmp_path / "terms.csv").read_text("utf-8").splitlines()))
    sheet = openpyxl.load_workbook(tmp_path / "terms.xlsx").active
    assert [cell.value or "" for cell in sheet[8]] == list(rows[6].values())
    found = {(row["column"], row["term"]): row for row in rows}
    assert found["senses", "water"]["count"] == "3"
    assert found["senses", "water"]["examples"].count(",") == 1
    assert found["depth", ""]["definition"] == "Depth."
    assert ("dropped.step", "title") in found
    # What comes back as it is changes nothing.
    result = run("codebook", "--import", tmp_path / "terms.xlsx", cwd=soils)
    assert result.exit_code == 0, result.stderr
    assert "new" not in result.stderr


def test_a_filled_sheet_describes_renames_merges_divides_and_drops(run, tmp_path):
    table = tmp_path / "list.csv"
    rows = ["Title,Year,Task,Tools,Odd"]
    for number, (task, tools) in enumerate(
        [
            ("probing", "clay, salt"),
            ("sensing", "salt, clay"),
            ("probing", "mud"),
            ("other", "mud, clay"),
        ]
    ):
        rows.append(f'Depth of fen number {number} in peat,2020,{task},"{tools}",{number % 2}x')
    table.write_text("\n".join([*rows, ""]), "utf-8")
    kinds = ("--split", "Tools=,", "--map", "Task=task:term", "--map", "Odd=odd:term")
    assert run("init", tmp_path / "new", "--from", table, *kinds).exit_code == 0
    data, sheet = tmp_path / "new" / "data", tmp_path / "terms.csv"
    run("codebook", "--export", sheet, cwd=data)
    filled(
        sheet,
        {
            ("task", "probing", "new term"): "Field probing",
            ("task", "probing", "definition"): "With a probe.",
            ("task", "sensing", "new term"): "senses",
            ("task", "other", "new term"): "senses",
            ("tools", "mud", "new term"): "silt; clay",
            ("tools", "salt", "new term"): "-",
            ("tools", "", "definition"): "What they use.",
            ("odd", "", "new term"): "-",
        },
    )
    before = {path: path.read_bytes() for path in data.glob("*.*")}
    shown = run("codebook", "--import", sheet, cwd=data)
    assert shown.exit_code == 0, shown.stderr
    assert {path: path.read_bytes() for path in data.glob("*.*")} == before
    for line in (
        "probing -> field",
        "other, sensing -> senses",
        "mud -> silt; clay",
        "salt -> dropped",
    ):
        assert line in shown.stderr
    result = run("codebook", "--import", sheet, "--yes", cwd=data)
    assert result.exit_code == 0, result.stderr
    pool = list(csv.DictReader((data / "pool.csv").read_text("utf-8").splitlines()))
    assert "odd" not in pool[0]
    assert [row["task"] for row in pool] == ["field_probing", "senses", "field_probing", "senses"]
    assert [row["tools"] for row in pool] == ["clay", "clay", "silt; clay", "clay; silt"]
    book = declared(data)
    terms = {term["id"]: term for term in book["vocabularies"]["task"]["terms"]}
    assert terms["field_probing"]["label"] == "Field probing"
    assert terms["field_probing"]["definition"] == "With a probe."
    assert [term["id"] for term in book["vocabularies"]["tools"]["terms"]] == ["clay", "silt"]
    assert "odd" not in book["vocabularies"]
    assert set(codes(run, data)) == {"C002"}


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ("senses:salt=brine", "SensesSalt is SensesBrine"),
        ("senses=measures", "SensesSalt is MeasuresSalt"),
        ("notes=-", ""),
    ],
)
def test_the_form_follows_the_codebook_and_new_names_of_numbers_are_told(
    run, naming, change, number
):
    form = naming.parent / ".github/ISSUE_TEMPLATE/add-entry.yml"
    run("forms", cwd=naming)
    before = form.read_text("utf-8")
    shown = run("codebook", "--change", change, cwd=naming)
    assert "add-entry.yml" in shown.stderr
    assert form.read_text("utf-8") == before
    result = changed(run, naming, change)
    assert result.exit_code == 0, result.stderr
    assert form.read_text("utf-8") != before
    assert run("forms", "--check", cwd=naming).exit_code == 0
    assert ("called otherwise" in result.stderr) == bool(number)
    stale = run("render", "--check", naming.parent / "README.md", "--data", naming)
    assert (stale.exit_code != 0) == bool(number)


def test_a_form_that_somebody_wrote_stays(run, naming):
    form = naming.parent / ".github/ISSUE_TEMPLATE/add-entry.yml"
    form.parent.mkdir(parents=True)
    form.write_text("name: Mine\n", "utf-8")
    assert changed(run, naming, "senses:salt=brine").exit_code == 0
    assert form.read_text("utf-8") == "name: Mine\n"


def test_a_column_has_its_new_name_wherever_it_is_named(run, naming):
    before = set(codes(run, naming))
    result = changed(run, naming, "senses=What it measures")
    assert result.exit_code == 0, result.stderr
    assert "No count and no claim changes" in result.stderr
    assert set(codes(run, naming)) == before
    new = "what_it_measures"
    assert new in (naming / "sensors.csv").read_text("utf-8").split("\n")[0].split(",")
    claims = declared(naming, "claims.toml")["claims"]
    assert claims[3]["where"] == {"depth": "deep", new: ["gas", "salt"]}
    assert claims[4]["by"] == [new]
    book = declared(naming)
    assert "What it measures" in [
        each.get("label") for each in book["tables"]["sensors"]["columns"]
    ]
    assert book["figures"]["salts"]["milestones"][0]["axis"] == new
    assert "{WhatItMeasuresGas}" in book["finding"]["parts"][0]["text"]
    assert run("codebook", "--change", f"{new}:gas=air", "--yes", cwd=naming).exit_code == 0


@pytest.mark.parametrize("column", ["summary", "year", "venue", "notes"])
def test_a_column_with_a_role_is_dropped_where_nothing_needs_it(run, tmp_path, column):
    table = tmp_path / "list.csv"
    table.write_text("Title,Year,Venue,Summary,Notes\nDepth of a fen,2020,Fens,Deep,wet\n", "utf-8")
    assert run("init", tmp_path / "new", "--from", table).exit_code == 0
    data = tmp_path / "new" / "data"
    result = changed(run, data, f"{column}=-")
    assert result.exit_code == 0, result.stderr
    assert column not in (data / "pool.csv").read_text("utf-8").split("\n")[0].split(",")
    assert set(codes(run, data)) == {"C002"}
    assert run("build", cwd=data).exit_code == 0


def test_rows_of_a_divided_term_are_listed_where_a_row_has_one(run, soils):
    result = changed(run, soils, "depth:surface=skin; top")
    assert result.exit_code == 0, result.stderr
    assert "corpus edit" in result.stderr
    terms = [term["id"] for term in declared(soils)["vocabularies"]["depth"]["terms"]]
    assert terms == ["surface", "skin", "top", "shallow", "deep", "rock", "none"]


ROW = ["depth", "surface", "", "Surface", "0 m."]


@pytest.mark.parametrize(
    ("rows", "cell"),
    [
        ([[*ROW[:2], "=1+1", "", ""]], "C2"),
        ([[*ROW[:3], "Sur\u202eface", ""]], "D2"),
        ([ROW, ROW], "B3"),
        ([["depht", "surface", "", "", ""]], "A2"),
        ([["depth", "surfaec", "", "", ""]], "B2"),
    ],
)
def test_a_hostile_cell_is_named_with_its_sheet(run, soils, tmp_path, rows, cell):
    sheet = tmp_path / "terms.xlsx"
    sheet.write_bytes(
        workbook(("Mine", [["column", "term", "new term", "label", "definition"], *rows]))
    )
    result = run("codebook", "--import", sheet, "--yes", cwd=soils)
    assert result.exit_code == 1
    assert f"terms.xlsx:Mine!{cell}" in result.stderr


def test_an_unknown_column_of_the_sheet_is_named(run, soils, tmp_path):
    sheet = tmp_path / "terms.csv"
    sheet.write_text("column,term,new name\ndepth,surface,top\n", "utf-8")
    result = run("codebook", "--import", sheet, cwd=soils)
    assert result.exit_code == 1
    assert "[new name]" in result.stderr
