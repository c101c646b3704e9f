"""The exclusion log against the stages of its criteria."""

import tomllib
from dataclasses import replace

import pytest

from corpus.curation.check import protocol as checks
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full
from tests.support.checked import findings_of

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
    """Check a log of records (key, stage), and the criteria of some."""
    data = codebook_data()
    data["tables"]["why"] = REASONS
    rows = [(key, stage, "A meadow", "") for key, stage in records]
    study = full({"dropped": rows, "why": list(reasons)}, **data)
    sheets = {name: sheet_of(table) for name, table in study.tables.items()}
    if protocol is not None:
        study = replace(study, documents={"protocol": protocol})
    return [
        f"{one.code} {one.file}:{one.line} {one.column} {one.value}"
        for one in findings_of([checks], sheets, study)
    ]


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
    places = found(("x1", stage), reasons=[("x1", criterion)], protocol=CRITERIA)
    assert places == [f"C416 why.csv:2 rule {criterion}"] * is_wrong


def test_the_stage_of_a_reason_is_that_of_its_record():
    records = [("x1", "text"), ("x2", "title")]
    reasons = [("x1", "E1"), ("x2", "E1"), ("x7", "E1")]
    assert found(*records, reasons=reasons, protocol=CRITERIA) == ["C416 why.csv:3 rule E1"]


@pytest.mark.parametrize(
    "protocol", [None, {}, {"exclusion": "E1"}, {"exclusion": [{"id": "E1", "stages": "text"}]}]
)
def test_without_declared_stages_every_one_is_right(protocol):
    assert found(("x1", "title"), reasons=[("x1", "E1")], protocol=protocol) == []
