"""A change of several files that happens as one: written down before the first file is replaced.

While the journal is there, the change is decided. A program that dies meanwhile leaves it behind,
and the next command completes the change, or undoes it where it cannot be completed. The next
command trusts nothing that the journal names: only files that a change may replace (see
:func:`is_replaceable`), only temporary files of theirs in the folder of the file, only
what has the recorded digest. Where a file is neither as it was before the change nor as it is after
it, somebody has edited it since, and a person has to judge.
"""

import contextlib
import hashlib
import logging
import os
import posixpath
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError, printable
from corpus.tables import table_rules as rules
from corpus.tables.location import (
    CODEBOOK_FILE,
    DESCRIPTION_FILE,
    JOURNAL_FILE,
    RELEASES_FILE,
    RELEASES_FOLDER,
    parquet_file,
    shown_path,
)
from corpus.tables.writing.atomic import (
    LONGEST_NAME,
    TEMPORARY,
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

#: A journal of a thousand tables is smaller than this, in bytes.
MAX_BYTES = 1_000_000

# A journal is read from disk, and whoever wrote it may be anybody. So it may name these alone:
# the files of the corpus, the copies of its releases, and a few files beside the data folder that a
# release gives its version.

#: Files in the folder above the data folder that may state the version of the corpus.
METADATA = ("CITATION.cff", ".zenodo.json", "codemeta.json", "pyproject.toml")
BESIDE = ("CHANGELOG.md", *METADATA)
#: A Python package beside the data folder, which states the version as well.
_PACKAGE = re.compile(r"\.\./[A-Za-z_][A-Za-z0-9_]*/__init__\.py")
_RELEASED = re.compile(RELEASES_FOLDER + r"/[A-Za-z0-9][A-Za-z0-9._-]*/(?P<file>.+)")

_LOG = logging.getLogger(__name__)

_COMPARE = (
    "compare the tables with version control (`git diff`), correct what is wrong, "
    "then remove {journal}; "
    "until then nothing is read or written"
)
_WRITABLE = "run any command where the folder may be written; it completes or undoes the change"

_Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Name = Annotated[str, msgspec.Meta(pattern=f"^{TEMPORARY.pattern}$", max_length=255)]


class JournalEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file in the journal.

    Attributes
    ----------
    file : str
        The file, as a POSIX path from the data folder.
    new, old : str or None
        Names of the temporary files, beside the file, with the content after and before the
        change.
    after, before : str or None
        SHA-256 of the content after and before the change; `before` is None where there was no
        file.
    """

    file: str
    new: _Name
    old: _Name | None
    after: _Digest
    before: _Digest | None


class Journal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The journal file: the number of its format, and the tables in the order of replacement."""

    format: Annotated[int, msgspec.Meta(ge=1, le=1)]
    files: Annotated[list[JournalEntry], msgspec.Meta(min_length=1)]


def journal_path(data: str) -> str:
    """Return where the journal of a data folder is."""
    return os.path.join(data, JOURNAL_FILE)


def replace_tables(data: str, contents: Mapping[str, Content]) -> None:
    """Replace tables, and other files of a corpus, as one change; call it while it is locked.

    Parameters
    ----------
    data : str
        The data folder.
    contents : mapping of str to str, bytes or pieces of them
        Path of a file that :func:`is_replaceable` knows -> its
        new content, in the order in which the files are replaced.

    Raises
    ------
    OSError
        With the file that could not be replaced; every file is as it was before.
    """
    replacements = prepare(contents)
    # One file is replaced by one rename. A table that is a link to somewhere else has no place in a
    # journal, which may name nothing elsewhere; such a change is undone on an error, yet not after
    # a kill.
    in_place = all(is_in_place(data, one.target) for one in replacements)
    journaled = len(replacements) > 1 and in_place
    try:
        if journaled:
            _write_journal(data, list(contents), replacements)
        replace_all(replacements)
    except HalfUndone:
        raise  # journal and old contents stay, for the next command
    except BaseException:
        _forget(data, replacements)
        raise
    _forget(data, replacements)


def _write_journal(data: str, paths: list[str], replacements: list[Replacement]) -> None:
    entries = []
    for path, replacement in zip(paths, replacements, strict=True):
        before = None
        old = None
        if replacement.old is not None:
            before = _digest(replacement.old)
            old = os.path.basename(replacement.old)
        after = _digest(replacement.new)
        assert after is not None, "it was written just before"
        file = os.path.relpath(path, data).replace(os.sep, "/")
        new = os.path.basename(replacement.new)
        entries.append(JournalEntry(file, new, old, after, before))
    # The journal must not be durable before what it names.
    sync_folders(replacements)
    journal = msgspec.json.encode(Journal(1, entries))
    content = msgspec.json.format(journal, indent=2) + b"\n"
    write_atomic(journal_path(data), content)


def _forget(data: str, replacements: list[Replacement]) -> None:
    """End a change that is whole or was put back.

    The temporary files go first: a program that dies between the two steps leaves a journal which
    has nothing left to complete, so that a change that failed is not completed behind the user's
    back.
    """
    remove_temporaries(replacements)
    # Where the journal cannot be removed, the change is over all the same.
    with contextlib.suppress(OSError):
        _remove_journal(data)


def _remove_journal(data: str) -> None:
    os.unlink(journal_path(data))
    sync_folder(data)


@dataclass(frozen=True)
class Interrupted:
    """One table of an interrupted change, as it is found on disk.

    Attributes
    ----------
    shown : str
        The table's file as the user knows it.
    replacement : Replacement
        The table and its temporary files.
    is_before, is_after : bool
        Whether the table has the content from before, or from after the change.
    can_be_completed, can_be_undone : bool
        Whether the temporary file with the content from after, or from before, is there and whole.
    """

    shown: str
    replacement: Replacement
    is_before: bool
    is_after: bool
    can_be_completed: bool
    can_be_undone: bool


def settle(data: str, book: Codebook) -> None:
    """Complete the change that a journal describes, or undo it; call it while the folder is locked.

    Raises
    ------
    CorpusError
        C125 where neither is possible, or where it takes a person to judge.
    """
    if not os.path.lexists(journal_path(data)):
        return
    entries = _read_journal(data, book)
    tables = _look(data, entries)
    edited = [one.shown for one in tables if not (one.is_before or one.is_after)]
    if edited:
        problem = f"changed since by somebody else: {', '.join(edited)}"
        raise _unsettled(data, problem, _COMPARE)
    problem = ""
    waiting = [one for one in tables if not one.is_after]
    if waiting and all(one.can_be_completed for one in waiting):
        try:
            for one in waiting:
                os.replace(one.replacement.new, one.replacement.target)
            sync_folders([one.replacement for one in waiting])
        except OSError as error:
            problem = _problem(error)
        tables = _look(data, entries)
        waiting = [one for one in tables if not one.is_after]
    if not waiting:
        _forget(data, [one.replacement for one in tables])
        _report_outcome(data, tables, "completed")
        return
    _undo(data, tables, problem)
    _report_outcome(data, tables, "undone")


def _look(data: str, entries: list[JournalEntry]) -> list[Interrupted]:
    found = []
    for entry in entries:
        path = os.path.join(data, entry.file)
        target = _target(data, entry)
        folder = os.path.dirname(target)
        new = os.path.join(folder, entry.new)
        old = None
        can_be_undone = True
        if entry.old is not None:
            old = os.path.join(folder, entry.old)
            can_be_undone = _digest(old) == entry.before
        now = _digest(target)
        found.append(
            Interrupted(
                shown=shown_path(path),
                replacement=Replacement(target, new, old),
                is_before=now == entry.before,
                is_after=now == entry.after,
                can_be_completed=_digest(new) == entry.after,
                can_be_undone=can_be_undone,
            )
        )
    return found


def _undo(data: str, tables: list[Interrupted], problem: str) -> None:
    replaced = [one for one in tables if not one.is_before]
    lost = [one.shown for one in replaced if not one.can_be_undone]
    if lost:
        problem = problem or f"the content from before is missing: {', '.join(lost)}"
        raise _unsettled(data, problem, _COMPARE)
    try:
        put_back([one.replacement for one in replaced])
        remove_temporaries([one.replacement for one in tables])
        _remove_journal(data)  # last: as long as it is there, the change counts as decided
    except OSError as error:
        raise _unsettled(data, problem or _problem(error), _WRITABLE) from None


def _report_outcome(data: str, tables: list[Interrupted], outcome: str) -> None:
    """Report to stderr what became of the change; by default, logging writes warnings there."""
    _LOG.warning(
        "%s: an interrupted change of %d files was %s", shown_path(data), len(tables), outcome
    )


def _read_journal(data: str, book: Codebook) -> list[JournalEntry]:
    """Read the journal; CorpusError where :func:`replace_tables` would not write it."""
    path = journal_path(data)
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise _unsettled(data, "the journal is not a plain file", _COMPARE)
    with open(path, "rb") as handle:
        content = handle.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise _unsettled(data, f"the journal is larger than {MAX_BYTES} bytes", _COMPARE)
    try:
        entries = msgspec.json.decode(content, type=Journal).files
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _unsettled(data, f"the journal cannot be read: {error}", _COMPARE) from None
    if len({entry.file for entry in entries}) < len(entries):
        raise _unsettled(data, "the journal names a file twice", _COMPARE)
    for entry in entries:
        if not is_replaceable(entry.file, book) or not _names_its_own(data, entry):
            problem = f"the journal names what is not a file of a corpus: {printable(entry.file)}"
            raise _unsettled(data, problem, _COMPARE)
    return entries


def _names_its_own(data: str, entry: JournalEntry) -> bool:
    """Whether an entry stays where it may and names temporary files of its file alone."""
    target = _target(data, entry)
    if not is_in_place(data, target):
        return False
    names = [entry.new]
    if entry.old is not None:
        names.append(entry.old)
    matches = list(map(TEMPORARY.fullmatch, names))
    own = os.path.basename(target)[:LONGEST_NAME]
    has_own_names = all(match is not None and match["target"] == own for match in matches)
    has_two_names = entry.new != entry.old
    # The digest from before the change is recorded where there was a file, and only there.
    has_matching_digest = (entry.old is None) == (entry.before is None)
    return has_own_names and has_two_names and has_matching_digest


def _target(data: str, entry: JournalEntry) -> str:
    """Return the path of the file that an entry is about, with every link resolved."""
    folder = os.path.realpath(data)
    return os.path.realpath(os.path.join(folder, entry.file))


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


def _unsettled(data: str, problem: str, advice: str) -> CorpusError:
    shown = shown_path(journal_path(data))
    hint = advice.format(journal=shown)
    return CorpusError([rules.INTERRUPTED.at(shown, problem=problem, advice=hint)])


def _problem(error: OSError) -> str:
    place = error.filename2 or error.filename or ""
    return f"{shown_path(str(place))}: {error.strerror or error}"


def released_files(book: Codebook) -> list[str]:
    """Return the files that a release keeps: codebook, documents and tables, below the data."""
    declared = [*book.documents.values()]
    declared += [spec.file for spec in book.tables.values()]
    return [CODEBOOK_FILE, *map(posixpath.normpath, declared)]


def is_replaceable(file: str, book: Codebook) -> bool:
    """Whether a journal may name a file, given as a POSIX path from the data folder."""
    if file.startswith("../"):
        return _is_beside(file)
    kept = released_files(book)
    released = _RELEASED.fullmatch(file)
    if released is not None:
        return released["file"] in (*kept, *map(parquet_file, kept))
    return file in (*kept, RELEASES_FILE, DESCRIPTION_FILE)


def is_in_place(data: str, target: str) -> bool:
    """Whether a file, with links followed, is where :func:`is_replaceable` lets it be.

    That is inside the data folder, or where one of the files beside it is.
    """
    whole = os.path.realpath(data)
    if target.startswith(os.path.join(whole, "")):
        return True
    return _is_beside(os.path.relpath(target, whole).replace(os.sep, "/"))


def _is_beside(file: str) -> bool:
    """Whether a path from the data folder is that of a file beside it that states the version."""
    return file.removeprefix("../") in BESIDE or _PACKAGE.fullmatch(file) is not None


def package_files(root: str) -> Iterator[str]:
    """Yield the first module of each Python package in a folder, as ``NAME/__init__.py``."""
    for name in sorted(os.listdir(root)):
        file = f"{name}/__init__.py"
        path = os.path.join(root, file)
        if _PACKAGE.fullmatch(f"../{file}") and os.path.isfile(path):
            yield file
