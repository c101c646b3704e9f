"""A change of several files that happens as one: written down before the first file is replaced.

A program that dies meanwhile leaves the journal behind, and the next command undoes the change,
unless every file was replaced. The next command trusts nothing that the journal names: only files
that a change may replace (see :func:`is_replaceable`), only temporary files of theirs in the folder
of the file, only what has the recorded digest. Where a file is neither as it was before the change
nor as it is after it, somebody has edited it since, and a person has to judge.
"""

import contextlib
import hashlib
import logging
import os
import posixpath
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
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
    TEMPORARY,
    Content,
    HalfUndone,
    Replacement,
    is_temporary_of,
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
_WRITABLE = "run any command where the folder may be written; it undoes the change"

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

    def replacement(self, data: str) -> Replacement:
        """Return the file and its temporary files, every link resolved."""
        target = os.path.realpath(os.path.join(data, self.file))
        folder = os.path.dirname(target)
        old = None
        if self.old is not None:
            old = os.path.join(folder, self.old)
        return Replacement(target, os.path.join(folder, self.new), old)


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
            _write_journal(data, contents, replacements)
        replace_all(replacements)
    except HalfUndone:
        raise  # journal and old contents stay, for the next command
    except BaseException:
        _forget(data, replacements)
        raise
    _forget(data, replacements)


def _write_journal(data: str, paths: Iterable[str], replacements: list[Replacement]) -> None:
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
    has nothing left to undo.
    """
    remove_temporaries(replacements)
    # Where the journal cannot be removed, the change is over all the same.
    with contextlib.suppress(OSError):
        _remove_journal(data)


def _remove_journal(data: str) -> None:
    os.unlink(journal_path(data))
    sync_folder(data)


def settle(data: str, book: Codebook) -> None:
    """Undo the change that a journal describes unless it is whole; call it in a locked folder.

    Raises
    ------
    CorpusError
        C125 where it cannot be undone, or where it takes a person to judge.
    """
    if not os.path.lexists(journal_path(data)):
        return
    replacements, replaced = [], []
    edited, lost = [], []
    is_whole = True
    for entry in _read_journal(data, book):
        one = entry.replacement(data)
        replacements.append(one)
        shown = shown_path(os.path.join(data, entry.file))
        now = _digest(one.target)
        if now not in (entry.before, entry.after):
            edited.append(shown)
        if now != entry.after:
            is_whole = False
        if now != entry.before:
            replaced.append(one)
            if one.old is not None and _digest(one.old) != entry.before:
                lost.append(shown)
    if edited:
        raise _unsettled(data, f"changed since by somebody else: {', '.join(edited)}")
    outcome = "undone"
    if is_whole:
        outcome = "complete"
        _forget(data, replacements)
    elif lost:
        raise _unsettled(data, f"the content from before is missing: {', '.join(lost)}")
    else:
        try:
            put_back(replaced)
            remove_temporaries(replacements)
            _remove_journal(data)  # last: as long as it is there, the change is to be undone
        except OSError as error:
            place = shown_path(str(error.filename2 or error.filename or ""))
            raise _unsettled(data, f"{place}: {error.strerror or error}", _WRITABLE) from None
    # By default, logging writes warnings to stderr.
    place, number = shown_path(data), len(replacements)
    _LOG.warning("%s: an interrupted change of %d files was %s", place, number, outcome)


def _read_journal(data: str, book: Codebook) -> list[JournalEntry]:
    """Read the journal; CorpusError where :func:`replace_tables` would not write it."""
    path = journal_path(data)
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise _unsettled(data, "the journal is not a plain file")
    with open(path, "rb") as handle:
        content = handle.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise _unsettled(data, f"the journal is larger than {MAX_BYTES} bytes")
    try:
        entries = msgspec.json.decode(content, type=Journal).files
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _unsettled(data, f"the journal cannot be read: {error}") from None
    if len({entry.file for entry in entries}) < len(entries):
        raise _unsettled(data, "the journal names a file twice")
    for entry in entries:
        if not is_replaceable(entry.file, book) or not _names_its_own(data, entry):
            problem = f"the journal names what is not a file of a corpus: {printable(entry.file)}"
            raise _unsettled(data, problem)
    return entries


def _names_its_own(data: str, entry: JournalEntry) -> bool:
    """Whether an entry stays where it may and names temporary files of its file alone."""
    one = entry.replacement(data)
    names = [entry.new]
    if entry.old is not None:
        names.append(entry.old)
    has_own_names = all(is_temporary_of(name, one.target) for name in names)
    has_two_names = entry.new != entry.old
    # The digest from before the change is recorded where there was a file, and only there.
    has_matching_digest = (entry.old is None) == (entry.before is None)
    is_inside = is_in_place(data, one.target)
    return is_inside and has_own_names and has_two_names and has_matching_digest


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
    shown = shown_path(journal_path(data))
    hint = advice.format(journal=shown)
    return CorpusError([rules.INTERRUPTED.at(shown, problem=problem, advice=hint)])


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
