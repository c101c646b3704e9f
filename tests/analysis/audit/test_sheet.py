"""A sheet shows works and no tags, and every wrong cell of a filled one is located."""

import pytest

from corpus.analysis.audit.sheet import draw, parse_sheet, quote_findings, sheet_text
from corpus.model.finding import CorpusError
from tests.corpora.full import ROWS, full, full_of, sensor

STUDY = full()
PLAN = draw(STUDY, 5, "peat")
QUOTED = draw(STUDY, 5, "peat", columns=["depth"], quotes=True)
HEAD = "key,title,url,reader,depth,senses,settled,notes\n"


def filled(*rows, plan=PLAN, head=HEAD):
    """Read a sheet whose first rows are given; the others are as they were handed out."""
    lines = sheet_text(plan, STUDY).splitlines(keepends=True)
    assert lines[0] == head
    lines[1 : len(rows) + 1] = [row + "\n" for row in rows]
    return parse_sheet("".join(lines).encode(), plan, STUDY, "second.csv")


def mistakes(*rows, plan=PLAN, head=HEAD):
    with pytest.raises(CorpusError) as raised:
        filled(*rows, plan=plan, head=head)
    return [(found.code, found.line, found.column) for found in raised.value.findings]


def test_a_title_is_no_formula_to_a_spreadsheet():
    study = full_of(sensor("fen", name="=1+1"))
    assert sheet_text(draw(study, 1, ""), study).splitlines()[1] == "fen,'=1+1,,,,,,"


def test_a_filled_sheet_is_read_and_an_empty_tag_was_not_read_yet():
    table = filled("ada,,,Moor,surface,heat; water,depth,", "bob,,,Moor,,,,")
    assert table.column("depth") == ["surface", "", "", "", ""]
    assert table.column("settled") == ["depth", "", "", "", ""]
    assert (table.file, table.lines) == ("second.csv", [2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("ada,,,,surfase,,,", [("C202", 2, "depth")]),
        ("ada,,,,surface,water; water,,", [("C219", 2, "senses")]),
        ("ada,,,,,,depth; sense,", [("A106", 2, "settled")]),
        ("zoe,,,,,,,", [("A102", 0, "key"), ("A102", 2, "key")]),
        ("bob,,,,,,,", [("A102", 0, "key"), ("A102", 3, "key")]),
    ],
)
def test_each_mistake_is_located(row, found):
    assert mistakes(row) == found


def test_every_mistake_is_reported_at_once():
    found = mistakes("ada,,,,surfase,,sense,", "bob,,,,deep,wter,,")
    assert found == [("C202", 2, "depth"), ("A106", 2, "settled"), ("C202", 3, "senses")]


def test_a_tag_needs_its_quotation_where_the_plan_asks_for_one():
    head = "key,title,url,reader,depth,depth_quote,settled,notes\n"
    assert mistakes("ada,,,,surface, ,,", plan=QUOTED, head=head) == [("A103", 2, "depth_quote")]
    table = filled("ada,,,,surface,above ground,,", plan=QUOTED, head=head)
    assert table.column("depth_quote")[0] == "above ground"


@pytest.mark.parametrize(
    ("quote", "text", "codes"),
    [
        ("above the ground", "It lies above\n the\tground.", []),
        ("e\u0301t\u00e9", "en \u00e9te\u0301 sec", []),
        ("Above", "above", ["A104"]),
        ("above the ground", "above ground", ["A104"]),
        ("above", None, ["A105"]),
        ("", None, []),
    ],
)
def test_a_quotation_is_in_the_text_word_for_word(quote, text, codes):
    head = "key,title,url,reader,depth,depth_quote,settled,notes\n"
    row = f'ada,,,,,"{quote}",,'
    table = filled(row, plan=QUOTED, head=head)
    asked = []

    def text_of(file):
        asked.append(file)
        return text

    found = list(quote_findings(table, QUOTED, text_of))
    assert [(finding.code, finding.line) for finding in found] == [(code, 2) for code in codes]
    # A text is asked for only where something is quoted from it.
    assert asked == (["ada.txt"] if quote else [])


def test_rows_may_be_in_any_order():
    lines = sheet_text(PLAN, STUDY).splitlines(keepends=True)
    table = parse_sheet("".join([lines[0], *lines[:0:-1]]).encode(), PLAN, STUDY, "s.csv")
    assert table.column("key") == sorted((row[0] for row in ROWS["sensors"]), reverse=True)


def test_a_sheet_that_a_spreadsheet_saved_is_read():
    text = sheet_text(PLAN, STUDY).replace("\n", "\r\n")
    table = parse_sheet(b"\xef\xbb\xbf" + text.encode(), PLAN, STUDY, "second.csv")
    assert len(table.rows) == 5
