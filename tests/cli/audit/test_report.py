"""`corpus audit report`: a drawn sheet, filled in by a second reader, honestly or not."""

from pathlib import Path

import pytest

from tests.support.audited import POOL, codes, fill, report, rows_of, run, write


def test_a_reader_who_agrees_gives_a_bound(sheet):
    fill(sheet)
    found = report(sheet)
    assert [field["wrong"] for field in found["fields"]] == [[], []]
    assert all(0 < field["bound"] < len(POOL) for field in found["fields"])


def test_a_drawn_entry_that_was_not_read_leaves_no_bound(sheet):
    fill(sheet, senses="")
    depth, senses = report(sheet)["fields"]
    assert senses["bound"] is None
    assert depth["bound"] is not None


def test_tags_that_changed_since_the_draw_leave_no_bound(data, sheet):
    fill(sheet)
    text = (data / "sensors.csv").read_text("utf-8")
    (data / "sensors.csv").write_text(text.replace(",deep,", ",shallow,"), "utf-8")
    assert {field["bound"] for field in report(sheet)["fields"]} == {None}


def drop_a_row(sheet):
    write(sheet, rows_of(sheet)[1:])


def repeat_a_row(sheet):
    rows = rows_of(sheet)
    write(sheet, [*rows, rows[0]])


def choose_another_entry(sheet):
    rows = rows_of(sheet)
    rows[0]["key"] = next(iter(POOL.keys() - {row["key"] for row in rows}))
    write(sheet, rows)


@pytest.mark.parametrize(
    ("damage", "code"),
    [(drop_a_row, "A102"), (repeat_a_row, "A102"), (choose_another_entry, "A102")],
)
def test_a_sheet_that_is_not_as_drawn_is_refused(sheet, damage, code):
    fill(sheet)
    damage(sheet)
    assert codes(sheet) == {code}


def test_a_term_that_the_codebook_does_not_have_is_located(sheet):
    fill(sheet, senses="bogus")
    printed = run("report", sheet, code=1).stderr
    assert "C202" in printed
    assert "second.csv:2" in printed


def test_without_its_plan_a_sheet_is_refused(sheet):
    Path(f"{sheet}.plan.json").unlink()
    run("report", sheet, code=2)


@pytest.mark.parametrize("arguments", [(), ("no-such.csv",)])
def test_wrong_arguments_are_refused(data, arguments):
    """The made-up corpus has drawn no evidence rows."""
    run("report", *arguments, code=2)


@pytest.mark.parametrize(
    ("format_", "first", "row"),
    [("text", "Columns", "depth      3      1  not known"), ("markdown", "## Columns", "| depth | 3 | 1 | not known |")],
)  # fmt: skip
def test_people_see_the_columns_and_a_summary(data, sheet, format_, first, row):
    fill(sheet)
    rows = rows_of(sheet)
    rows[0]["depth"] = "rock"
    write(sheet, rows)
    text = (data / "sensors.csv").read_text("utf-8")
    (data / "sensors.csv").write_text(text.replace(",deep,", ",shallow,", 1), "utf-8")
    lines = run("report", sheet, "--format", format_).stdout.splitlines()
    assert lines[0] == first
    assert any("entries read again: 3" in line for line in lines)
