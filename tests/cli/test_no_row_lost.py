"""Every command that changes tables, stopped at every step: all rows are as before or as after, over all files."""

import csv
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.cli.check import fmt
from corpus.curation.edit import revision
from corpus.tables.location import is_interrupted, journal_path
from corpus.tables.writing import atomic, journal, lock
from corpus.tables.writing.lock import writable_data
from tests.corpora.minimal import write_minimal
from tests.support.warm import STEPS

ROOT = Path(__file__).parents[2]

BOG = ("--set", "who=Mire, Al", "--set", "year=2021", "--set", "probe=optical", "--set", "measures=heat",
       "--set", "authors=Mire, Al", "--set", "public=2021-03")  # fmt: skip

COMMANDS = {
    "add": ("add", "--no-input", "--set", "id=bog", "--set", "name=Listening to bogs", *BOG),
    "promote": ("add", "--no-input", "--promote", "--set", "id=rod", "--set", "name=Dowsing for beginners", *BOG),
    "exclude": ("exclude", "till", "--no-input", "--cascade", "--set", "source=library", "--set", "found=L9", "--set", "stage=abstract"),
    "edit": ("edit", "fen", "--set", "remark=dry"),
    "edit key": ("edit", "fen", "--set", "id=marsh"),
    "fmt": ("fmt",),
}  # fmt: skip

#: Title of the work that moves between two tables.
MOVING = {"promote": "Dowsing for beginners", "exclude": "Temperatures of till"}


class Killed(BaseException):
    """The process is gone; what follows is what would not have happened."""


class Stop:
    """Let the calls of a save through, but for one, or for all from it on.

    Parameters
    ----------
    moment : int
        Which call is stopped; the first is 1.
    kind : str
        ``failure``: this call raises. ``failures``: this one and all behind it do. ``kill``: nothing happens from here.
    """

    def __init__(self, patched, moment, kind):
        self.moment, self.kind, self.calls, self.saving = moment, kind, 0, False
        for name in STEPS:
            patched.setattr(os, name, self._counted(getattr(os, name)))
        for module in (lock, journal, fmt):
            patched.setattr(module, "replace_tables", self._begin(journal.replace_tables))

    def _begin(self, real):
        def save(*arguments):
            self.saving = True
            real(*arguments)
            self.saving = False

        return save

    def _counted(self, real):
        def call(*arguments, **named):
            caller = sys._getframe(1).f_code.co_filename
            if self.saving and caller in (atomic.__file__, journal.__file__):
                self.calls += 1
                if self.calls == self.moment or (
                    self.calls > self.moment and self.kind != "failure"
                ):
                    if self.kind == "kill":
                        raise Killed
                    raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(arguments[0]))
            return real(*arguments, **named)

        return call


def make(folder, command):
    data = write_minimal(folder)
    if command == "fmt":
        for name in ("papers.csv", "sensors.csv", "rejected.csv"):
            lines = (data / name).read_bytes().splitlines()
            (data / name).write_bytes(b"\r\n".join([lines[0], *reversed(lines[1:]), b""]))
    return data


def files(data):
    return {path.name: path.read_bytes() for path in data.iterdir()}


def rows(data):
    """The rows of all tables; their order is no part of them."""
    found = {}
    for path in sorted(data.glob("[!.]*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.name] = sorted(csv.reader(file))
    return found


def after(run, folder, command):
    data = make(folder, command)
    result = run(*COMMANDS[command], "--data", data)
    assert result.exit_code == 0, result.output
    return rows(data), files(data)


def stopped(run, data, command, moment, kind):
    """Run a command and stop it; return its exit code, None for a kill, and how many calls there were."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            revision, "added_findings", lambda *_: []
        )  # most of the time, and no part of the save
        stop = Stop(patched, moment, kind)
        try:
            result = run(*COMMANDS[command], "--data", data)
        except Killed:
            return None, stop.calls
    return result.exit_code, stop.calls


@pytest.mark.parametrize("command", COMMANDS)
def test_a_failure_at_any_step_changes_nothing_and_the_command_can_be_repeated(
    run, tmp_path, command
):
    wanted, final = after(run, tmp_path / "sound", command)
    failed: list[Path] = []
    for moment in range(1, 200):
        data = make(tmp_path / f"m{moment}", command)
        old = files(data)
        code, calls = stopped(run, data, command, moment, "failure")
        if calls < moment:
            break
        if (
            code == 0
        ):  # a second name that the system does not grant, a folder that cannot be made durable
            assert rows(data) == wanted
            continue
        failed.append(data)
        assert code == 1
        assert files(data) == old
    assert len(failed) > 3
    # Every failure left the same bytes and nothing beside them, so one of them stands for all.
    assert run(*COMMANDS[command], "--data", failed[-1]).exit_code == 0
    assert files(failed[-1]) == final


@pytest.mark.parametrize("kind", ["kill", "failures"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_next_command_finds_all_rows_as_before_or_as_after(run, tmp_path, command, kind):
    """The process dies at each step, or nothing works from it on; then somebody reads, writes and tries again."""
    wanted, final = after(run, tmp_path / "sound", command)
    seen = set()
    repeated: list[dict[str, bytes]] = []
    for moment in range(1, 200):
        data = make(tmp_path / f"m{moment}", command)
        old, before = files(data), rows(data)
        code, calls = stopped(run, data, command, moment, kind)
        if calls < moment:
            break
        stopped_rows = rows(data)
        run("list", "--data", data)
        assert rows(data) == stopped_rows  # no reading command writes
        writable_data(str(data))
        found = rows(data)
        assert found in (before, wanted)
        assert not is_interrupted(str(data))
        if code == 0:
            assert found == wanted
        if command == "fmt":
            assert all(files(data)[name] in (old[name], final[name]) for name in old)
        else:
            seen.add(found == wanted)
            run("fmt", "--data", data)
            assert rows(data) == found
            assert files(data).keys() == old.keys()
        again = files(data)
        if found == before and again not in repeated:
            repeated.append(again)
            assert run(*COMMANDS[command], "--data", data).exit_code == 0
            assert files(data) == final
    assert command == "fmt" or True in seen
    assert moment > 4


@pytest.mark.parametrize("command", MOVING)
def test_a_row_that_moves_is_in_one_table_at_least_even_where_the_journal_is_lost(
    run, tmp_path, command
):
    for moment in range(1, 200):
        data = make(tmp_path / f"m{moment}", command)
        _, calls = stopped(run, data, command, moment, "kill")
        for path in data.glob(".*"):
            path.unlink()
        Path(journal_path(str(data))).unlink(missing_ok=True)
        assert any(MOVING[command] in row for table in rows(data).values() for row in table)
        if calls < moment:
            break
    assert moment > 10


@pytest.mark.parametrize("ours", [True, False])
def test_git_ignores_lock_and_temporary_files(run, tmp_path, ours):
    """In a new corpus, and in this one."""
    folder = tmp_path / "new"
    assert run("init", folder).exit_code == 0
    if ours:
        shutil.copy(ROOT / ".gitignore", folder / ".gitignore")
    subprocess.run(["git", "init", "-q", folder], check=True)
    names = [f"data/{lock.LOCK_FILE}", f"data/{atomic.temporary_name('pool.csv')}"]
    done = subprocess.run(
        ["git", "-C", folder, "check-ignore", *names], capture_output=True, check=False, text=True
    )
    assert done.stdout.split() == names
