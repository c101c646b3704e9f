from pathlib import Path

import pytest

from corpus.publishing.outputs.build import orphans, stale_findings
from corpus.publishing.outputs.catalogue import outputs_of
from tests.support.built import codes, sources


def test_a_file_edited_by_hand_is_named_alone(built):
    report = built / "reports" / "statistics.md"
    report.write_text(report.read_text().replace("| optical | 1 |", "| optical | 2 |"))
    [finding] = stale_findings(sources(built / "data"), str(built))
    assert (finding.code, Path(finding.file).name) == ("B102", "statistics.md")


def test_missing_and_orphaned_files_are_named(built):
    (built / "reports" / "papers.md").unlink()
    (built / "figures").mkdir(exist_ok=True)
    (built / "figures" / "old.svg").write_text("<svg/>")
    (built / "figures" / "README.md").write_text("kept")
    assert codes(stale_findings(sources(built / "data"), str(built))) == [
        ("B101", "papers.md"),
        ("B103", "old.svg"),
    ]
    assert [
        finding.code for finding in orphans(outputs_of(sources(built / "data")), str(built))
    ] == ["B103"]


def test_hidden_files_and_folders_are_nobodys_business(built):
    """An editor or a notebook leaves them; others in folders below are found in order."""
    for path in ("b/x.md", "a/y.md", "a/z/README.md", ".cache/x.md", "a/.cache/d/x.md", ".x.md"):
        file = built / "reports" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    assert codes(orphans(outputs_of(sources(built / "data")), str(built))) == [
        ("B103", "y.md"),
        ("B103", "x.md"),
    ]


@pytest.mark.parametrize(("old", "new"), [(b"\n", b"\r\n"), (b"# Soil", b"\xff# Soil")])
def test_a_report_is_compared_by_its_bytes(built, old, new):
    report = built / "reports" / "appendix.md"
    content = report.read_bytes()
    assert old in content
    report.write_bytes(content.replace(old, new, 1))
    [finding] = stale_findings(sources(built / "data"), str(built))
    assert finding.code == "B102"
