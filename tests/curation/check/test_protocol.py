"""The exclusion log against the days of the search and the stages of its criteria."""

import tomllib
from dataclasses import replace
from datetime import date, datetime

import pytest

from corpus.curation.check import protocol as checks
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full
from tests.support.checked import findings_of

DAY = {"name": "day", "type": "date", "role": "date", "required": False, "definition": "Day."}
REASONS = tomllib.loads("""
file = "why.csv"
role = "reasons"
key = ["record"]
columns = [
  { name = "record", type = "ref", references = "dropped", definition = "Record." },
  { name = "rule", type = "key", role = "criterion", definition = "Criterion." },
]
""")


def found(*records, reasons=(), protocol=None):
    """Check a log of records (key, stage, identifier, day), and the criteria of some."""
    data = codebook_data()
    data["tables"]["dropped"]["columns"].append(DAY)
    data["tables"]["why"] = REASONS
    rows = [(key, stage, "A meadow", named, day) for key, stage, named, day in records]
    study = full({"dropped": rows, "why": list(reasons)}, **data)
    sheets = {name: sheet_of(table) for name, table in study.tables.items()}
    if protocol is not None:
        study = replace(study, documents={"protocol": protocol})
    return [
        f"{one.code} {one.file}:{one.line} {one.column} {one.value}"
        for one in findings_of([checks], sheets, study)
    ]


def dated(day, **options):
    return found(("x1", "title", "", day), **options)


@pytest.mark.parametrize(
    "first",
    ["2021-02-02", date(2021, 2, 2), datetime(2021, 2, 2, 8, 30)],
    ids=["text", "date", "time"],
)
@pytest.mark.parametrize(("day", "is_outside"), [("2021-02-02", False), ("2021-02-01", True)])
def test_nothing_is_screened_before_the_first_query(first, day, is_outside):
    """TOML has dates of its own, and dates with a time."""
    protocol = {"protocol": {"first_query": first}}
    assert dated(day, protocol=protocol) == [f"C415 dropped.csv:2 day {day}"] * is_outside


@pytest.mark.parametrize("about", [{}, {"first_query": "2021"}, {"first_query": 7}, "nonsense"])
def test_a_search_without_a_first_day_has_no_bound(about):
    assert dated("1999-01-01", protocol={"protocol": about}) == []


@pytest.mark.parametrize(("day", "is_outside"), [("2021-01-31", True), ("2021-02-01", False)])
def test_no_preprint_is_screened_before_the_month_of_its_identifier(day, is_outside):
    places = found(("x1", "title", "arXiv:2102.00007", day))
    assert places == [f"C415 dropped.csv:2 day {day}"] * is_outside


CRITERIA = {
    "exclusion": [
        {"id": "E1", "stages": ["text"]},
        {"id": "E2"},
        {"id": "E3", "stages": ["title", "text"]},
        "x",
    ]
}


@pytest.mark.parametrize(
    ("stage", "criterion", "is_wrong"),
    [
        ("title", "E1", True),
        ("text", "E1", False),
        ("title", "E2", False),
        ("title", "E3", False),
        ("title", "E9", False),
    ],
)
def test_a_criterion_decides_at_its_stages(stage, criterion, is_wrong):
    places = found(("x1", stage, "", ""), reasons=[("x1", criterion)], protocol=CRITERIA)
    assert places == [f"C416 why.csv:2 rule {criterion}"] * is_wrong


def test_the_stage_of_a_reason_is_that_of_its_record():
    records = [("x1", "text", "", ""), ("x2", "title", "", "")]
    reasons = [("x1", "E1"), ("x2", "E1"), ("x7", "E1")]
    assert found(*records, reasons=reasons, protocol=CRITERIA) == ["C416 why.csv:3 rule E1"]


@pytest.mark.parametrize(
    "protocol", [None, {}, {"exclusion": "E1"}, {"exclusion": [{"id": "E1", "stages": "text"}]}]
)
def test_without_declared_stages_every_one_is_right(protocol):
    assert found(("x1", "title", "", ""), reasons=[("x1", "E1")], protocol=protocol) == []
