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


def test_the_audit_table_of_the_corpus_was_not_drawn(data):
    found = report()
    assert found["name"] == "second"
    assert {field["bound"] for field in found["fields"]} == {None}
    assert not any(claim["protected"] for claim in found["claims"] if claim["edits"] is not None)


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


@pytest.fixture
def quoted(data):
    run("plan", "--size", 2, "--column", "senses", "--quotes", "-o", "q.csv")
    texts = Path("texts")
    texts.mkdir()
    rows = rows_of(Path("q.csv"))
    for row in rows:
        row["senses"] = POOL[row["key"]]["senses"]
        row["senses_quote"] = "a sensor of this kind"
        (texts / f"{row['key']}.txt").write_text("It is\n  a sensor\tof this\nkind.", "utf-8")
    write(Path("q.csv"), rows)
    return rows


def test_quotations_are_checked_word_for_word(quoted):
    run("report", "q.csv", "--quotes", "texts")
    for other in ("a sensor of that kind", "a sensor of this ｋind"):
        quoted[0]["senses_quote"] = other
        write(Path("q.csv"), quoted)
        assert codes("q.csv", "--quotes", "texts") == {"A104"}


def test_without_its_plan_a_sheet_is_refused(sheet):
    Path(f"{sheet}.plan.json").unlink()
    run("report", sheet, code=2)


@pytest.mark.parametrize("arguments", [("--quotes", "."), ("no-such.csv",)])
def test_wrong_arguments_are_refused(data, arguments):
    run("report", *arguments, code=2)


@pytest.fixture
def two_tables(data):
    """A second audit table, like the first."""
    book = data / "codebook.toml"
    text = book.read_text("utf-8")
    start = text.index("[tables.second]")
    section = text[start : text.index("[tables.dropped]")]
    third = section.replace("[tables.second]", "[tables.third]").replace("second.csv", "third.csv")
    book.write_text(text.replace("[tables.dropped]", f"{third}[tables.dropped]"), "utf-8")
    (data / "third.csv").write_bytes((data / "second.csv").read_bytes())


@pytest.mark.parametrize(
    ("format_", "first", "row"),
    [("text", "Columns", "depth      3      1  not known"), ("markdown", "## Columns", "| depth | 3 | 1 | not known |")],
)  # fmt: skip
def test_people_see_the_columns_and_a_summary_of_each_table(two_tables, format_, first, row):
    lines = run("report", "--format", format_).stdout.splitlines()
    assert lines[0] == first
    assert lines.count(row) == 2
    summaries = [line.partition(":")[0] for line in lines if "entries read again: 3" in line]
    assert summaries == ["second", "third"]
    # An empty line is between the tables, and nothing else.
    after = next(place for place, line in enumerate(lines) if line.startswith("second: "))
    assert lines[after + 1 : after + 3] == ["", first]


def test_a_corpus_without_an_audit_table_has_nothing_to_report(data):
    book = data / "codebook.toml"
    book.write_text(book.read_text("utf-8").replace('role = "audit"\n', ""), "utf-8")
    run("report", code=2)


def test_quotations_of_a_sheet_that_asked_for_none_cannot_be_checked(sheet):
    fill(sheet)
    Path("texts").mkdir()
    run("report", sheet, "--quotes", "texts", code=2)


def test_a_text_that_is_not_utf_8_is_a_missing_one(quoted):
    Path("texts", f"{quoted[0]['key']}.txt").write_bytes(b"\xff")
    assert codes("q.csv", "--quotes", "texts") == {"A105"}
