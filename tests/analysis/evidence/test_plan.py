"""The section `[evidence]`: what it may name, and each mistake in it."""

import pytest

from corpus.analysis.evidence.tables import ListPlan, MatrixPlan, evidence_plans
from tests.corpora.full import full
from tests.support.declared import declaration_findings


def test_matrices_and_lists_are_read_in_their_order():
    declared = {
        "proofs": {"table": "uses", "rows": "use", "columns": "proof", "lacking": ["field"]},
        "limits": {"table": "uses", "list": ["sensor", "limit"], "title": "Limits"},
    }
    first, second = evidence_plans(full(evidence=declared).codebook)
    assert first.of == MatrixPlan("use", "proof", "", ("field",))
    assert (second.title, second.of) == ("Limits", ListPlan(("sensor", "limit")))


@pytest.mark.parametrize(
    ("declared", "place"),
    [
        ({"table": "usage"}, "table"),
        ({"table": "uses"}, ""),
        ({"table": "uses", "list": ["use"], "rows": "use", "columns": "proof"}, ""),
        ({"table": "uses", "list": ["usage"]}, "list"),
        ({"table": "uses", "rows": "limit", "columns": "proof"}, "rows"),
        ({"table": "uses", "rows": "use", "columns": "use"}, "columns"),
        ({"table": "uses", "rows": "use", "columns": "proof", "cell": "prof"}, "cell"),
        ({"table": "uses", "rows": "use", "columns": "proof", "lacking": ["fild"]}, "lacking"),
        ({"table": "uses", "rows": "use", "columns": "proof", "nota": ""}, "nota"),
        (
            {"table": "uses", "list": ["use"], "also": [{"table": "ranges", "show": "of"}]},
            "also[1].table",
        ),
        ({"table": "uses", "list": ["use"], "counts": "proof"}, "counts"),
        (
            {
                "table": "uses",
                "rows": "use",
                "columns": "proof",
                "cell": "proof",
                "beside": {"table": "range", "columns": "use", "cell": "use"},
            },
            "beside.table",
        ),
        (
            {
                "table": "uses",
                "rows": "use",
                "columns": "proof",
                "cell": "proof",
                "beside": {"table": "uses", "columns": "use", "cell": "us"},
            },
            "beside.cell",
        ),
    ],
)
def test_each_mistake_is_a_finding_of_the_check(declared, place):
    book = full(evidence={"broken": declared}).codebook
    found = declaration_findings(book)
    expected = ".".join(filter(None, ["evidence.broken", place]))
    assert [(finding.code, finding.column) for finding in found] == [("C001", expected)]
