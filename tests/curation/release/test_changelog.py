"""Where the section of a release goes in a changelog, and what of the file stays."""

import pytest

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.analysis.claims.moved import MovedClaim, Movements
from corpus.analysis.claims.releases import Release
from corpus.curation.changes.changes import CellChange, Changes, RowChange
from corpus.curation.release.version import section_of, with_section
from tests.corpora.full import full

NEW = "## 1.1.0 — 2026-02-03\n\n- New.\n"
OLD = "## 1.0.0 — 2020-01-01\n\n- First.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", NEW),
        ("# Changes\n", f"# Changes\n\n{NEW}"),
        (f"# Changes\n\n{OLD}", f"# Changes\n\n{NEW}\n{OLD}"),
        (
            f"# Changes\n\n## Unreleased\n\n- Fixed.\n\n{OLD}",
            f"# Changes\n\n{NEW}- Fixed.\n\n{OLD}",
        ),
        # What is indented stays so.
        (f"## Unreleased\n\n    make all\n\n{OLD}", f"{NEW}    make all\n\n{OLD}"),
        (f"## [Unreleased] (next)\n- Fixed.\n{OLD}", f"{NEW}- Fixed.\n{OLD}"),
        # A section of a released version is its own, whatever else is in its heading.
        ("## 1.0.0 (unreleased)\n\n- First.\n", f"{NEW}\n## 1.0.0 (unreleased)\n\n- First.\n"),
        (f"{OLD}\n## Unreleased\n", f"{NEW}\n{OLD}\n## Unreleased\n"),
    ],
)
def test_a_section_is_put_on_top_or_takes_the_open_one(before, after):
    assert with_section(before, "1.1.0", "2026-02-03", "- New.\n", {"1.0.0"}) == after


RELEASE = Release("v2", "1.1.0", "2026-02-03", "On *soil*", 1, 2, 3)


def written(rows=(), moved=()):
    changes = Changes(tuple(rows))
    return section_of(
        RELEASE, full(), changes, Movements(RELEASE._replace(id="v1"), tuple(moved), 3)
    )


def row(kind, key="fir", table="sensors", title="Fir", cells=()):
    return RowChange(table, kind, key, "pine" if kind == "renamed" else key, title, tuple(cells))


def test_a_first_release_has_its_sizes_alone():
    line = "- Release v2 of the corpus (On \\*soil\\*): 1 entry, 2 excluded records, 3 claims.\n"
    assert section_of(RELEASE, full(), None, None) == line
    assert "2 entries" in section_of(RELEASE._replace(entries=2), full(), None, None)


def test_entries_are_listed_by_what_happened_to_them():
    cells = [CellChange("depth", "deep", "rock"), CellChange("year", "", "2021")]
    rows = [row("changed", cells=cells), row("renamed"), row("removed"), row("added"), row("added", "elm", title=""), row("added", "x", "uses")]  # fmt: skip
    assert written(rows).splitlines()[1:] == [
        "- Added: `fir`, Fir.",
        "- Added: `elm`.",
        "- Removed: `fir`, Fir.",
        "- New key: `fir`, before `pine`, Fir.",
        "- Changed: `fir`, Fir (depth, year).",
    ]


def test_a_key_that_could_end_its_code_is_escaped():
    assert written([row("added", "a`b*")]).splitlines()[1] == "- Added: a\\`b\\*, Fir."


def claim(tracked, made_in=()):
    return Claim("size", "", "Five.", "", tuple(made_in), (), Expectation("count", 5), tracked)


def test_tracked_claims_that_moved_are_news_and_guards_are_not():
    def moved(of):
        return MovedClaim(ClaimOutcome(of, True, 5), ClaimOutcome(of, False, 6), ("fir",), (), ())

    found = written(
        moved=[moved(claim(False)), moved(claim(True)), moved(claim(True, ["2.1", "abstract"]))]
    )
    assert found.splitlines()[1:] == [
        "- Moved: `size`, 5 in v1, now 6.",
        "- Moved: `size`, 5 in v1, now 6.",
    ]
