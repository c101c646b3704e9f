"""One writer at a time: an advisory lock on the data folder, and changes of tables that happen whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from corpus.model.codebook import Codebook
from corpus.model.corpus import Row, Study
from corpus.model.finding import UsageProblem
from corpus.tables.atomic import TEMPORARY, write_all_atomic
from corpus.tables.location import is_parquet, shown_path
from corpus.tables.writer import canonical_text

#: Name of the lock file on Windows, which cannot lock a folder.
LOCK_FILE = ".corpus.lock"

#: How long one writer may hold the folder before another one gives up, in seconds.
PATIENCE = 120.0

#: How long a waiting writer pauses between two tries, in seconds.
PAUSE = 0.05


@contextlib.contextmanager
def locked(data: str, book: Codebook, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the data folder for writing; temporary files that a killed writer left are removed.

    Everything that decides what is written must be read inside, or another writer's change is lost.

    Raises
    ------
    UsageProblem
        Where another process holds the folder for longer than `patience` seconds. Many writers may wait longer than
        that for their turn: each that begins sets the time of the folder, and patience is counted from there.
    """
    with contextlib.ExitStack() as held:
        _take(data, held, patience)
        with contextlib.suppress(OSError):
            os.utime(data)
        _remove_leftovers(data, book)
        yield


def _take(data: str, held: contextlib.ExitStack, patience: float) -> None:
    began, deadline = os.stat(data).st_mtime_ns, time.monotonic() + patience
    while not _try(data, held):
        latest = os.stat(data).st_mtime_ns
        if latest != began:
            began, deadline = latest, time.monotonic() + patience
        elif time.monotonic() > deadline:
            raise UsageProblem(
                f"{data} is being written by another process and has been for {patience:.0f} s; "
                "try again when it is done"
            )
        time.sleep(PAUSE)


if sys.platform == "win32":

    def _try(data: str, held: contextlib.ExitStack) -> bool:
        from filelock import FileLock, Timeout

        lock = FileLock(os.path.join(data, LOCK_FILE), timeout=0)
        try:
            lock.acquire()
        except Timeout:
            return False
        held.callback(lock.release)
        return True

else:

    def _try(data: str, held: contextlib.ExitStack) -> bool:
        """Lock the folder itself, so that no file is left in it; the system frees the lock of a killed process."""
        import fcntl

        descriptor = os.open(data, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        held.callback(os.close, descriptor)
        return True


def _remove_leftovers(data: str, book: Codebook) -> None:
    """Remove temporary files of declared tables; nobody else writes them while the lock is held."""
    for spec in book.tables.values():
        folder, file = os.path.split(os.path.join(data, spec.file))
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            match = TEMPORARY.fullmatch(name)
            if match and match["target"] == file:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))


def save_rows(corpus: Study, rows: dict[str, list[Row]]) -> list[str]:
    """Write tables in canonical form; call it inside :func:`locked`.

    Parameters
    ----------
    corpus : Study
        As it was read inside the lock.
    rows : dict of str to list of tuple of str
        Table name -> its new rows, in any order.

    Returns
    -------
    list of str
        The paths of the files that changed.
    """
    contents: dict[str, str | bytes] = {}
    for name, new in rows.items():
        table = corpus.tables[name]
        path = os.path.join(corpus.root, table.spec.file)
        if is_parquet(path):
            raise UsageProblem(f"{shown_path(path)} is kept as Parquet; only tables kept as CSV can be changed")
        text = canonical_text(new, table.spec)
        if text != table.text:
            contents[path] = text
    write_all_atomic(contents)
    return list(contents)
