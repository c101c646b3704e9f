"""What the next command makes of a journal: writers undo, readers refuse, and no repository brings one."""

import errno
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.curation.check.check import check_corpus
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook
from corpus.tables.git.repository import Repository, folder_snapshot
from corpus.tables.location import is_interrupted, journal_path
from corpus.tables.writing.atomic import temporary_name, write_all_atomic
from corpus.tables.writing.journal import replace_tables
from corpus.tables.writing.lock import locked, wait_for_writer, writable_data
from tests.support.repository import git

ROOT = Path(__file__).parents[3]
NAMES = ("rejected.csv", "sensors.csv", "papers.csv")


def contents(data):
    return {path.name: path.read_bytes() for path in data.iterdir()}


def changed(old):
    """The first row is gone."""
    header, _, *rows = old.splitlines(keepends=True)
    return b"".join([header, *rows])


def interrupted_path(data):
    path = Path(journal_path(str(data)))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def interrupt(data, replaced):
    """Leave the folder as a writer does that dies behind some of its renames; return both ends of the change."""
    before = contents(data)
    after = dict(before)
    entries = []
    for position, name in enumerate(NAMES):
        after[name] = changed(before[name])
        target = str(data / name)
        new, old = temporary_name(target), temporary_name(target)
        Path(old).write_bytes(before[name])
        Path(target if position < replaced else new).write_bytes(after[name])
        digests = [hashlib.sha256(content[name]).hexdigest() for content in (before, after)]
        entries.append([target, new, old, *digests])
    interrupted_path(data).write_text(json.dumps(entries))
    return before, after


def codes(data):
    return [finding.code for finding in check_corpus(str(data))]


READERS: dict[str, Callable[[str], object]] = {
    "load": load_corpus,
    "check": check_corpus,
    "snapshot": folder_snapshot,
    "codebook": read_codebook,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("replaced", [0, 1, 2, 3])
def test_a_reader_writes_nothing_and_refuses_what_is_half_changed(minimal, reader, replaced):
    interrupt(minimal, replaced)
    found = contents(minimal)
    codes = []
    try:
        findings = READERS[reader](str(minimal))
        codes = [one.code for one in findings] if reader == "check" else []
    except CorpusError as error:
        codes = [one.code for one in error.findings]
    assert codes.count("C125") == (replaced in (1, 2))
    assert contents(minimal) == found
    assert is_interrupted(str(minimal))


@pytest.mark.parametrize("replaced", [0, 1, 2, 3])
def test_the_next_writer_undoes_what_a_dead_one_began_unless_it_is_whole(minimal, replaced):
    ends = interrupt(minimal, replaced)
    assert writable_data(str(minimal)) == str(minimal)
    assert contents(minimal) == ends[replaced == 3]
    assert not is_interrupted(str(minimal))


def test_a_table_that_cannot_be_put_back_yet_is_put_back_by_a_later_command(minimal, monkeypatch):
    before, _ = interrupt(minimal, 2)

    def replace(source, target, real=os.replace):
        if target.endswith("rejected.csv"):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), source, None, target)
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        with pytest.raises(CorpusError, match="C125"):
            writable_data(str(minimal))
    writable_data(str(minimal))
    assert contents(minimal) == before


def test_a_half_change_of_a_folder_that_cannot_be_written_is_reported(minimal, monkeypatch):
    interrupt(minimal, 1)
    found = contents(minimal)

    def refuse(*arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])

    with monkeypatch.context() as patched:
        for name in ("replace", "unlink"):
            patched.setattr(os, name, refuse)
        with pytest.raises(CorpusError, match="C125"):
            writable_data(str(minimal))
    assert contents(minimal) == found


def test_a_whole_change_of_a_folder_that_cannot_be_written_is_read(minimal, monkeypatch):
    interrupt(minimal, 3)

    def refuse(*arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])

    monkeypatch.setattr(os, "unlink", refuse)
    assert len(load_corpus(str(minimal)).pool.rows) == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_was_edited_meanwhile_is_for_a_person_to_judge(minimal, name):
    interrupt(minimal, 1)
    (minimal / name).write_text("edited by hand\n")
    found = contents(minimal)
    assert codes(minimal) == ["C125"]
    with pytest.raises(CorpusError), locked(str(minimal), read_codebook(str(minimal))):
        pass
    assert contents(minimal) == found  # the temporary files above all


def test_old_content_of_another_digest_is_not_put_back(minimal):
    interrupt(minimal, 1)
    Path(json.loads(interrupted_path(minimal).read_text())[0][2]).write_bytes(b"nr\n")
    found = contents(minimal)
    assert codes(minimal) == ["C125"]
    assert contents(minimal) == found


@pytest.mark.parametrize("text", ["", "null", "[[]]", '[["a"]]', "[1]", "\udcff"])
def test_a_damaged_journal_is_a_finding(minimal, text):
    path = interrupted_path(minimal)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = contents(minimal)
    assert codes(minimal) == ["C125"]
    assert contents(minimal) == before
    assert path.exists()


def test_what_a_repository_brings_is_never_undone_and_is_an_error_where_git_tracks_it(minimal, run):
    """A pull request had a journal with the table as it is as `after`, and what it wants as `before`."""
    table = minimal / "sensors.csv"
    wanted = table.read_bytes().replace(b"Fen", b"Bog")
    name = temporary_name("sensors.csv")
    (minimal / name).write_bytes(wanted)
    entry = {"file": "sensors.csv", "new": temporary_name("sensors.csv"), "old": name}
    for key, content in (("after", table.read_bytes()), ("before", wanted)):
        entry[key] = hashlib.sha256(content).hexdigest()
    (minimal / ".corpus.journal").write_text(json.dumps({"format": 1, "files": [entry]}))
    found = contents(minimal)
    assert "C127" not in codes(minimal)  # it is on this disk alone
    git(minimal.parent, "init", "-q")
    git(minimal.parent, "add", "-A", "-f")
    git(minimal.parent, "commit", "-q", "-m", "a change")
    for command in (("list",), ("check",), ("stats",), ("diff", "HEAD")):
        run(*command, "--data", minimal)
        assert contents(minimal) == found
    for state in (str(minimal), Repository(str(minimal)).snapshot("HEAD", "HEAD")):
        tracked = [one for one in check_corpus(state, complete=True) if one.code == "C127"]
        assert [Path(one.file).name for one in tracked] == sorted([".corpus.journal", name])
    run("fmt", "--data", minimal)
    assert table.read_bytes() == found["sensors.csv"]


def test_a_state_folder_that_may_not_be_written_stops_no_change(minimal, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    new = {str(minimal / name): changed((minimal / name).read_bytes()) for name in NAMES}
    replace_tables(str(minimal), new)
    assert {path: Path(path).read_bytes() for path in new} == new


@pytest.mark.parametrize("named", ["", ".", "state"])
def test_no_setting_moves_the_journal_into_a_repository(minimal, monkeypatch, named):
    monkeypatch.setenv("XDG_STATE_HOME", named)
    monkeypatch.setenv("HOME", "/home/ada")
    assert journal_path(str(minimal)).startswith("/home/ada/.local/state/")


HOLDER = """
import sys
from corpus.tables.documents import read_codebook
from corpus.tables.writing.lock import locked
from corpus.tables.writing import journal
with locked(sys.argv[1], read_codebook(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def holder(minimal):
    """Another process that holds the folder until it is killed."""
    command = [sys.executable, "-c", HOLDER, str(minimal)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()
        process.communicate()


def test_the_journal_of_a_living_writer_is_not_touched(minimal, holder, monkeypatch):
    before, _ = interrupt(minimal, 1)
    found = contents(minimal)
    monkeypatch.setattr("corpus.tables.writing.lock.PATIENCE", 0.1)
    for wait in (wait_for_writer, writable_data):
        with pytest.raises(UsageProblem):
            wait(str(minimal))
    assert contents(minimal) == found
    holder.kill()
    holder.wait()
    writable_data(str(minimal))
    assert contents(minimal) == before


def test_a_reader_goes_on_once_the_living_writer_is_done(minimal, holder, monkeypatch):
    interrupt(minimal, 1)

    def pause(_):
        interrupted_path(minimal).unlink()  # as the writer does, which keeps the lock

    monkeypatch.setattr("corpus.tables.writing.lock.time.sleep", pause)
    found = contents(minimal)
    wait_for_writer(str(minimal))
    assert contents(minimal) == found


def test_a_file_that_was_not_there_is_removed_again(tmp_path):
    old = tmp_path / "a.csv"
    old.write_text("old")
    (tmp_path / "c.csv").mkdir()
    (tmp_path / "c.csv" / "d.csv").write_text("in the way")
    with pytest.raises(OSError) as caught:
        write_all_atomic(
            {str(old): "new", str(tmp_path / "b.csv"): "new", str(tmp_path / "c.csv"): "new"}
        )
    assert caught.value.filename == str(tmp_path / "c.csv")
    assert old.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "c.csv"]


def test_a_file_system_without_hard_links_keeps_copies(minimal, monkeypatch):
    """And what was replaced gets its old content back from them."""
    before = contents(minimal)

    def link(*_):
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    def replace(source, target, real=os.replace):
        if (
            target.endswith(NAMES[2])
            and ".tmp" in source
            and not (minimal / NAMES[2]).samefile(source)
        ):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), source, None, target)
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(PermissionError, match=NAMES[2]):
        replace_tables(str(minimal), {str(minimal / name): changed(before[name]) for name in NAMES})
    assert contents(minimal) == before
