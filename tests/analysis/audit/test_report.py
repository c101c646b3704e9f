"""An audit in print: what is known and what is not."""

import json

from corpus.analysis.audit.audit import (
    Audit,
    AuditDifference,
    ClaimProtection,
    FieldBound,
    audit_grids,
    audit_summary,
    audits_json,
)
from corpus.analysis.claims.claim import Claim, Expectation


def protection(name, edits, bound):
    claim = Claim(name, "", "", "", (), (), Expectation("count", 1))
    return ClaimProtection(claim, ("depth", "senses"), edits, bound)


AUDIT = Audit(
    name="second.csv",
    read=3,
    added=1,
    fields=(FieldBound("depth", 3, ("ada",), 5, 4), FieldBound("senses", 2, (), 5, None)),
    differences=(
        AuditDifference("ada", "depth", "surface", "deep", False),
        AuditDifference("bob", "depth", "deep", "rock", True),
    ),
    claims=(
        protection("many", 9, 4),
        protection("few", 3, 4),
        protection("unknown", 3, None),
        protection("safe", None, None),
        protection("exact", 1, 4),
        protection("exact-too", 1, None),
        protection("single", 1, 0),
    ),
    note="No bound yet on senses",
)


def test_the_columns_have_bounds_or_none_that_is_known():
    columns, differences, _ = audit_grids(AUDIT)
    assert columns.rows == (("depth", "3", "1", "4 of 5"), ("senses", "2", "0", "not known"))
    assert "95%" in columns.note
    assert differences.rows == (
        ("ada", "depth", "surface", "deep", ""),
        ("bob", "depth", "deep", "rock", "yes"),
    )


def test_claims_that_one_wrong_tag_can_break_are_counted_and_not_listed():
    claims = audit_grids(AUDIT)[2]
    columns = "depth, senses"
    assert claims.rows == (
        ("many", "9", "4", "yes", columns),
        ("few", "3", "4", "no", columns),
        ("unknown", "3", "not known", "not known", columns),
        ("safe", "none can", "not known", "yes", columns),
        ("single", "1", "0", "yes", columns),
    )
    assert "2 claims" in claims.note


def test_what_is_empty_has_no_table():
    assert len(audit_grids(AUDIT._replace(differences=(), claims=()))) == 1


def test_the_summary_counts_what_was_read_and_tells_why_no_bound_follows():
    assert audit_summary(AUDIT) == (
        "second.csv: entries read again: 3, and 1 added for rare terms; tags that differ: 2. "
        "No bound yet on senses."
    )
    plain = AUDIT._replace(added=0, note="", differences=())
    assert audit_summary(plain) == "second.csv: entries read again: 3; tags that differ: 0."


def test_json_has_null_where_no_bound_follows():
    (document,) = json.loads(audits_json([AUDIT]))["audits"]
    assert (document["read"], document["added"], document["confidence"]) == (3, 1, 0.95)
    assert document["fields"] == [
        {"field": "depth", "read": 3, "wrong": ["ada"], "population": 5, "bound": 4},
        {"field": "senses", "read": 2, "wrong": [], "population": 5, "bound": None},
    ]
    assert document["differences"][1] == {
        "key": "bob", "field": "depth", "pool": "deep", "tag": "rock", "settled": True,
    }  # fmt: skip
    shown = {item["id"]: (item["edits"], item["bound"], item["protected"]) for item in document["claims"]}  # fmt: skip
    assert shown["unknown"] == (3, None, None)
    assert shown["safe"] == (None, None, True)
    assert shown["few"] == (3, 4, False)
