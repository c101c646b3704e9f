"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterable, Mapping

from corpus.tables.replacing import naming, refuse_protected

#: What a file is to hold: text, bytes, or pieces of either that are written as they are made and never held whole.
Content = str | bytes | Iterable[str | bytes]


def write_atomic(path: str | os.PathLike[str], content: Content) -> None:
    """Replace `path` by `content`: temporary file beside it, fsync, rename; an existing file keeps its mode.

    A symbolic link is followed, so that the file it points to is replaced and the link stays.

    Raises
    ------
    OSError
        Where the file cannot be written; the old one is left as it was and no temporary file stays behind.
    """
    write_all_atomic({os.fspath(path): content})


def write_all_atomic(contents: Mapping[str, Content]) -> None:
    """Replace several files; none is touched before all of them lie ready beside their targets.

    Raises
    ------
    OSError
        As for :func:`write_atomic`. A full disk or a missing permission leaves every file as it was.
    """
    ready: list[tuple[str, str]] = []
    try:
        for path, content in contents.items():
            target = os.path.realpath(path)
            temporary = os.path.join(os.path.dirname(target), temporary_name(target))
            ready.append((temporary, target))
            _write_new(temporary, content, _mode(target))
        for temporary, target in ready:
            os.replace(temporary, target)
    except BaseException:
        for temporary, _ in ready:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise
    for folder in {os.path.dirname(target) for _, target in ready}:
        _sync_folder(folder)


def temporary_name(target: str) -> str:
    """Return a new name for the temporary file of a target; `TEMPORARY` recognises it."""
    return f".{os.path.basename(target)[:100]}.{secrets.token_hex(6)}.tmp"


#: The names that :func:`temporary_name` makes; a killed writer leaves such a file behind.
TEMPORARY = re.compile(r"\.(?P<target>.+)\.[0-9a-f]{12}\.tmp")


def _write_new(path: str, content: Content, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with naming(path), open(descriptor, "wb") as handle:
        if isinstance(content, bytes):
            handle.write(content)
        else:
            for piece in (content,) if isinstance(content, str) else content:
                handle.write(piece if isinstance(piece, bytes) else piece.encode("utf-8"))
        handle.flush()
        os.fsync(handle.fileno())
    os.chmod(path, mode)


def _mode(target: str) -> int:
    """Return the mode that the new file gets; UsageProblem where the old one is write-protected."""
    refuse_protected([target])
    try:
        return os.stat(target).st_mode & 0o7777
    except FileNotFoundError:
        return 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: str) -> None:
    """Make the rename itself durable, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
