from __future__ import annotations

import json
import os
import shutil

import pytest

from corpus.publishing.outputs import manifest
from corpus.publishing.outputs.build import build
from corpus.publishing.outputs.manifest import MANIFEST, is_current
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.stale import stale_findings
from corpus.tables.documents import read_codebook
from tests.support.built import codes, edit, sources

pytestmark = pytest.mark.usefixtures("without_latex", "without_figures")


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


def test_the_pdf_must_exist_where_latex_does(minimal, monkeypatch):
    build(sources(minimal), str(minimal.parent))
    book = read_codebook(str(minimal))
    monkeypatch.setattr(manifest, "installed", lambda: "pdflatex")
    assert not is_current(str(minimal.parent), str(minimal), book)
    (minimal.parent / manifest.APPENDIX_PDF).write_bytes(b"%PDF")
    assert is_current(str(minimal.parent), str(minimal), book)


def test_a_manifest_without_one_of_its_keys_is_not_current(minimal):
    build(sources(minimal), str(minimal.parent))
    path = minimal.parent / MANIFEST
    whole = json.loads(path.read_text())
    for key in whole:
        path.write_text(json.dumps({name: whole[name] for name in whole if name != key}))
        assert not is_current(str(minimal.parent), str(minimal), read_codebook(str(minimal)))


def test_checksums_are_those_of_usable_entries_alone(tmp_path):
    (tmp_path / "reports").mkdir()
    files = [
        {"path": "a", "sha256": "1"},
        {"path": "b"},
        {"sha256": "2"},
        3,
        {"path": 4, "sha256": 5},
    ]
    (tmp_path / MANIFEST).write_text(json.dumps({"format": 1, "files": files}))
    assert manifest.recorded_sums(str(tmp_path)) == {"a": "1"}
    (tmp_path / MANIFEST).write_text("[" * 100_000)
    assert manifest.recorded_sums(str(tmp_path)) == {}


def test_the_folder_of_reports_is_above_data_else_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert manifest.root_of(str(tmp_path / "soil" / "data")) == str(tmp_path / "soil")
    assert manifest.root_of("data") == str(tmp_path)
    assert manifest.root_of(str(tmp_path / "soil" / "tables")) == str(tmp_path)


def test_an_entry_has_a_digest_only_where_its_bytes_may_differ():
    output = Output("figures/a.svg", "A", "corpus figures", lambda _: b"")
    entry = manifest.ManifestEntry(output, "12")
    assert list(entry.as_dict()) == ["path", "title", "command", "sha256"]
    assert entry._replace(digest="34").as_dict() == {
        "path": "figures/a.svg", "title": "A", "command": "corpus figures", "digest": "34", "sha256": "12",
    }  # fmt: skip
