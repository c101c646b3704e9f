from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.outputs import manifest
from corpus.publishing.outputs.build import build
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.publishing.outputs.manifest import MANIFEST, is_current, read_manifest
from corpus.publishing.outputs.output import Digests, Output
from corpus.publishing.outputs.sources import Sources, data_sha256
from corpus.publishing.outputs.stale import orphans, stale_findings
from corpus.tables.documents import read_codebook


@pytest.fixture(autouse=True)
def without_latex(monkeypatch):
    """The PDF has tests of its own; here it would only take time."""
    monkeypatch.setattr("corpus.printing.typeset.shutil.which", lambda name: None)


def sources(data: Path) -> Sources:
    return Sources(str(data))


def snapshot(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for top in ("figures", "reports")
        for path in sorted((root / top).rglob("*"))
        if path.is_file()
    }


def edit(data: Path, name: str, old: str, new: str) -> None:
    path = data / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")


def codes(findings) -> list[tuple[str, str]]:
    return [(finding.code, Path(finding.file).name) for finding in findings]


def test_every_registered_file_is_written_and_in_the_manifest(minimal):
    root = minimal.parent
    built = build(sources(minimal), str(root))
    expected = [output.path for output in outputs_of(sources(minimal)) if not output.local]
    assert sorted(built.written) == sorted([*expected, MANIFEST])
    assert [file["path"] for file in read_manifest(str(root))["files"]] == expected
    assert stale_findings(sources(minimal), str(root)) == []


def test_text_files_name_their_generator_and_only_the_manifest_the_data(minimal):
    build(sources(minimal), str(minimal.parent))
    digest = data_sha256(str(minimal), read_codebook(str(minimal)))
    named = []
    for path in (minimal.parent / "reports").iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix in (".md", ".tex", ".html", ".bib"):
            assert "corpus build" in text.splitlines()[0]
        if digest in text:
            named.append(path.name)
    assert named == ["manifest.json"]


def test_an_unrelated_edit_changes_only_the_reports_that_print_it(minimal):
    """A day is printed in no count, no figure, no codebook and no screening report."""
    root = minimal.parent
    build(sources(minimal), str(root))
    edit(minimal, "papers.csv", "2020-03", "2020-03-05")
    written = build(sources(minimal), str(root)).written
    assert MANIFEST in written
    assert "reports/statistics.md" not in written
    assert "reports/codebook.md" not in written
    assert "reports/screening.md" not in written
    assert not any(path.startswith(("figures/", "data/")) for path in written)


def test_the_checksum_is_what_sha256sum_says(minimal):
    names = sorted(
        ["codebook.toml", "sensors.csv", "rejected.csv", "papers.csv", "ok.csv", "protocol.toml"]
    )
    listed = subprocess.run(
        ["sha256sum", *names], cwd=minimal, capture_output=True, check=True
    ).stdout
    assert hashlib.sha256(listed).hexdigest() == data_sha256(
        str(minimal), read_codebook(str(minimal))
    )


def test_twice_changes_nothing(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    before = snapshot(root)
    again = build(sources(minimal), str(root))
    assert again.written == []
    assert snapshot(root) == before


def test_deleted_folders_come_back_the_same(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    before = snapshot(root)
    for path in (root / "reports").iterdir():
        path.unlink()
    build(sources(minimal), str(root))
    assert snapshot(root) == before


def test_an_edited_cell_makes_stale_what_prints_it(minimal):
    root = minimal.parent
    build(sources(minimal), str(root))
    edit(minimal, "sensors.csv", "Light in the fen", "Light in the bog")
    found = stale_findings(sources(minimal), str(root))
    assert {code for code, _ in codes(found)} == {"B102"}
    by_name = {Path(finding.file).name: finding for finding in found}
    assert "Light in the fen" in by_name["papers.md"].value
    assert by_name["papers.md"].line == 15
    assert "older data" in by_name["papers.md"].message
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
    assert "edited" in finding.message


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


def test_the_manifest_shows_when_nothing_is_to_do(minimal):
    root, book = str(minimal.parent), read_codebook(str(minimal))
    assert not is_current(root, str(minimal), book)
    build(sources(minimal), root)
    assert is_current(root, str(minimal), book)
    edit(minimal, "sensors.csv", "Light in the fen", "Light in the bog")
    assert not is_current(root, str(minimal), book)
    edit(minimal, "sensors.csv", "Light in the bog", "Light in the fen")
    assert is_current(root, str(minimal), book)
    (minimal.parent / "reports" / "papers.md").write_text("changed")
    assert not is_current(root, str(minimal), book)


def test_a_newer_program_does_the_work_again(minimal):
    root, book = str(minimal.parent), read_codebook(str(minimal))
    build(sources(minimal), root)
    os.utime(minimal.parent / MANIFEST, (1, 1))
    assert not is_current(root, str(minimal), book)


def test_a_template_that_is_older_than_the_manifest_is_noticed(minimal, tmp_path, monkeypatch):
    """It came with a checkout or an installation, whose files have any times."""
    package = tmp_path / "package"
    shutil.copytree(manifest._PACKAGE / "printing", package / "printing")
    monkeypatch.setattr(manifest, "_PACKAGE", package)
    root, book = str(minimal.parent), read_codebook(str(minimal))
    build(sources(minimal), root)
    assert is_current(root, str(minimal), book)
    template = next(package.rglob("*.md.j2"))
    template.write_text(template.read_text("utf-8") + "more\n", encoding="utf-8")
    os.utime(template, (0, 0))
    assert not is_current(root, str(minimal), book)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}', '{"format": 1, "files": [3]}'])
def test_a_broken_manifest_counts_as_missing(text, minimal):
    build(sources(minimal), str(minimal.parent))
    (minimal.parent / MANIFEST).write_text(text)
    assert not is_current(str(minimal.parent), str(minimal), read_codebook(str(minimal)))


@pytest.mark.parametrize(
    "files", [None, 3, [3], [{}], [{"path": 3}], [{"path": "a\0b"}], [{"path": "reports"}]]
)
def test_a_manifest_with_unusable_files_shows_nothing_to_be_current(files, minimal):
    build(sources(minimal), str(minimal.parent))
    manifest = minimal.parent / MANIFEST
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "files": files}))
    assert not is_current(str(minimal.parent), str(minimal), read_codebook(str(minimal)))
    assert codes(stale_findings(sources(minimal), str(minimal.parent))) == [
        ("B102", "manifest.json")
    ]


def drawn(mark: str) -> Output:
    """Return an output whose bytes differ from run to run, as a figure's do between releases."""
    runs = iter(range(100))
    return Output(
        "figures/a.svg",
        "a figure",
        "corpus figures",
        lambda _: f"<svg><!-- mark {mark} run {next(runs)} --></svg>".encode(),
        Digests(
            lambda _: mark, lambda content: content.decode().partition("mark ")[2].partition(" ")[0]
        ),
    )


def test_a_figure_is_compared_by_the_digest_in_it(minimal, monkeypatch):
    root = minimal.parent
    monkeypatch.setattr("corpus.publishing.outputs.catalogue.OUTPUTS", (drawn("aaa"),))
    assert "figures/a.svg" in build(sources(minimal), str(root)).written
    assert build(sources(minimal), str(root)).written == []
    assert stale_findings(sources(minimal), str(root)) == []
    monkeypatch.setattr("corpus.publishing.outputs.catalogue.OUTPUTS", (drawn("bbb"),))
    assert codes(stale_findings(sources(minimal), str(root))) == [
        ("B102", "a.svg"),
        ("B102", "manifest.json"),
    ]
    assert json.loads((root / MANIFEST).read_text())["files"][0]["digest"] == "aaa"


def test_one_file_that_fails_does_not_stop_the_others_but_the_manifest(minimal, monkeypatch):
    def fail(_):
        raise CorpusError([])

    good = Output("reports/good.md", "good", "x", lambda _: "good\n")
    monkeypatch.setattr(
        "corpus.publishing.outputs.catalogue.OUTPUTS",
        (replace(good, path="reports/bad.md", make=fail), good),
    )
    with pytest.raises(CorpusError):
        build(sources(minimal), str(minimal.parent))
    assert [path.name for path in (minimal.parent / "reports").iterdir()] == ["good.md"]
