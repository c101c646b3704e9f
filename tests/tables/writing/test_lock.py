"""Writers wait for one another, and a killed one leaves no lock."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from corpus.model.finding import UsageProblem
from corpus.tables.documents import read_codebook
from corpus.tables.writing import lock
from corpus.tables.writing.atomic import temporary_name
from corpus.tables.writing.lock import locked

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    return shutil.copytree(DATA, tmp_path / "data", ignore=shutil.ignore_patterns(".*"))


def test_a_second_writer_waits_and_then_gives_up(data):
    book, before = read_codebook(data), sorted(os.listdir(data))
    with locked(data, book), pytest.raises(UsageProblem), locked(data, book):
        pass
    with locked(data, book):  # free again
        pass
    assert sorted(os.listdir(data)) == before  # no lock file is left


def test_patience_is_for_one_writer_and_not_for_all_that_come_before(data, monkeypatch):
    """Others hold the folder for an hour, each for less than the patience; then it is free."""
    book, clock, turns = read_codebook(data), [0.0], iter(range(1, 61))

    def pause(_):
        clock[0] += 60
        turn = next(turns)
        os.utime(data, ns=(turn, turn))  # as the next writer does when it begins
        if turn == 60:
            os.close(other)

    other = os.open(data, os.O_RDONLY)
    fcntl = pytest.importorskip("fcntl")
    fcntl.flock(other, fcntl.LOCK_EX)
    monkeypatch.setattr(lock, "PATIENCE", 100)
    monkeypatch.setattr(lock, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=pause))
    with locked(data, book):
        assert os.stat(data).st_mtime_ns > 60  # the next ones learn that another has begun
    assert clock == [3600]


def test_a_killed_writer_leaves_no_lock(data):
    book = read_codebook(data)
    code = "import sys, time\nfrom corpus.tables.documents import read_codebook\nfrom corpus.tables.writing.lock import locked\n"
    code += "with locked(sys.argv[1], read_codebook(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, data], stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"held\n"
        with pytest.raises(UsageProblem), locked(data, book):
            pass
        writer.kill()
        writer.wait()
    with locked(data, book):
        pass


def test_leftovers_of_killed_writers_are_removed_and_nothing_else(data):
    folder = Path(data)
    ours = folder / temporary_name("pool.csv")
    in_folder = folder / "evidence" / temporary_name("credit.csv")
    other = folder / temporary_name("mine.csv")
    for path in (ours, in_folder, other):
        path.write_text("half")
    with locked(data, read_codebook(data)):
        assert not ours.exists()
        assert not in_folder.exists()
        assert other.exists()
