"""A change of several files that happens as one: written down before the first file is replaced.

A writer that dies meanwhile leaves a journal in the user's state folder, and the next writer undoes
the change, unless every file was replaced. There no pull request can bring a journal, so what it
names is trusted. Readers write nothing: they refuse what is half changed. Where a file is neither
as it was before the change nor as it is after it, somebody has edited it since, and a person has to
judge.
"""

import contextlib
import hashlib
import json
import logging
import os
import stat
from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError, Rule
from corpus.tables.location import journal_path, shown_path
from corpus.tables.writing.atomic import (
    Content,
    HalfUndone,
    Replacement,
    prepare,
    put_back,
    remove_temporaries,
    replace_all,
    sync_folder,
    sync_folders,
    write_atomic,
)

INTERRUPTED = Rule(
    "C125",
    "a change of several files was interrupted and is not whole: {problem}",
    "{advice}",
    title="Interrupted change",
    reason="A program was stopped while it replaced several files. The next command that "
    "writes undoes the change by the journal in your state folder "
    "(~/.local/state/mas-rl-corpus); where that is not possible, a row may be in two tables.",
)


_LOG = logging.getLogger(__name__)

_COMPARE = (
    "compare the files with version control (`git diff`), correct what is wrong, "
    "then remove {journal}; until then nothing is read or written"
)
_WRITABLE = "run `corpus fmt` where the folder may be written; it undoes the change"


class InterruptedChange(NamedTuple):
    """What a dead writer left.

    Attributes
    ----------
    replacements : list of Replacement
        The files of the change, with their temporary files.
    replaced : list of Replacement
        Those that hold their new content already.
    """

    replacements: list[Replacement]
    replaced: list[Replacement]

    @property
    def is_half(self) -> bool:
        """Whether some files are new and others old."""
        return 0 < len(self.replaced) < len(self.replacements)


def replace_tables(data: str, contents: Mapping[str, Content]) -> None:
    """Replace tables, and other files of a corpus, as one change; call it while it is locked.

    Where the state folder cannot be written the change is undone on an error, yet not after a kill;
    a row that moves is then in two tables.

    Parameters
    ----------
    data : str
        The data folder.
    contents : mapping of str to str, bytes or pieces of them
        Path of a file -> its new content, in the order in which the files are replaced.

    Raises
    ------
    OSError
        With the file that could not be replaced; every file is as it was before.
    """
    replacements = prepare(contents)
    try:
        # One file is replaced by one rename.
        if len(replacements) > 1:
            # The journal must not be durable before what it names.
            sync_folders(replacements)
            with contextlib.suppress(OSError):
                _write_journal(data, replacements)
        replace_all(replacements)
    except HalfUndone:
        raise  # journal and old contents stay, for the next writer
    except BaseException:
        _forget(data, replacements)
        raise
    _forget(data, replacements)


def _write_journal(data: str, replacements: list[Replacement]) -> None:
    files = []
    for one in replacements:
        before = None if one.old is None else _digest(one.old)
        files.append([*one, before, _digest(one.new)])
    path = journal_path(data)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    write_atomic(path, json.dumps(files, indent=2) + "\n")


def _forget(data: str, replacements: list[Replacement]) -> None:
    """End a change that is whole or was put back.

    The temporary files go first: a program that dies between the two steps leaves a journal which
    has nothing left to undo.
    """
    remove_temporaries(replacements)
    # Where the journal cannot be removed, the change is over all the same.
    with contextlib.suppress(OSError):
        _remove_journal(data)


def _remove_journal(data: str) -> None:
    path = journal_path(data)
    os.unlink(path)
    sync_folder(os.path.dirname(path))


def settle(data: str) -> None:
    """Undo the change that a journal describes unless it is whole; call it in a locked folder.

    Raises
    ------
    CorpusError
        C125 where it cannot be undone, or where it takes a person to judge.
    """
    change = interrupted_change(data)
    if change is None:
        return
    if not change.replaced or change.is_half:
        outcome = "undone"
        try:
            put_back(change.replaced)
            remove_temporaries(change.replacements)
            _remove_journal(data)  # last: as long as it is there, the change is to be undone
        except OSError as error:
            place = shown_path(str(error.filename2 or error.filename or ""))
            raise _unsettled(data, f"{place}: {error.strerror or error}", _WRITABLE) from None
    else:
        outcome = "complete"
        _forget(data, change.replacements)
    # By default, logging writes warnings to stderr.
    place, number = shown_path(data), len(change.replacements)
    _LOG.warning("%s: an interrupted change of %d files was %s", place, number, outcome)


def refuse_half_change(data: str) -> None:
    """Raise C125 where some files of an interrupted change are new and others old."""
    change = interrupted_change(data)
    if change is not None and change.is_half:
        number = f"{len(change.replaced)} of {len(change.replacements)} files are new"
        raise _unsettled(data, number, _WRITABLE)


def interrupted_change(data: str) -> InterruptedChange | None:
    """Return what a dead writer left; None where it left nothing.

    Raises
    ------
    CorpusError
        C125 where somebody has edited a file since, or the old content is gone.
    """
    try:
        with open(journal_path(data), "rb") as handle:
            files = json.load(handle)
        entries = [(Replacement(*entry[:3]), *entry[3:]) for entry in files]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise _unsettled(data, f"the journal cannot be read: {error}") from None
    change = InterruptedChange([], [])
    edited, lost = [], []
    for one, before, after in entries:
        change.replacements.append(one)
        shown = shown_path(one.target)
        now = _digest(one.target)
        if now == after:
            change.replaced.append(one)
            if one.old is not None and _digest(one.old) != before:
                lost.append(shown)
        elif now != before:
            edited.append(shown)
    if edited:
        raise _unsettled(data, f"changed since by somebody else: {', '.join(edited)}")
    if lost and change.is_half:
        raise _unsettled(data, f"the content from before is missing: {', '.join(lost)}")
    return change


def _digest(path: str) -> str | None:
    """Return the SHA-256 of a file: None without a file, empty for what is not a plain one."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        return ""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _unsettled(data: str, problem: str, advice: str = _COMPARE) -> CorpusError:
    hint = advice.format(journal=shown_path(journal_path(data)))
    return CorpusError([INTERRUPTED.at(shown_path(data), problem=problem, advice=hint)])
