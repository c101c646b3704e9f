from pathlib import Path

import pytest

from corpus.publishing.outputs.build import build, orphans, stale_findings
from corpus.publishing.outputs.catalogue import outputs_of
from tests.support.built import codes, edit, sources

pytestmark = pytest.mark.usefixtures("without_latex", "without_figures")


def test_an_edited_cell_makes_stale_what_prints_it(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    edit(minimal, "sensors.csv", "Light in the fen", "Light in the bog")
    found = stale_findings(sources(minimal), str(root))
    assert {code for code, _ in codes(found)} == {"B102"}
    by_name = {Path(finding.file).name: finding for finding in found}
    assert "Light in the fen" in by_name["papers.md"].value
    assert by_name["papers.md"].line == 15
    assert "manifest.json" in by_name


def test_a_file_edited_by_hand_is_named_alone(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    report = root / "reports" / "statistics.md"
    report.write_text(report.read_text().replace("| optical | 1 |", "| optical | 2 |"))
    [finding] = stale_findings(sources(minimal), str(root))
    assert (finding.code, Path(finding.file).name, finding.value) == (
        "B102",
        "statistics.md",
        "| optical | 2 | 50% |",
    )


def test_missing_and_orphaned_files_are_named(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    (root / "reports" / "papers.md").unlink()
    (root / "figures").mkdir(exist_ok=True)
    (root / "figures" / "old.svg").write_text("<svg/>")
    (root / "figures" / "README.md").write_text("kept")
    assert codes(stale_findings(sources(minimal), str(root))) == [
        ("B101", "papers.md"),
        ("B103", "old.svg"),
    ]
    assert [finding.code for finding in orphans(outputs_of(sources(minimal)), str(root))] == [
        "B103"
    ]


def test_hidden_files_and_folders_are_nobodys_business(minimal):
    """An editor or a notebook leaves them; others in folders below are found in order."""
    root = minimal.parent
    build(sources(minimal), str(root))
    for path in ("b/x.md", "a/y.md", "a/z/README.md", ".cache/x.md", "a/.cache/d/x.md", ".x.md"):
        file = root / "reports" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    assert codes(orphans(outputs_of(sources(minimal)), str(root))) == [
        ("B103", "y.md"),
        ("B103", "x.md"),
    ]


@pytest.mark.parametrize(("old", "new", "line", "value"), [
    (b"\n", b"\r\n", 1, None),
    (b"# Soil sensors", b"\xff# Soil sensors", 2, "\N{REPLACEMENT CHARACTER}# Soil sensors"),
])  # fmt: skip
def test_a_report_is_compared_by_its_bytes(minimal, old, new, line, value):
    root = minimal.parent
    build(sources(minimal), str(root))
    report = root / "reports" / "appendix.md"
    content = report.read_bytes()
    assert old in content
    report.write_bytes(content.replace(old, new, 1))
    [finding] = stale_findings(sources(minimal), str(root))
    assert (finding.code, finding.line) == ("B102", line)
    if value:
        assert finding.value == value
