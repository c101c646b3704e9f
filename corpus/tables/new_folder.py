"""Fill a new folder whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping

from corpus.tables.atomic import TEMPORARY, Content, temporary_name, write_all_atomic
from corpus.tables.replacing import new_folders


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
    with new_folders(above):
        _fill(folder, part, files, exists)


def _fill(folder: str, part: str, files: Mapping[str, Content], exists: bool) -> None:
    """Write the files into the folder `part`, and make that the new one, or move what is in it."""
    moved: list[str] = []
    try:
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
        raise
