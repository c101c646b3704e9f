"""Wheel and source archive: the same bytes wherever they are built, and complete without a checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("corpus", "data", "docs", "tests", "LICENSES", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", ".gitignore")  # fmt: skip
EPOCH = "1700000000"


def built(folder, stamp, mode, *command):
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
        [sys.executable, "-m", *command],
        check=True, capture_output=True, cwd=tree, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in (tree / "dist").iterdir()}


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The folder of the first build; the second, of both packages from the tree, must have given the same bytes."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "one/tree").mkdir(parents=True)
    (folder / "another/tree").mkdir(parents=True)
    first = built(folder / "one", 1_600_000_000, 0o644, "build", "--no-isolation")
    assert sorted(name.rpartition("-")[2].rpartition(".")[2] for name in first) == ["gz", "whl"]
    assert built(folder / "another", 1_750_000_000, 0o664, "hatchling", "build") == first
    return folder / "one/tree/dist"


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
def test_a_package_alone_does_the_work(packages):
    """In an environment of its own, without the clone: what the README shows, and a new corpus.

    The wheel was built from the source archive, so that both are tried.
    """
    (package,) = packages.glob("*.whl")
    site = sysconfig.get_path("purelib")
    script = str(ROOT / "tests/installed.py")
    done = subprocess.run(
        [sys.executable, script, str(package), "--beside", site], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "$ mas-rl-corpus stats" in done.stdout
