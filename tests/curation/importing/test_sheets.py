"""A workbook becomes pool and log: each row of each used sheet is counted once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.curation.importing.decisions import parse_excluded_from
from corpus.curation.importing.foreign_file import LOG_COLUMNS, ForeignFile, best_sheet, sheet_looks
from corpus.curation.importing.readers.excel import read_workbook
from corpus.model.finding import UsageProblem
from tests.support.imported import workbook

CODED = [
    ["Title", "Authors", "Year", "Task", "DOI"],
    ["Clay probes in the deep", "Loam, A.", 2019, "probing", None],
    ["Fen light at dusk and dawn", "Moor, B.", 2020, "sensing", None],
    ["Heat of till in winter", "Stein, C.", 2021, "probing", "10.1234/t.3"],
]
SCREENED = [
    ["Title", "Authors", "Year", "DOI", "I/E", "Why"],
    ["Clay probes in the deep", "Loam, A.", 2019, "10.1234/t.1", "I", None],
    ["Salt by resistance in rain", "Ried, D.", 2018, "10.1234/t.4", "E", "off topic"],
    ["Salt by Resistance in Rain", "Ried, D.", 2018, "10.1234/t.4", "E", "off topic"],
    ["Heat of till, in winter", "Stein, C.", 2021, "10.1234/t.3", "E", "no data"],
    ["Stakes of spruce and fir", "Acker, E.", 2022, "10.1234/t.6", "I", None],
]
HITS = [
    ["Title", "DOI", "Cited by"],
    *([f"Another soil {n}", f"10.1234/h.{n}", n] for n in range(9)),
]
SHEETS = (("Hits", HITS), ("Pool", CODED), ("Screening", SCREENED), ("About", [["Read me"], ["x"]]))


def read(*sheets, pool="Pool"):
    return read_workbook(workbook(*sheets), "review.xlsx", pool)


def imported(records, *wishes, reason=""):
    file = ForeignFile(records, sheets=parse_excluded_from(wishes, reason))
    tables = file.tables("review.xlsx")
    return file, tables, file.summaries(tables)


def test_sheets_are_told_apart_and_the_coded_one_is_the_pool():
    records = read(*SHEETS)
    looks = {name: (rows, look) for name, rows, look in sheet_looks(records)}
    assert looks["Pool"] == ("3", "works, 1 column of codes")
    assert looks["Screening"] == ("5", "screened: 3 excluded (I/E=E)")
    assert looks["Hits"][1].startswith("works, 0")
    assert "works," not in looks["About"][1]
    assert best_sheet(records) == "Pool"


def test_excluded_rows_of_another_sheet_are_the_log_and_the_books_close():
    file, tables, summaries = imported(read(*SHEETS), "Screening:I/E=E", reason="Why")
    (row,) = [dict(zip(LOG_COLUMNS, row, strict=True)) for row in tables.log]
    assert (row["title"], row["reason"]) == ("Salt by resistance in rain", "off topic")
    assert row["source"] == "review.xlsx: Screening"
    outcomes = [{why: n for why, n in summary.outcomes.items() if n} for summary in summaries]
    assert outcomes == [
        {"in rows": 3},
        {
            "in rows": 1,
            "one work with an earlier row": 1,
            "excluded yet in the pool": 1,
            "in the pool": 1,
            "neither excluded nor in the pool": 1,
        },
    ]
    places = [(finding.code, finding.file) for finding in file.records.findings]
    assert places == [("I122", f"review.xlsx:Screening!A{line}") for line in (5, 6)]
    assert len([pair for pair in tables.joined if pair.judged.verdict == "same"]) == 2


@pytest.mark.parametrize("name", ["Reason", "Exclusion reasons", "reason_for_exclusion"])
def test_a_column_that_is_called_like_reasons_tells_them(name):
    screened = [["Title", "I/E", name], ["Salt by resistance in rain", "E", "off topic"]]
    _, tables, _ = imported(read(("Pool", CODED), ("S", screened)), "S:I/E=E")
    assert [row[LOG_COLUMNS.index("reason")] for row in tables.log] == ["off topic"]


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("IE")), min_size=1))
def test_each_row_of_a_screened_sheet_has_one_outcome(rows):
    titles = [row[0] for row in CODED[1:]] + [row[0] for row in SCREENED[2:]]
    sheet = [["Title", "I/E"], ["Rain gauges of old", "E"]]
    sheet += [[titles[number], decision] for number, decision in rows]
    _, tables, summaries = imported(read(("Pool", CODED), ("S", sheet)), "S:I/E=E")
    assert summaries[1].unmatched == 0
    assert sum(summaries[1].outcomes.values()) == len(sheet) - 1
    assert summaries[1].outcomes["in rows"] == len(tables.log)


def test_a_sheet_of_excluded_records_alone():
    _, tables, _ = imported(read(("Pool", CODED), ("Out", HITS)), "Out")
    assert len(tables.log) == 9


@pytest.mark.parametrize(
    "wish", ["Nowhere:I/E=E", "Pool:Task=probing", "Screening:No=E", "Screening:I/E"]
)
def test_a_sheet_or_column_that_is_not_there_is_wrong_usage(wish):
    with pytest.raises(UsageProblem):
        imported(read(*SHEETS), wish)


def test_findings_name_sheet_and_cell():
    rows = [*CODED, ["#REF!", "Moor, B.", 2020, "x", None]]
    records = read(("Pool", rows))
    assert [(f.file, f.line) for f in records.findings] == [("review.xlsx:Pool!A5", 0)]
