"""Write an export into a folder, without touching anything there that an export did not write."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from corpus.model.finding import UsageProblem
from corpus.tables.atomic import TEMPORARY, write_atomic
from corpus.tables.replacing import new_folders, refuse_protected

#: Lists the files that an export wrote into the folder; only these are ever replaced or removed.
MARKER = ".corpus-export"


def write_folder(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files (relative path -> content) into a folder, each whole or not at all; stale ones are removed.

    Raises
    ------
    UsageProblem
        Where the folder exists, is not empty and was not made by an export, or where one of the files stands there
        that no export wrote, or one that would change is write-protected. Nothing is written then.
    """
    ours = _ours(folder)
    for name in files:
        path = os.path.join(folder, name)
        if os.path.lexists(path) and name not in ours:
            raise UsageProblem(f"{path} was not written by an export; move it away or name another folder")
    refuse_protected(os.path.join(folder, name) for name in ours)
    with new_folders(folder):
        _mark(folder, {*ours, *files})  # first the union, so that an interrupted run can be repeated
    for name, content in files.items():
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or _read(path) != content:
            with new_folders(os.path.dirname(path)):
                write_atomic(path, content)
    for name in ours - set(files):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
        with contextlib.suppress(OSError):  # only an empty folder goes
            os.removedirs(os.path.dirname(os.path.join(folder, name)))
    _mark(folder, set(files))


def _ours(folder: str) -> set[str]:
    """Return the files that an earlier export wrote; UsageProblem where the folder is somebody else's."""
    if not os.path.lexists(folder):
        return set()
    if not os.path.isdir(folder):
        raise UsageProblem(f"{folder} is not a folder")
    marker = os.path.join(folder, MARKER)
    if os.path.isfile(marker):
        names = _read(marker).decode("utf-8", "replace").splitlines()
        return {name for name in names if name and not name.startswith("#") and _inside(name)}
    if not all(_is_unfinished_marker(name) for name in os.listdir(folder)):
        raise UsageProblem(f"{folder} is not empty and was not made by `corpus export`; name another folder")
    return set()


def _is_unfinished_marker(name: str) -> bool:
    """Whether a file is all that an export left which was killed before it wrote anything else."""
    match = TEMPORARY.fullmatch(name)
    return match is not None and match["target"] == MARKER


def _inside(name: str) -> bool:
    """Whether a listed path stays below the folder; a marker is a file that anybody can write."""
    return not os.path.isabs(name) and ".." not in name.replace("\\", "/").split("/")


def _mark(folder: str, names: set[str]) -> None:
    lines = [
        "# Written by `corpus export`; the next run may replace or remove these files.",
        *sorted(names),
    ]
    write_atomic(os.path.join(folder, MARKER), "".join(line + "\n" for line in lines))


def _read(path: str) -> bytes:
    with open(path, "rb") as handle:
        return handle.read()
