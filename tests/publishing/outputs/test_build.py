import hashlib
import json
from dataclasses import replace

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.outputs.build import MANIFEST, MISSING, build, root_of, stale_findings
from corpus.publishing.outputs.catalogue import Output, outputs_of
from tests.support.built import codes, sources

pytestmark = pytest.mark.usefixtures("without_figures")


def snapshot(root):
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for top in ("figures", "reports")
        for path in sorted((root / top).rglob("*"))
        if path.is_file()
    }


def test_every_registered_file_is_written_and_in_the_manifest(minimal):
    root = minimal.parent
    built = build(sources(minimal), str(root))
    expected = [output.path for output in outputs_of(sources(minimal))]
    assert sorted(built) == sorted([*expected, MANIFEST])
    assert [file["path"] for file in json.loads((root / MANIFEST).read_text())["files"]] == expected
    assert stale_findings(sources(minimal), str(root)) == []


def test_what_nothing_makes_any_more_is_removed_unless_somebody_edited_it(built):
    manifest = json.loads((built / MANIFEST).read_text())
    for name, recorded in (("old", "<svg/>"), ("edited", "<svg>1</svg>")):
        sha = hashlib.sha256(recorded.encode()).hexdigest()
        manifest["files"].append({"path": f"figures/{name}.svg", "command": "", "sha256": sha})
    (built / MANIFEST).write_text(json.dumps(manifest))
    (built / "figures").mkdir(exist_ok=True)
    for name in ("old", "edited", "foreign"):
        (built / f"figures/{name}.svg").write_text("<svg/>")
    assert "figures/old.svg" in build(sources(built / "data"), str(built))
    left = sorted(path.name for path in (built / "figures").iterdir())
    assert left == ["edited.svg", "foreign.svg"]
    assert [code for code, _ in codes(stale_findings(sources(built / "data"), str(built)))] == [
        "B103"
    ] * 2


def test_twice_changes_nothing_and_deleted_files_come_back_the_same(built):
    before = snapshot(built)
    assert build(sources(built / "data"), str(built)) == []
    for path in (built / "reports").iterdir():
        path.unlink()
    build(sources(built / "data"), str(built))
    assert snapshot(built) == before


def test_one_file_that_fails_does_not_stop_the_others_but_the_manifest(minimal, monkeypatch):
    def fail(_):
        raise CorpusError([MISSING.at("x")])

    good = Output("reports/good.md", "good", "x", lambda _: "good\n")
    monkeypatch.setattr(
        "corpus.publishing.outputs.catalogue.OUTPUTS",
        (replace(good, path="reports/bad.md", make=fail), good),
    )
    with pytest.raises(CorpusError):
        build(sources(minimal), str(minimal.parent))
    assert [path.name for path in (minimal.parent / "reports").iterdir()] == ["good.md"]


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 100_000, '{"files": 3}', '{"files": [{"path": 3}]}']
)
def test_a_broken_manifest_counts_as_missing(text, built):
    (built / MANIFEST).write_text(text)
    assert codes(stale_findings(sources(built / "data"), str(built))) == [("B102", "manifest.json")]
    assert build(sources(built / "data"), str(built)) == [MANIFEST]


def test_the_folder_of_reports_is_above_data_else_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert root_of(str(tmp_path / "soil" / "data")) == str(tmp_path / "soil")
    assert root_of("data") == str(tmp_path)
    assert root_of(str(tmp_path / "soil" / "tables")) == str(tmp_path)
