"""`corpus audit`: a sheet of drawn evidence rows, and what those that were checked show."""

import csv
import json

from corpus.tables.location import shipped_data


def test_a_sheet_of_evidence_rows_is_never_replaced(run, tmp_path):
    arguments = (
        "audit",
        "plan",
        "--size",
        2,
        "-o",
        tmp_path / "rows.csv",
        "--data",
        shipped_data(),
    )
    assert run(*arguments).exit_code == 0
    text = (tmp_path / "rows.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["verdict"], row["quotation"]) for row in rows] == [("", "")] * 2
    assert run(*arguments).exit_code == 2
    assert (tmp_path / "rows.csv").read_text("utf-8") == text


def test_the_report_has_every_draw_with_its_bound(run):
    found = run("audit", "report", "--format", "json", "--data", shipped_data())
    draws = json.loads(found.stdout)["evidence_rows"]
    assert draws
    assert all(0 <= draw["bound"] <= draw["population"] for draw in draws)
