"""Where the section of a release goes in a changelog, and what of the file stays."""

import pytest

from corpus.curation.release.changelog import with_section

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
        (f"## [Unreleased] (next)\n- Fixed.\n{OLD}", f"{NEW}- Fixed.\n{OLD}"),
        # A section of a released version is its own, whatever else is in its heading.
        ("## 1.0.0 (unreleased)\n\n- First.\n", f"{NEW}\n## 1.0.0 (unreleased)\n\n- First.\n"),
        (f"{OLD}\n## Unreleased\n", f"{NEW}\n{OLD}\n## Unreleased\n"),
    ],
)
def test_a_section_is_put_on_top_or_takes_the_open_one(before, after):
    assert with_section(before, "1.1.0", "2026-02-03", "- New.\n", {"1.0.0"}) == after
