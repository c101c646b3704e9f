"""What a second reading shows: tags that differ, wrong tags at most, claims that are protected."""

import tomllib
from dataclasses import replace

from corpus.analysis.audit.audit import Audit, ClaimProtection, FieldBound, audit_grids, drawn_audit
from corpus.analysis.audit.sheet import draw, parse_sheet
from corpus.analysis.claims.parser import parse_claims
from tests.corpora.full import full

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
    for key in plan.drawn:
        depth, senses = tags.get(key, ("", ""))
        lines.append(f"{key},,,two,{depth},{senses},\n")
    return parse_sheet("".join(lines).encode(), plan, study, "second.csv")


POOL = {key: (entry.cell("depth"), entry.cell("senses")) for key, entry in STUDY.entries.items()}  # fmt: skip


def audited(tags, claims=()):
    plan = draw(STUDY, 5, "peat")
    return drawn_audit(sheet(plan, tags), plan, STUDY, claims)


def fields(found):
    return {field.field: (field.read, field.wrong, field.bound) for field in found.fields}


def test_a_difference_is_wrong_and_the_order_of_terms_is_none():
    found = audited({**POOL, "ada": ("deep", "heat; water")})
    assert found.differences == (("ada", "depth", "surface", "deep"),)
    assert fields(found) == {"depth": (5, ("ada",), 1), "senses": (5, (), 0)}


def protection(name, edits, bound):
    protected = True if edits is None else None if bound is None else edits > bound
    return ClaimProtection(name, ("depth", "senses"), edits, bound, protected)


AUDIT = Audit(
    name="second.csv",
    read=3,
    population=5,
    note="No bound yet on senses",
    fields=(FieldBound("depth", 3, ("ada",), 4), FieldBound("senses", 2, (), None)),
    differences=(("ada", "depth", "surface", "deep"), ("bob", "depth", "deep", "rock")),
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
