import hashlib
import json
from pathlib import Path

import pytest

from corpus.publishing.outputs.build import MANIFEST, build, stale_findings
from corpus.tables.corpus_reader import load_corpus

FIGURES = '\n[figures.shares]\nkind = "bars"\naxis = "signal"\ntitle = "Signals"\n'


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


def stale_names(root):
    found = stale_findings(sources(root), str(root))
    return {Path(finding.file).name for finding in found}


def test_git_keeps_what_diffs_and_the_manifest_names_nothing_else(made):
    figures = made / "figures"
    assert {path.suffix for path in figures.iterdir()} == {".csv", ".tex", ".svg"}
    listed = [file["path"] for file in json.loads((made / MANIFEST).read_text("utf-8"))["files"]]
    drawn = {path for path in listed if path.startswith("figures/")}
    assert drawn == {path.relative_to(made).as_posix() for path in figures.iterdir()}
    for ending in ("pdf", "png"):
        (figures / f"shares.{ending}").write_bytes(b"drawn for a paper")
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
    [finding] = stale_findings(sources(made), str(made))
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
    # So an edit of both is found where the figure is removed before, as after every merge.
    drawing.unlink()
    build(sources(made), str(made))
    assert b"another release" not in drawing.read_bytes()


def test_other_words_make_a_figure_stale_and_its_numbers_not(made):
    book = made / "data" / "codebook.toml"
    book.write_text(
        book.read_text().replace('title = "Signals"', 'title = "Signs"'), encoding="utf-8"
    )
    found = stale_names(made)
    assert "shares.svg" in found
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
