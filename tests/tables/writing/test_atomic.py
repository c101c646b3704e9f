"""A new folder appears whole or not at all."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.tables.writing.atomic import is_filled, write_all_atomic, write_new_folder

FILES = {"data/a.csv": "a\n", "data/b.csv": "b\n", "README.md": "c\n"}
KILLED = """
import os, signal, sys
import corpus.tables.writing.atomic as module
done = []
def replace(old, new, rename=os.replace):
    rename(old, new)
    done.append(new)
    if len(done) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace
module.write_new_folder(sys.argv[1], {"data/a.csv": "a", "data/b.csv": "b", "README.md": "c"})
"""


def held(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("exists", [False, True])
def test_the_new_folder_has_every_file_and_nothing_else(tmp_path, exists):
    folder = tmp_path / "new" if exists else tmp_path / "deep" / "new"
    if exists:
        folder.mkdir()
    before = folder.stat().st_ino if exists else None
    write_new_folder(str(folder), FILES)
    assert held(folder) == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["new"]
    assert before in (None, folder.stat().st_ino)  # a shell that stands in it stays in it


@pytest.mark.parametrize("exists", [False, True])
def test_a_killed_writer_leaves_nothing_that_is_in_the_way(tmp_path, exists):
    folder = tmp_path / "new"
    if exists:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder)], cwd=Path(__file__).parents[3], check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert not is_filled(str(folder))
    assert not (folder / "data").exists()
    write_new_folder(str(folder), FILES)
    assert {path: text for path, text in held(folder).items() if not path.startswith(".")} == FILES


@pytest.mark.parametrize("exists", [False, True])
def test_what_cannot_be_written_leaves_no_trace(tmp_path, exists):
    folder = tmp_path / "new" if exists else tmp_path / "deep" / "new"
    if exists:
        folder.mkdir()

    def failing():
        yield "half"
        raise OSError(28, os.strerror(28))

    with pytest.raises(OSError, match="space"):
        write_new_folder(str(folder), {**FILES, "data/c.csv": failing()})
    assert [path.name for path in tmp_path.rglob("*")] == (["new"] if exists else [])


@pytest.fixture
def done(monkeypatch):
    """What is synced and renamed, in order."""
    calls = []
    sync, rename = os.fsync, os.replace

    def synced(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        calls.append("sync folder" if is_folder else "sync file")
        sync(descriptor)

    def renamed(old, new):
        rename(old, new)
        calls.append(f"rename {os.path.basename(new)}")

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    return calls


def test_files_are_on_disk_before_they_are_renamed_and_the_renames_after(tmp_path, done):
    write_all_atomic({str(tmp_path / "a"): "1", str(tmp_path / "b"): "2"})
    assert done == ["sync file", "sync file", "rename a", "rename b", "sync folder"]


def test_what_is_put_back_is_on_disk_too(tmp_path, done, monkeypatch):
    paths = [str(tmp_path / name) for name in "ab"]
    write_all_atomic(dict.fromkeys(paths, "old"))
    done.clear()
    rename = os.replace

    def full(old, new):
        if new == paths[1]:
            raise OSError(28, os.strerror(28))
        rename(old, new)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="space"):
        write_all_atomic(dict.fromkeys(paths, "new"))
    assert done[-2:] == ["rename a", "sync folder"]
    assert [(tmp_path / name).read_text() for name in "ab"] == ["old", "old"]
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
