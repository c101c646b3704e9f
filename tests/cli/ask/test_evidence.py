"""`corpus evidence`: every declared table in every format, hostile cells as text."""

import csv
import io
import json

from tests.conftest import REAL

EVIDENCE = """
[evidence.by_stage]
table = "rejected"
rows = "nr"
columns = "stage"
cell = "label"

[evidence.labels]
table = "rejected"
list = ["nr", "label", "stage"]
"""
HOSTILE = '"<script>alert(1)</script> \\input{x} | =1+1"'


def declared(minimal):
    """Declare two evidence tables about the log; one of its records has a hostile title."""
    book = minimal / "codebook.toml"
    book.write_text(book.read_text("utf-8") + EVIDENCE, encoding="utf-8")
    log = minimal / "rejected.csv"
    head, first, *others = log.read_text("utf-8").splitlines()
    cells = next(csv.reader([first]))
    changed = ",".join([cells[0], cells[1], HOSTILE, cells[3], cells[4]])
    log.write_text("\n".join([head, changed, *others]) + "\n", encoding="utf-8")
    return minimal


def test_named_tables_alone_or_all_of_them(run, minimal):
    data = declared(minimal)
    every = json.loads(run("evidence", "--format", "json", "--data", data).output)
    assert [table["name"] for table in every] == ["by_stage", "labels"]
    one = json.loads(run("evidence", "labels", "--format", "json", "--data", data).output)
    assert one == every[1:]


def test_unknown_and_undeclared_tables_are_wrong_usage(run, minimal):
    assert run("evidence", "--data", minimal).exit_code == 2
    assert run("evidence", "label", "--data", declared(minimal)).exit_code == 2


def test_hostile_cells_stay_text_in_every_format(run, minimal):
    data = declared(minimal)
    markdown = run("evidence", "labels", "--format", "markdown", "--data", data).output
    assert "&lt;script&gt;" in markdown
    assert "<script" not in markdown
    latex = run("evidence", "labels", "--format", "latex", "--data", data).output
    assert "\\input{" not in latex
    html = run("render-appendix", "--part", "evidence", "--format", "html", "--data", data).output
    assert "<script" not in html
    sheet = run("evidence", "labels", "--format", "csv", "--data", data).output
    rows = list(csv.reader(io.StringIO(sheet)))
    assert rows[1][1].endswith("=1+1")


def test_the_shipped_tables_tell_what_no_benchmark_measures(run):
    found = json.loads(
        run("evidence", "measures_counts", "--format", "json", "--data", REAL).output
    )
    assert any("parallelism" in note for note in found[0]["notes"])
