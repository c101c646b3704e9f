"""Fill a new folder whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping

from corpus.tables.atomic import TEMPORARY, Content, temporary_name, write_all_atomic


def is_filled(folder: str) -> bool:
    """Return whether a folder exists and holds more than what a killed writer left."""
    return os.path.isdir(folder) and not all(map(TEMPORARY.fullmatch, os.listdir(folder)))


def write_new_folder(folder: str, files: Mapping[str, Content]) -> None:
    """Write files (relative path -> content) into a folder that does not exist or is empty.

    They are written into a temporary folder, which then becomes the new one, so that a writer that is killed leaves
    no folder of half a corpus. In a folder that exists already, it is what lies in the temporary one that moves.

    Raises
    ------
    OSError
        Where one of them cannot be written; everything that was made is gone again then, folders included.
    """
    folder = os.path.abspath(folder)
    exists = os.path.isdir(folder)
    above = folder if exists else os.path.dirname(folder)
    part = os.path.join(above, temporary_name(folder))
    made: list[str] = []
    moved: list[str] = []
    try:
        _make(above, made)
        for path in files:
            os.makedirs(os.path.dirname(os.path.join(part, path)), exist_ok=True)
        write_all_atomic({os.path.join(part, path): content for path, content in files.items()})
        if not exists:
            os.rename(part, folder)
            return
        for name in sorted(os.listdir(part)):
            os.rename(os.path.join(part, name), os.path.join(folder, name))
            moved.append(os.path.join(folder, name))
        os.rmdir(part)
    except BaseException:
        for path in (part, *moved):
            shutil.rmtree(path, ignore_errors=True)
            with contextlib.suppress(OSError):
                os.unlink(path)
        for path in reversed(made):
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise


def _make(folder: str, made: list[str]) -> None:
    """Make a folder and those above it; note each that was not there."""
    if not os.path.isdir(folder):
        _make(os.path.dirname(folder), made)
        os.mkdir(folder)
        made.append(folder)
