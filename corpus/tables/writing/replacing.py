"""Around the writing of a file: protected files, the file in an error, new folders."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from corpus.model.finding import UsageProblem

#: Errors of writing for which the system names no file.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def refuse_protected(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse to replace files that are write-protected.

    A rename asks for no permission on the file that it replaces, only on its folder. Whoever
    protected a file wants to keep it all the same.

    Raises
    ------
    UsageProblem
        Where one of the files is there and may not be written.
    """
    for path in paths:
        try:
            mode = os.stat(path).st_mode
        except OSError:  # there is none, or writing will show what is wrong
            continue
        # An administrator may write everything; only the missing permission tells that the file is
        # protected.
        if not mode & 0o222 or not os.access(path, os.W_OK):
            shown = os.fspath(path)
            raise UsageProblem(
                f"{shown} is write-protected and was not replaced; "
                f"chmod u+w {shown}, or name another file"
            )


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Put the name of a file into an error of writing it; on a full disk the system names none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in NO_ROOM:
            error.filename = path
        raise


@contextmanager
def new_folders(path: str) -> Iterator[None]:
    """Make a folder and those above it; after an error, remove the new ones that are empty."""
    made: list[str] = []
    try:
        _make(os.path.abspath(path), made)
        yield
    except BaseException:
        for folder in reversed(made):
            try:
                os.rmdir(folder)
            except OSError:  # something was written into it
                break
        raise


def _make(folder: str, made: list[str]) -> None:
    """Make a folder and those above it; note each that was not there."""
    if not os.path.isdir(folder):
        _make(os.path.dirname(folder), made)
        os.mkdir(folder)
        made.append(folder)
