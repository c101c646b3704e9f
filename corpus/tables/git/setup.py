"""Tell git to merge the tables of a corpus by rows and cells."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from corpus.model.codebook import Codebook
from corpus.model.finding import UsageProblem
from corpus.tables.atomic import write_atomic

DRIVER = "corpus"


def set_up_git(data: str, book: Codebook) -> list[str]:
    """Register the merge driver for the repository that holds a data folder.

    The driver goes into the repository's own configuration, its use into `.gitattributes`.

    Returns
    -------
    list of str
        What was done, in words; empty where everything stood already.

    Raises
    ------
    UsageProblem
        Where the folder is in no git repository, or git is not installed.
    """
    root = git_output(data, "rev-parse", "--show-toplevel")
    done = []
    command = f"{shlex.quote(sys.executable)} -m corpus merge-driver %O %A %B %P"
    for name, value in ((f"merge.{DRIVER}.name", "rows and cells of a corpus"), (f"merge.{DRIVER}.driver", command)):
        if git_output(root, "config", "--local", "--default", "", "--get", name) != value:
            git_output(root, "config", "--local", name, value)
            done.append(f"git config {name}")
    inside = os.path.relpath(os.path.realpath(data), os.path.realpath(root)).replace(os.sep, "/")
    files = [spec.file for spec in book.tables.values()]
    lines = [f"{file if inside == '.' else f'{inside}/{file}'} merge={DRIVER}" for file in files]
    if _add_lines(os.path.join(root, ".gitattributes"), lines):
        done.append(".gitattributes")
    return done


def git_output(folder: str, *arguments: str) -> str:
    """Run git in a folder and return what it prints; UsageProblem with git's own words where it fails."""
    try:
        result = subprocess.run(  # noqa: S603 - fixed program, no shell, arguments of our own
            ["git", "-C", folder, *arguments],  # noqa: S607 - the user's git is meant
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise UsageProblem("git is not installed") from None
    if result.returncode:
        raise UsageProblem(f"git says: {result.stderr.strip() or result.returncode}")
    return result.stdout.strip()


def _add_lines(path: str, lines: list[str]) -> bool:
    """Add the lines that a file lacks; return whether there were any."""
    try:
        with open(path, "rb") as handle:
            old = handle.read()
    except FileNotFoundError:
        old = b""
    known = {line.strip() for line in old.decode("utf-8", "replace").splitlines()}
    new = [line for line in lines if line not in known]
    if not new:
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    gap = b"\n" if old and not old.endswith(b"\n") else b""
    write_atomic(path, old + gap + "".join(f"{line}\n" for line in new).encode())
    return True


def merge_lines(base: str, ours: str, theirs: str) -> int:
    """Merge three files line by line into `ours`, as git does by itself.

    Returns
    -------
    int
        0 where it went well, 1 where there are conflicts, 2 where git failed.
    """
    command = ["git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs]
    result = subprocess.run(command, check=False)  # noqa: S603 - no shell; the names are git's temporary files
    return min(result.returncode, 1) if 0 <= result.returncode < 128 else 2


def leave_unmerged(ours: str, path: str) -> int:
    """Say in the file that stands for our side that it is not merged, lest that side pass for the result.

    It is overwritten in place, which needs no room on a full disk; git keeps all sides in its index.

    Returns
    -------
    int
        The exit code by which newer versions of git stop the merge, as for a driver that died.
    """
    with open(ours, "r+b") as handle:
        handle.write(f"not merged; once it can be written: git checkout --merge -- {path}\n".encode())
        handle.truncate()
    return 255
