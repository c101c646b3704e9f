"""What the next command makes of a journal: it undoes or reports, and trusts nothing in it."""

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
from corpus.tables.git.repository import folder_snapshot
from corpus.tables.location import JOURNAL_FILE
from corpus.tables.writing.atomic import temporary_name, write_all_atomic
from corpus.tables.writing.journal import replace_tables
from corpus.tables.writing.lock import locked, settle_interrupted

ROOT = Path(__file__).parents[3]
NAMES = ("rejected.csv", "sensors.csv", "papers.csv")


def contents(data):
    return {path.name: path.read_bytes() for path in data.iterdir()}


def changed(old):
    """The first row is gone."""
    header, _, *rows = old.splitlines(keepends=True)
    return b"".join([header, *rows])


def interrupt(data, replaced):
    """Leave the folder as a writer does that dies behind some of its renames; return both ends of the change."""
    before = contents(data)
    after = dict(before)
    entries = []
    for position, name in enumerate(NAMES):
        after[name] = changed(before[name])
        entry = {"file": name, "new": temporary_name(name), "old": temporary_name(name)}
        entry["after"] = hashlib.sha256(after[name]).hexdigest()
        entry["before"] = hashlib.sha256(before[name]).hexdigest()
        (data / entry["old"]).write_bytes(before[name])
        written = name if position < replaced else entry["new"]
        (data / written).write_bytes(after[name])
        entries.append(entry)
    (data / JOURNAL_FILE).write_text(json.dumps({"format": 1, "files": entries}))
    return before, after


def journal(data):
    return json.loads((data / JOURNAL_FILE).read_text())


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
def test_a_reader_undoes_what_a_dead_writer_began_unless_it_is_whole(minimal, reader, replaced):
    ends = interrupt(minimal, replaced)
    READERS[reader](str(minimal))
    assert contents(minimal) == ends[replaced == 3]


def test_a_writer_undoes_it_before_it_clears_away(minimal):
    book = read_codebook(str(minimal))
    before, _ = interrupt(minimal, 1)
    with locked(str(minimal), book):
        assert contents(minimal) == before


def test_a_table_that_cannot_be_put_back_yet_is_put_back_by_a_later_command(minimal, monkeypatch):
    before, _ = interrupt(minimal, 2)

    def replace(source, target, real=os.replace):
        if target.endswith("rejected.csv"):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), source, None, target)
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        assert codes(minimal) == ["C125"]
    read_codebook(str(minimal))
    assert contents(minimal) == before


def test_a_half_change_of_a_folder_that_cannot_be_written_is_reported(minimal, monkeypatch):
    interrupt(minimal, 1)
    found = contents(minimal)

    def refuse(*arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])

    with monkeypatch.context() as patched:
        for name in ("replace", "unlink"):
            patched.setattr(os, name, refuse)
        assert codes(minimal) == ["C125"]
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


def test_a_writer_removes_no_temporary_file_of_a_change_it_cannot_settle(minimal):
    book = read_codebook(str(minimal))
    interrupt(minimal, 1)
    (minimal / "sensors.csv").write_text("edited by hand\n")
    found = contents(minimal)
    with pytest.raises(CorpusError), locked(str(minimal), book):
        pass
    assert contents(minimal) == found


def wrong_file(name):
    def spoil(found, data):
        found["files"][1]["file"] = name

    return spoil


def wrong_temporary(key, name):
    def spoil(found, data):
        found["files"][1][key] = name

    return spoil


def twice(found, data):
    found["files"][1] = found["files"][0]


def no_copy_of_what_was(found, data):
    found["files"][1]["old"] = None


def outside(found, data):
    """The table is a link to a file of the user, and what would replace it lies ready there."""
    home = data.parent / "home"
    home.mkdir()
    entry = found["files"][1]
    (home / "sensors.csv").write_bytes((data / "sensors.csv").read_bytes())
    os.rename(data / entry["new"], home / entry["new"])
    (data / "sensors.csv").unlink()
    (data / "sensors.csv").symlink_to(home / "sensors.csv")


HOSTILE = {
    "a file outside": wrong_file("../home.csv"),
    "a file named by its root": wrong_file("/etc/passwd"),
    "a detour": wrong_file("../data/sensors.csv"),
    "the codebook": wrong_file("codebook.toml"),
    "no table": wrong_file("notes.csv"),
    "a folder": wrong_temporary("new", "../.sensors.csv.0123456789ab.tmp"),
    "a folder inside": wrong_temporary("new", ".x/.sensors.csv.0123456789ab.tmp"),
    "another table's file": wrong_temporary("new", ".papers.csv.0123456789ab.tmp"),
    "a table as what is new": wrong_temporary("new", "papers.csv"),
    "a table as what was": wrong_temporary("old", "papers.csv"),
    "a name with a line end": wrong_temporary("old", ".sensors.csv.0123456789ab.tmp\n"),
    "nothing as what is new": wrong_temporary("new", ""),
    "a table twice": twice,
    "no copy": no_copy_of_what_was,
    "a link that leaves the folder": outside,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_journal_that_no_writer_leaves_is_never_applied(minimal, case):
    interrupt(minimal, 1)
    found = journal(minimal)
    HOSTILE[case](found, minimal)
    (minimal / JOURNAL_FILE).write_text(json.dumps(found))
    before = everything(minimal.parent)
    assert codes(minimal) == ["C125"]
    assert everything(minimal.parent) == before


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_old_content_of_another_digest_is_not_put_back(minimal):
    interrupt(minimal, 1)
    (minimal / journal(minimal)["files"][0]["old"]).write_bytes(b"nr\n")
    found = contents(minimal)
    assert codes(minimal) == ["C125"]
    assert contents(minimal) == found


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", '{"format": 1, "files": []}', '{"format": 2, "files": []}', "[" * 100_000, "\0", "9" * 10_000,
     '{"format": 1, "files": [{}]}', '{"format": 1, "files": 1, "more": 1}', "\udcff", " " * 2_000_000],
)  # fmt: skip
def test_a_damaged_journal_is_a_finding(minimal, text):
    (minimal / JOURNAL_FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    before = contents(minimal)
    assert codes(minimal) == ["C125"]
    assert contents(minimal) == before


@pytest.mark.parametrize("kind", ["folder", "link", "dangling link", "pipe"])
def test_a_journal_that_is_not_a_plain_file_is_a_finding(minimal, kind):
    path = minimal / JOURNAL_FILE
    target = minimal.parent / "elsewhere"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        if kind == "link":
            target.write_text("{}")
        path.symlink_to(target)
    assert codes(minimal) == ["C125"]
    with pytest.raises(CorpusError), locked(str(minimal), read_codebook(str(minimal))):
        pass
    assert target.exists() == (kind == "link")


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
    book = read_codebook(str(minimal))
    before, _ = interrupt(minimal, 1)
    found = contents(minimal)
    monkeypatch.setattr("corpus.tables.writing.lock.PATIENCE", 0.1)
    with pytest.raises(UsageProblem):
        settle_interrupted(str(minimal), book)
    assert contents(minimal) == found
    holder.kill()
    holder.wait()
    settle_interrupted(str(minimal), book)
    assert contents(minimal) == before


def test_a_reader_goes_on_once_the_living_writer_is_done(minimal, holder, monkeypatch):
    book = read_codebook(str(minimal))
    interrupt(minimal, 1)

    def pause(_):
        (minimal / JOURNAL_FILE).unlink()  # as the writer does, which keeps the lock

    monkeypatch.setattr("corpus.tables.writing.lock.time.sleep", pause)
    found = {name: content for name, content in contents(minimal).items() if name != JOURNAL_FILE}
    settle_interrupted(str(minimal), book)
    assert contents(minimal) == found


def test_a_change_leaves_nothing_but_the_tables(minimal):
    new = {str(minimal / name): changed((minimal / name).read_bytes()) for name in NAMES}
    names = set(os.listdir(minimal))
    replace_tables(str(minimal), new)
    assert {str(minimal / name): (minimal / name).read_bytes() for name in NAMES} == new
    assert set(os.listdir(minimal)) == names


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
