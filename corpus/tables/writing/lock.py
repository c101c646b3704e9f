"""One writer at a time: an advisory lock on the data folder, and whole changes of tables."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from corpus.model.codebook import Codebook
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.location import RELEASES_FILE, find_data, is_interrupted, released_files
from corpus.tables.writing.atomic import is_temporary_of
from corpus.tables.writing.journal import refuse_half_change, replace_tables, settle
from corpus.tables.writing.writer import canonical_text

#: Name of the lock file on Windows, which cannot lock a folder.
LOCK_FILE = ".corpus.lock"

#: How long one writer may lock the folder before another one gives up, in seconds.
PATIENCE = 120.0

#: How long a waiting writer pauses between two tries, in seconds.
PAUSE = 0.05


@contextlib.contextmanager
def locked(data: str, book: Codebook) -> Iterator[None]:
    """Lock the data folder for writing; first undo what a killed writer left.

    Everything that decides what is written must be read inside, or another writer's change is lost.

    Raises
    ------
    CorpusError
        C125 where an interrupted change cannot be undone.
    UsageProblem
        Where another process locks the folder for longer than :data:`PATIENCE` seconds. Many
        writers may wait longer than that for their turn: each that begins sets the time of the
        folder, and patience is counted from there.
    """
    with contextlib.ExitStack() as held:
        _take(data, held)
        with contextlib.suppress(OSError):
            os.utime(data)
        settle(data)  # before the temporary files go: undoing needs them
        remove_leftovers(data, (RELEASES_FILE, *released_files(book)))
        yield


def writable_data(named: str | None) -> str:
    """Return the data folder to write into; never the dataset inside an installed package.

    What a killed writer left half done in it is undone first.

    Raises
    ------
    UsageProblem
        As for :func:`find_data` of an own corpus.
    """
    folder = find_data(named, own=True)
    _after_the_writer(folder, settle)
    return folder


def wait_for_writer(data: str) -> None:
    """Wait for a change under way; refuse to read one that was interrupted half done.

    Raises
    ------
    CorpusError
        C125 where the files are half changed.
    UsageProblem
        As for :func:`locked`.
    """
    _after_the_writer(data, refuse_half_change)


def _after_the_writer(data: str, look: Callable[[str], None]) -> None:
    """Look at a journal in the locked folder: only where nobody has locked it its writer died."""
    with contextlib.ExitStack() as held:
        if _take(data, held, lambda: is_interrupted(data)):
            look(data)


def _take(
    data: str, held: contextlib.ExitStack, is_needed: Callable[[], bool] = lambda: True
) -> bool:
    """Wait for the lock while it is needed; return whether it was taken."""
    began = os.stat(data).st_mtime_ns
    deadline = time.monotonic() + PATIENCE
    while is_needed():
        if _try(data, held):
            return True
        latest = os.stat(data).st_mtime_ns
        if latest != began:
            began = latest
            deadline = time.monotonic() + PATIENCE
        elif time.monotonic() > deadline:
            raise UsageProblem(
                f"another process has been writing {data} for {PATIENCE:.0f} s; "
                "try again when it is done"
            )
        time.sleep(PAUSE)
    return False


if sys.platform == "win32":

    def _try(data: str, held: contextlib.ExitStack) -> bool:
        from filelock import FileLock, Timeout  # elsewhere the folder itself is locked

        lock = FileLock(os.path.join(data, LOCK_FILE), timeout=0)
        try:
            lock.acquire()
        except Timeout:
            return False
        held.callback(lock.release)
        return True

else:

    def _try(data: str, held: contextlib.ExitStack) -> bool:
        """Lock the folder itself: no file stays, and the system frees a killed process's lock."""
        import fcntl  # Windows has none

        descriptor = os.open(data, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        held.callback(os.close, descriptor)
        return True


def remove_leftovers(root: str, files: Iterable[str]) -> None:
    """Remove temporary files of some files below a folder.

    Nobody else writes such files while the data folder is locked.
    """
    for path in files:
        folder = os.path.dirname(os.path.join(root, path))
        if not os.path.isdir(folder):
            continue
        for name in os.listdir(folder):
            if is_temporary_of(name, path):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))


def changed_files(before: Study, after: Study) -> dict[str, str]:
    """Return the texts of the files that differ, in the order in which they are to be written.

    Tables are in canonical form. One that gains rows comes before one that loses rows. So a row
    that moves is in two tables for a moment, never in none, even where the journal is lost.

    Returns
    -------
    dict of str to str
        Path below the data folder -> text: of tables, then of codebook and documents.
    """
    texts = {}
    for table in sorted(after.changed_tables(before), key=partial(_turn, before)):
        text = canonical_text(table.rows, table.spec)
        if text != before.tables[table.spec.name].text:
            texts[table.spec.file] = text
    return {**texts, **after.changed_texts(before)}


def save(data: str, texts: Mapping[str, str]) -> None:
    """Write new texts of files (path below the data folder -> text), all or nothing.

    Call it inside :func:`locked`, with what :func:`changed_files` returns about studies that were
    read inside.
    """
    contents = {}
    for file, text in texts.items():
        contents[os.path.join(data, file)] = text
    replace_tables(data, contents)


def _turn(study: Study, table: Table) -> tuple[int, int]:
    """Return the sort key of a table in the order of writing: those that lose rows come last.

    The pool is the first that gains and the last that loses, since the other tables refer to it.
    """
    name = table.spec.name
    before, now = len(study.tables[name].rows), len(table.rows)
    turn = (now < before) - (now > before)
    if name == study.codebook.pool.name:
        return turn, turn
    return turn, 0
