"""Wheel and source archive: the same bytes wherever they are built, and complete without a checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from corpus.tables.corpus_reader import load_corpus

ROOT = Path(__file__).parent.parent
PARTS = ("corpus", "data", "docs", "tests", "LICENSES", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", ".gitignore")  # fmt: skip
EPOCH = "1700000000"


def built(folder: Path, stamp: int, mode: int) -> dict[str, bytes]:
    """Build from a copy of the tree whose files have another time and other permissions."""
    tree = folder / "tree"
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for part in PARTS:
        source = ROOT / part
        (shutil.copytree if source.is_dir() else shutil.copy)(
            source, tree / part, **({"ignore": ignored} if source.is_dir() else {})
        )
    for path in tree.rglob("*"):
        os.utime(path, (stamp, stamp))
        if path.is_file():
            path.chmod(mode)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(tree)],
        check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """The folder of the first build; the second must have given the same bytes."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "one/tree").mkdir(parents=True)
    (folder / "another/tree").mkdir(parents=True)
    first = built(folder / "one", 1_600_000_000, 0o644)
    assert sorted(name.rpartition("-")[2].rpartition(".")[2] for name in first) == ["gz", "whl"]
    assert built(folder / "another", 1_750_000_000, 0o664) == first
    return folder / "one/dist"


@pytest.mark.slow
def test_two_builds_give_the_same_bytes_with_all_files(packages):
    (wheel,), (source,) = packages.glob("*.whl"), packages.glob("*.tar.gz")
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {f"corpus/_data/{path.relative_to(ROOT / 'data').as_posix()}" for path in (ROOT / "data").rglob("*")
            if path.is_file() and not path.name.startswith(".")}  # fmt: skip
    templates = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "corpus").rglob("files/*")
        if path.is_file()
    }
    assert data | templates <= names
    assert not [
        name
        for name in names
        if name.startswith(("tests/", "docs/")) or name.endswith((".lock", ".tmp", ".pyc"))
    ]
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "tests/conftest.py",
        "data/pool.csv",
        "LICENSES/CC0-1.0.txt",
    } <= inside


@pytest.mark.slow
def test_the_wheel_alone_does_the_work(packages, tmp_path):
    """Installed into an empty folder, run isolated and outside of any checkout."""
    (wheel,) = packages.glob("*.whl")
    place, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    install = [
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-compile",
        "--target",
        str(place),
        str(wheel),
    ]
    subprocess.run([sys.executable, "-m", *install], check=True, capture_output=True)

    def corpus(*arguments: str) -> str:
        code = f"import sys; sys.path.insert(0, {str(place)!r}); from corpus.cli.main import main; main({list(arguments)!r})"
        done = subprocess.run(
            [sys.executable, "-I", "-c", code],
            cwd=work,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        return done.stdout

    entries = len(load_corpus(str(ROOT / "data")).pool.rows)
    assert f"{entries} entries" in corpus("stats")
    assert corpus("check", "--strict") == ""
    assert corpus("claims", "--format", "json")
    assert corpus("export", "bibtex").count("\n@") >= 83
    corpus("site", "-o", "page.html")
    assert (work / "page.html").stat().st_size > 100_000
    corpus("figures", "--format", "svg", "--out", "drawn")
    corpus("init", "mine")
    left = json.loads(corpus("check", "--data", "mine/data", "--format", "json"))
    assert {finding["code"] for finding in left["findings"]} == {"C002"}
    example = place / "corpus/_data/traces/examples/swarm_refund.json"
    assert corpus("trace", "validate", str(example)) == ""
    corpus("trace", "ingest", str(example), "-o", "store")
    assert corpus("trace", "stats", "store", "--format", "json")
