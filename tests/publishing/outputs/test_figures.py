import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.canvas.style import PINNED
from corpus.cli.main import main
from corpus.publishing.outputs.build import MANIFEST, build, stale_findings
from corpus.publishing.outputs.catalogue import KEPT
from corpus.tables.corpus_reader import load_corpus

ROOT = Path(__file__).parents[3]

FIGURES = '\n[figures.shares]\nkind = "bars"\naxis = "signal"\ntitle = "Signals"\n'


pytestmark = pytest.mark.usefixtures("without_latex")


@pytest.fixture
def root(minimal):
    codebook = minimal / "codebook.toml"
    axis = next(column.name for column in load_corpus(str(minimal)).codebook.pool.axes)
    codebook.write_text(codebook.read_text() + FIGURES.replace("signal", axis), encoding="utf-8")
    return minimal.parent


@pytest.fixture
def made(root):
    """The folder of the corpus, its reports and the figure made."""
    build(sources(root), str(root))
    return root


def sources(root):
    return load_corpus(str(root / "data"))


def stale_names(root, redraw=False):
    found = stale_findings(sources(root), str(root), redraw=redraw)
    return {Path(finding.file).name for finding in found}


def test_git_keeps_what_diffs_and_the_manifest_names_nothing_else(made):
    endings = {path.suffix for path in (made / "figures").iterdir()}
    assert endings == {".csv", ".txt", ".tex", ".svg", ".pdf", ".png"}
    listed = [file["path"] for file in json.loads((made / MANIFEST).read_text("utf-8"))["files"]]
    assert {Path(path).suffix for path in listed if path.startswith("figures/")} == {
        ".csv", ".txt", ".tex", ".svg"
    }  # fmt: skip
    for path in (made / "figures").glob("*.p*"):
        path.unlink()
    assert stale_findings(sources(made), str(made)) == []


def put_a_script_into(root):
    """Edit the drawing; return it with its old bytes."""
    drawing = root / "figures" / "shares.svg"
    whole = drawing.read_bytes()
    assert b"</svg>" in whole
    drawing.write_bytes(whole.replace(b"</svg>", b"<script>alert(1)</script></svg>"))
    return drawing, whole


def adapt_the_manifest(root, drawing):
    manifest = root / MANIFEST
    document = json.loads(manifest.read_text("utf-8"))
    [entry] = [file for file in document["files"] if file["path"] == f"figures/{drawing.name}"]
    entry["sha256"] = hashlib.sha256(drawing.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", "utf-8")


def test_an_edited_figure_is_stale_and_drawn_again(made):
    drawing, whole = put_a_script_into(made)
    for redraw in (False, True):
        [finding] = stale_findings(sources(made), str(made), redraw=redraw)
        assert (finding.code, Path(finding.file).name) == ("B102", drawing.name)
    assert build(sources(made), str(made)) == [f"figures/{drawing.name}"]
    assert drawing.read_bytes() == whole


@pytest.mark.parametrize(
    "manifest", [None, "{}", '{"format": 1, "files": [{"path": "figures/shares.svg"}]}']
)
def test_without_a_checksum_to_compare_with_a_figure_is_drawn_again(made, manifest):
    drawing, _ = put_a_script_into(made)
    (made / MANIFEST).unlink()
    if manifest is not None:
        (made / MANIFEST).write_text(manifest, "utf-8")
    assert stale_findings(sources(made), str(made))
    assert "figures/shares.svg" in build(sources(made), str(made))
    assert b"<script>" not in drawing.read_bytes()


def test_a_figure_of_another_release_is_current_by_digest_and_checksum(made):
    """Its bytes differ from what is drawn here; the manifest knows them, and nothing turns red."""
    drawing = made / "figures" / "shares.svg"
    drawing.write_bytes(drawing.read_bytes() + b"<!-- drawn by another release -->")
    adapt_the_manifest(made, drawing)
    assert stale_findings(sources(made), str(made)) == []
    assert build(sources(made), str(made)) == []


@pytest.mark.parametrize(("others", "code"), [([], 1), (["matplotlib 3.9.0 instead of 3.11.2"], 0)])
def test_the_command_draws_again_where_the_pinned_versions_are_installed(
    made, others, code, monkeypatch
):
    drawing, _ = put_a_script_into(made)
    adapt_the_manifest(made, drawing)
    monkeypatch.setattr("corpus.canvas.style.other_versions", lambda: others)
    arguments = ["build", "--check", "--data", str(made / "data")]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    result = CliRunner().invoke(main, [*arguments, "--force"])
    assert result.exit_code == code
    assert all(other in result.stderr for other in others)
    assert ("shares.svg" in result.stdout) == (code == 1)


def test_the_versions_to_draw_with_are_the_pinned_ones():
    pins = (ROOT / "constraints.txt").read_text("utf-8").lower().splitlines()
    assert [name for name, version in PINNED.items() if f"{name}=={version}" not in pins] == []


def test_other_words_make_a_figure_stale_and_its_numbers_not(made):
    book = made / "data" / "codebook.toml"
    book.write_text(
        book.read_text().replace('title = "Signals"', 'title = "Signs"'), encoding="utf-8"
    )
    found = stale_names(made)
    assert {f"shares.{ending}" for ending in KEPT} <= found
    assert "shares.csv" not in found


def test_an_unrelated_edit_changes_only_the_reports_that_print_it(made):
    """A day is printed in no count, no figure, no codebook and no screening report."""
    papers = made / "data" / "papers.csv"
    papers.write_text(papers.read_text("utf-8").replace("2020-03", "2020-03-05"), "utf-8")
    written = build(sources(made), str(made))
    assert MANIFEST in written
    assert "reports/statistics.md" not in written
    assert "reports/codebook.md" not in written
    assert "reports/screening.md" not in written
    assert not any(path.startswith(("figures/", "data/")) for path in written)
