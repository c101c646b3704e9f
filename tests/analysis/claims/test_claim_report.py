"""Claims in print: how many hold, what was observed of the others, and how far each is from that."""

import json
from dataclasses import replace

import pytest

from corpus.analysis.claims.claim import ClaimDifference
from corpus.analysis.claims.claim_report import (
    claim_report,
    claims_grid,
    claims_json,
    claims_markdown,
    details_text,
    summary,
)
from corpus.analysis.claims.evaluate import load_claims
from tests.corpora.full import full
from tests.corpora.making import with_claims

CLAIMS = """\
format = 1
[[claims]]
id = "size"
source_id = "C01"
statement = "Five sensors are known."
boundary = "Known here."
made_in = ["abstract", "table 1"]
count = 5
[[claims]]
id = "surface"
statement = "One lies at the surface."
where = { depth = "surface" }
keys = ["ada"]
[[claims]]
id = "grown"
statement = "Four sense water."
tracked = true
where = { senses = "water" }
count = 4
[[claims]]
id = "axes"
statement = "Eleven columns."
columns = 11
[[claims]]
id = "reach"
statement = "Nothing reaches twice as far."
of = [{ table = "ranges" }, { table = "ranges", where = { range = "none" } }]
value_of = "value"
ratio = 2.0
[[unchecked]]
id = "best"
statement = "They are the best."
reason = "No table decides it."
"""


@pytest.fixture(scope="module")
def report():
    made = with_claims(full(), CLAIMS)
    book = load_claims(made)
    accepted = replace(book.claims[4], accepted=(ClaimDifference("other", "nan"),), reason="known")
    book = replace(book, claims=(*book.claims[:4], accepted))
    return claim_report(made, book)


def test_the_summary_counts_each_verdict(report):
    assert summary(report) == (
        "2 of 5 claims hold, 1 state other numbers (tracked), 1 fail as acknowledged, "
        "1 fail: surface."
    )
    assert [found.outcome.verdict for found in report.claims] == ["holds", "fails", "moved", "holds", "acknowledged"]  # fmt: skip


def test_the_table_shows_keys_that_differ_and_what_else_was_expected(report):
    assert claims_grid(report).rows == (
        ("size", "holds", "5"),
        ("surface", "fails", "extra: bob"),
        ("grown", "moved", "3 (expected 4)"),
        ("axes", "holds", "11"),
        ("reach", "acknowledged", "nan (expected 2.0)"),
    )


def test_the_details_have_every_fact_that_is_known(report):
    first, surface, *_ = details_text(report).split("\n\n")
    assert first.splitlines() == [
        "size (C01): holds",
        "  Five sensors are known.",
        "  kind:         guard",
        "  expected:     5",
        "  observed:     5",
        "  sentence:     Five as expected",
        "  margin:       1",
        "  broken by:    remove row ada from sensors",
        "  made in:      abstract, table 1",
        "  boundary:     Known here.",
    ]
    assert "  difference:   extra: bob" in surface.splitlines()
    assert "  acknowledged: known" in details_text(report)
    assert "  margin:       none" in details_text(report)


def test_json_has_numbers_keys_and_no_value_that_json_lacks(report):
    document = json.loads(claims_json(report))
    claims = {claim["id"]: claim for claim in document["claims"]}
    assert claims["surface"]["difference"] == "extra: bob"
    assert (claims["surface"]["keys"], claims["surface"]["margin"]) == (["ada", "bob"], 0)
    assert (claims["reach"]["observed"], claims["reach"]["result"]) == ("nan", "acknowledged")
    assert (claims["axes"]["margin"], claims["axes"]["broken_by"]) == (None, "")
    assert [item["id"] for item in document["unchecked"]] == ["best"]


def test_the_whole_report_has_boundaries_and_what_no_table_decides(report):
    text = claims_markdown(report)
    assert "| size | abstract, table 1 | Known here. | remove row ada from sensors |" in text
    assert "| best | They are the best. | No table decides it. |" in text
