"""What a second reading shows: tags that differ, wrong tags at most, claims that are protected."""

import tomllib
from dataclasses import replace

from corpus.analysis.audit.audit import (
    Audit,
    AuditDifference,
    ClaimProtection,
    FieldBound,
    audit_grids,
    chosen_audits,
    drawn_audit,
)
from corpus.analysis.audit.sheet import draw, most_wrong, parse_sheet
from corpus.analysis.claims.parser import parse_claims
from tests.corpora.full import full, full_of, sensor

STUDY = full()
CLAIMS = """\
format = 1
[[claims]]
id = "some"
statement = "Some lie at the surface."
where = { depth = "surface" }
at_least = 1
[[claims]]
id = "wet"
statement = "Water at the surface."
where = { depth = "surface", senses = "water" }
at_least = 1
[[claims]]
id = "named"
statement = "Five sensors."
count = 5
"""
BOOK, _ = parse_claims(tomllib.loads(CLAIMS), STUDY.codebook)


def sheet(plan, tags, study=STUDY):
    """Fill a sheet; `tags` are depth and senses by key."""
    lines = ["key,title,url,reader,depth,senses,notes\n"]
    for key in plan.keys:
        depth, senses = tags.get(key, ("", ""))
        lines.append(f"{key},,,two,{depth},{senses},\n")
    return parse_sheet("".join(lines).encode(), plan, study, "second.csv")


POOL = {key: (entry.cell("depth"), entry.cell("senses")) for key, entry in STUDY.entries.items()}  # fmt: skip


def audited(tags, plan=None, claims=()):
    plan = plan or draw(STUDY, 5, "peat")
    return drawn_audit(sheet(plan, tags), plan, STUDY, claims)


def fields(found):
    return {field.field: (field.read, field.wrong, field.bound) for field in found.fields}


def test_a_difference_is_wrong_and_the_order_of_terms_is_none():
    found = audited({**POOL, "ada": ("deep", "heat; water")})
    assert found.differences == (("ada", "depth", "surface", "deep"),)
    assert fields(found) == {"depth": (5, ("ada",), 1), "senses": (5, (), 0)}


def test_added_entries_count_for_nothing_but_their_differences():
    plan = draw(STUDY, 1, "peat", by="senses")
    other = plan.added[0]
    depth = "rock" if POOL[other][0] != "rock" else "deep"
    found = audited({**POOL, other: (depth, POOL[other][1])}, plan)
    assert [item.key for item in found.differences] == [other]
    assert fields(found)["depth"] == (1, (), most_wrong(5, 1, 0))
    assert (found.read, found.added) == (1, len(plan.added))


def test_a_chosen_table_has_differences_and_no_bound():
    (found,) = chosen_audits(STUDY, BOOK.claims[:1])
    assert (found.name, found.read, found.added) == ("second", 3, 0)
    assert fields(found) == {"depth": (3, ("bob",), None), "senses": (3, (), None)}
    assert found.differences == (("bob", "depth", "surface", "shallow"),)
    assert [(item.edits, item.bound, item.protected) for item in found.claims] == [(2, None, None)]


def test_every_reader_of_an_entry_counts():
    """One reader finds a wrong tag and the next one does not: it is a difference all the same."""
    rows = [("ada", "one", "deep", "water; heat"), ("ada", "two", "surface", "water; heat")]
    (found,) = chosen_audits(full({"second": rows}), ())
    assert found.differences == (("ada", "depth", "surface", "deep"),)
    assert fields(found) == {"depth": (1, ("ada",), None), "senses": (1, (), None)}
    both = [("ada", "one", "deep", "heat; water"), ("ada", "two", "rock", "water; heat")]
    (found,) = chosen_audits(full({"second": both}), ())
    assert [item.tag for item in found.differences] == ["deep", "rock"]
    assert fields(found)["depth"] == (1, ("ada",), None)
    assert found.read == 1


def test_rows_about_entries_that_are_gone_are_left_out():
    study = full_of(sensor("ada"), rows={"second": [("ada", "two", "deep", ""), ("zoe", "two", "deep", "")]})  # fmt: skip
    (found,) = chosen_audits(study, ())
    assert (found.read, [item.key for item in found.differences]) == (1, ["ada"])


def protection(name, edits, bound):
    return ClaimProtection(name, ("depth", "senses"), edits, bound)


AUDIT = Audit(
    name="second.csv",
    read=3,
    added=1,
    note="No bound yet on senses",
    confidence=0.95,
    fields=(FieldBound("depth", 3, ("ada",), 5, 4), FieldBound("senses", 2, (), 5, None)),
    differences=(
        AuditDifference("ada", "depth", "surface", "deep"),
        AuditDifference("bob", "depth", "deep", "rock"),
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
)


def test_the_columns_have_bounds_or_none_that_is_known():
    columns, differences, _ = audit_grids(AUDIT)
    assert columns.rows == (("depth", "3", "1", "4 of 5"), ("senses", "2", "0", "not known"))
    assert "95%" in columns.note
    assert differences.rows == AUDIT.differences


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
    assert len(audit_grids(replace(AUDIT, differences=(), claims=()))) == 1
