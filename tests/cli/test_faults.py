"""A full disk, a missing permission or a kill at any moment of a write: old or new files, never half, nothing beside."""

import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.cli import main
from corpus.curation.edit import revision
from corpus.curation.release import release
from corpus.publishing.export.formats import FOLDER, FORMATS
from corpus.tables import content
from corpus.tables.writing import atomic
from tests.corpora.full import declare_accepted_claims
from tests.corpora.minimal import write_minimal
from tests.support.daily import paired, part
from tests.support.recorded_samples import team_log
from tests.support.warm import killed
from tests.support.warm import run as run_warm

ROOT = Path(__file__).parents[2]
MARKER = "out/.corpus-export"  # names first what will be written, then what was
EXAMPLES = ROOT / "data" / "traces" / "examples"
CLAIMS = """\
format = 1

[[claims]]
id = "size"
statement = "Nine sensors are known."
count = 9
"""

COMMANDS = {
    "edit": ("edit", "fen", "--set", "remark=dry"),
    "add": ("add", "--no-input", "--set", "id=bog", "--set", "name=Listening to bogs", "--set", "who=Mire, Al", "--set", "year=2021",
            "--set", "probe=optical", "--set", "measures=heat", "--set", "authors=Mire, Al", "--set", "public=2021-03"),
    "exclude": ("exclude", "till", "--no-input", "--cascade", "--set", "source=library", "--set", "found=L9", "--set", "stage=abstract"),
    "codebook": ("codebook", "--change", "probe:optical=visual", "--yes"),
    "release": ("release", "first"),
    "fmt": ("fmt",),
    "export": ("export", "bibtex", "-o", "out.bib"),
    "export all": ("export", "--all", "--out", "out"),
    "site": ("site", "-o", "page.html"),
    "figures": ("figures", "--format", "svg", "--out", "drawn"),
    "appendix": ("render-appendix", "--format", "markdown", "-o", "appendix.md"),
    "init": ("init", "new"),
    "init from": ("init", "new", "--from", "data/sensors.csv"),
    "build": ("build",),
    "forms": ("forms",),
    "render": ("render", "-o", "numbers.tex"),
    "render in place": ("render", "a.md", "b.tex"),
    "acknowledge": ("claims", "--acknowledge", "known"),
    "init-git": ("init-git",),
    "trace convert": ("trace", "convert", "log.json", "-o", "run.json", "--loss", "loss.json"),
    "trace convert to": (
        *("trace", "convert", "trace.json", "--to", "atif"),
        *("-o", "run.json", "--loss", "loss.json"),
    ),
    "trace draw": ("trace", "draw", "trace.json", "-o", "run.svg"),
    "trace view": ("trace", "view", "trace.json", "-o", "run.html"),
    "trace draw text": ("trace", "draw", "trace.json", "--format", "text", "-o", "run.txt"),
    "trace reward": ("trace", "reward", "trace.json", "--from", "rewards.csv", "-o", "out.jsonl"),
    "trace rows": ("trace", "rows", "trace.json", "-o", "rows.parquet"),
    "trace stats": ("trace", "stats", "trace.json", "--format", "csv", "-o", "run.csv"),
    **{f"export {name}": ("export", name, "-o", "out") for name in FORMATS},
}  # fmt: skip

#: Commands that write nothing but to standard output, to the terminal or, for git, into a file of git's own.
READERS = {
    "screen",  # writes through the same function as edit does
    "retrieve",  # writes through the same function as edit does, and its state whole
    "verify",  # writes through the same function as edit does
    "coverage",  # with --write it writes through the same function as edit does
    "stats",
    "sparsity",
    "check",  # with --fix it writes through the same function as fmt does
    "list",
    "show",
    "search",
    "evidence",
    "history",
    "agreement",
    "check-text",
    "docs",
    "diff",
    "merge-driver",
}
TRACE_READERS = {"validate", "label", "formats"}
STORES = {"ingest", "prices"}  # tests/trace/test_store.py
#: The corpus has no warning to accept, no record to number and no evidence to draw from.
LIKE_EDIT = {"accept", "audit", "number"}


def test_every_command_that_writes_is_tried():
    written = {command[0] for command in COMMANDS.values()} - {"trace"}
    assert written | READERS | LIKE_EDIT | {"trace", "dev"} == set(main.main.callable)
    assert not written & READERS
    traced = {command[1] for command in COMMANDS.values() if command[0] == "trace"}
    assert traced | TRACE_READERS | STORES == set(main.trace.lazy)


def prepare(root: Path, minimal: Path) -> None:
    """Put what the commands need beside the corpus: a repository, manuscripts, a claim that fails, a run, a trace."""
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / "a.md").write_text("<!-- corpus: PoolSize -->9<!-- /corpus -->\n")
    (root / "b.tex").write_text("% corpus: table-probe\n% /corpus\n")
    book = (minimal / "codebook.toml").read_text(encoding="utf-8")
    book = book.replace("[documents]\n", '[documents]\nclaims = "claims.toml"\n')
    (minimal / "codebook.toml").write_text(book, encoding="utf-8")
    (minimal / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    declare_accepted_claims(minimal)
    (root / "rewards.csv").write_text("trace,value\nexample-swarm,1\n", encoding="utf-8")
    (root / "trace.json").write_bytes((EXAMPLES / "swarm_refund.json").read_bytes())
    (root / "log.json").write_text(json.dumps(team_log()), encoding="utf-8")


def commit_what_can_be_released(root: Path, minimal: Path) -> None:
    """Track the claim that fails, and leave nothing uncommitted."""
    claims = (minimal / "claims.toml").read_text("utf-8")
    (minimal / "claims.toml").write_text(
        claims.replace("Nine", "Three").replace("count = 9", "count = 9\ntracked = true")
    )
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("add", "-A"), ("commit", "-q", "-m", "all")):
        subprocess.run(["git", "-C", root, *identity, *arguments], check=True)


class FullDisk:
    """A file that takes a few bytes and then says that the disk is full."""

    def __init__(self, handle, room: int) -> None:
        self.handle, self.room = handle, room

    def __enter__(self):
        self.handle.__enter__()
        return self

    def __exit__(self, *error: object):
        return self.handle.__exit__(*error)

    def write(self, data: bytes) -> int:
        written = self.handle.write(data[: self.room])
        self.room -= written
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written

    def __getattr__(self, name: str):
        return getattr(self.handle, name)


def failing(number: int) -> Callable[..., None]:
    def fail(*arguments: object, **_: object) -> None:
        raise OSError(
            number, os.strerror(number), arguments[0] if isinstance(arguments[0], str) else None
        )

    return fail


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "disk full": lambda m: m.setattr(
        atomic,
        "open",
        lambda *a: FullDisk(open(*a), 5),  # noqa: SIM115 — the caller closes it
        raising=False,
    ),
    "disk full at the end": lambda m: m.setattr(os, "fsync", failing(errno.ENOSPC)),
    "no permission": lambda m: m.setattr(os, "replace", failing(errno.EACCES)),
    "read only": lambda m: m.setattr(atomic.os, "chmod", failing(errno.EROFS)),
}


def tree(folder: Path) -> dict[str, bytes]:
    """Every file but those of git itself."""
    files = (
        path
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


WITH_OUTPUT = [name for name, command in COMMANDS.items() if "-o" in command]
#: These make a folder, or never touch what is there.
REFUSING = {*(f"export {name}" for name, one in FORMATS.items() if one.kind == FOLDER)}


def make_device(path: Path) -> None:
    """Make another /dev/null."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices, and not in every container")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no mknod")
@pytest.mark.parametrize("command", WITH_OUTPUT)
def test_an_output_never_takes_the_place_of_a_device_pipe_or_link(run, minimal, command):
    root = minimal.parent
    prepare(root, minimal)
    arguments = COMMANDS[command]
    # Of two outputs both are tried: their names follow the options.
    outputs = [
        root / arguments[at + 1] for at, word in enumerate(arguments) if word in ("-o", "--loss")
    ]
    kept = root / "kept"
    kept.mkdir()
    code = 2 if command in REFUSING else 0

    for path in outputs:
        make_device(path)
    assert run(*arguments, cwd=root).exit_code == code
    for path in outputs:
        assert os.lstat(path).st_rdev == os.makedev(1, 3)
        path.unlink()
    if command in REFUSING:
        return

    assert run(*arguments, cwd=root).exit_code == 0
    written = {path: path.read_bytes() for path in outputs}
    readers = []
    for path in outputs:
        path.unlink()
        os.mkfifo(path)
        readers.append(subprocess.Popen(["cat", path], stdout=subprocess.PIPE))
    assert run(*arguments, cwd=root).exit_code == 0
    assert [reader.communicate()[0] for reader in readers] == list(written.values())

    for path in outputs:
        assert stat.S_ISFIFO(os.lstat(path).st_mode)
        path.unlink()
        (kept / path.name).write_text("old\n")
        path.symlink_to(kept / path.name)
    assert run(*arguments, cwd=root).exit_code == 0
    for path in outputs:
        assert path.is_symlink()
        assert (kept / path.name).read_bytes() == written[path]

        path.unlink()
        (kept / path.name).write_text("old\n")
        path.hardlink_to(kept / path.name)
    assert run(*arguments, cwd=root).exit_code == 0
    for path in outputs:  # written whole or not at all, so the other name keeps the old content
        assert path.read_bytes() == written[path]
        assert (kept / path.name).read_text() == "old\n"
        path.chmod(0o444)
    assert run(*arguments, cwd=root).exit_code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev")
def test_a_pipe_of_the_shell_gets_the_output(minimal):
    """As `-o >(gzip)` and `-o /dev/stdout` give it: a name below /dev that is no file of its own."""
    here, there = os.pipe()
    arguments = ("export", "bibtex", "-o", f"/dev/fd/{there}")
    done = subprocess.run(
        [sys.executable, "-m", "corpus", *arguments],
        cwd=minimal.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        pass_fds=[there],
        check=False,
    )
    os.close(there)
    with open(here, "rb") as reader:
        assert reader.read().startswith(b"@")
    assert done.returncode == 0


@pytest.mark.parametrize(("command", "fault"), paired(COMMANDS, FAULTS))
def test_a_failed_write_leaves_every_file_and_reports_one_line(
    run, minimal, monkeypatch, command, fault
):
    root = minimal.parent
    prepare(root, minimal)
    if command == "fmt":
        (minimal / "papers.csv").write_bytes(
            (minimal / "papers.csv").read_bytes().replace(b"\n", b"\r\n")
        )
    if command == "release":
        commit_what_can_be_released(root, minimal)
    before = tree(root)
    with monkeypatch.context() as patched:
        # The check before the save writes elsewhere; only the save is meant.
        if command in ("edit", "add", "exclude"):
            module, name = revision, "save"
        else:
            module, name = release, "replace_tables"
        if command in ("edit", "add", "exclude", "release"):
            real = getattr(module, name)

            def save(*arguments):
                FAULTS[fault](patched)
                return real(*arguments)

            patched.setattr(module, name, save)
        else:
            FAULTS[fault](patched)
        result = run(*COMMANDS[command], cwd=root)
    assert result.exit_code == 1
    said = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(said) == 1, result.stderr
    assert re.search("No space left|Permission denied|Read-only", said[0])
    assert tree(root) == before
    again = run(*COMMANDS[command], cwd=root)  # nothing is in the way of a second try
    assert again.exit_code == 0, again.output


def is_temporary(name: str) -> bool:
    """Whether a file is a writer's own, or lies in a folder of one."""
    return any(map(atomic.TEMPORARY.fullmatch, Path(name).parts))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    "command",
    [
        "site",
        "export data-package",
        "render in place",
        "acknowledge",
        "forms",
        "init",
        "trace convert",
        "trace draw text",
    ],
)
def test_a_kill_at_every_step_of_an_output_leaves_whole_files(run, tmp_path, command):
    """The process dies before each system call that writes; what is there is a whole file, and a second try completes it."""
    sound = write_minimal(tmp_path / "sound").parent
    prepare(sound, sound / "data")
    old = tree(sound)
    assert run(*COMMANDS[command], cwd=sound).exit_code == 0
    new = tree(sound)
    assert new != old
    # A file takes six steps; behind the first files, each step is met in another file.
    for moment in (*range(1, 8), *part(range(8, 400), 17)):
        root = write_minimal(tmp_path / f"m{moment}").parent
        prepare(root, root / "data")
        exit_code = run_warm(killed(moment, "all"), root, COMMANDS[command])
        found = {name: text for name, text in tree(root).items() if not is_temporary(name)}
        assert all(
            text in (old.get(name), new.get(name)) for name, text in found.items() if name != MARKER
        )
        if exit_code != -signal.SIGKILL:
            break
        assert found == new or run(*COMMANDS[command], cwd=root).exit_code == 0
    assert exit_code == 0
    assert moment > 3


def test_a_table_that_may_not_be_read_is_a_finding(run, minimal, monkeypatch):
    """As for a user without the permission, also where the tests run as one who may read everything."""

    def guarded(path, *arguments, **named):
        if str(path).endswith("rejected.csv"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return open(path, *arguments, **named)

    monkeypatch.setattr(content, "open", guarded, raising=False)
    result = run("check", "--data", minimal)
    assert result.exit_code == 1
    assert "rejected.csv: error C103" in result.stdout
