"""Write a file, several files or a new folder whole or not at all."""

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from corpus.model.finding import UsageProblem

#: Errors of writing for which the system names no file.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
#: The content of a file: text, bytes, or pieces of either that are written as they are made and
#: never in memory as a whole.
Content = str | bytes | Iterable[str | bytes]

#: How many characters of a file's name the name of its temporary file repeats; file systems allow
#: 255 bytes.
LONGEST_NAME = 100


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
    wanted = os.path.abspath(path)
    missing = []
    folder = wanted
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        os.makedirs(wanted, exist_ok=True)
        yield
    except BaseException:
        for folder in missing:
            with contextlib.suppress(OSError):  # something was written into it
                os.rmdir(folder)
        raise


def write_atomic(path: str | os.PathLike[str], content: Content) -> None:
    """Replace `path` by `content`: temporary file, fsync, rename; an existing file keeps its mode.

    A symbolic link is followed, so that the file it points to is replaced and the link stays. Other
    names of the same file (hard links) keep the old content. A device or pipe is written to.

    Raises
    ------
    OSError
        Where the file cannot be written; the old one is left as it was and no temporary file stays
        behind.
    """
    write_all_atomic({os.fspath(path): content})


def write_all_atomic(contents: Mapping[str, Content]) -> None:
    """Replace several files; none is touched before all new ones are ready beside their targets.

    They are replaced in the order of the mapping. Where one cannot be, those before it get their
    old content back. A device or pipe is never replaced: it is opened and written to, after all
    files are ready and before the first is replaced.

    Raises
    ------
    OSError
        As for :func:`write_atomic`, with the name of the file that could not be replaced. Every
        file is left as it was. Where one could not be put back, the message names what keeps its
        old content.
    """
    streams = list(filter(_is_stream, contents))
    files = {path: content for path, content in contents.items() if path not in streams}
    refuse_protected(streams)
    replacements = prepare(files)
    try:
        for path in streams:
            # Never created: a device that was removed meanwhile must not come back as a file.
            descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
            _write_to(descriptor, path, contents[path])
    except BaseException:
        remove_temporaries(replacements)
        raise
    replace_all(replacements)


def _is_stream(path: str) -> bool:
    """Whether a path leads to what cannot be replaced: a device, a pipe, a file without a name."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISREG(mode):
        # `/dev/stdout` may lead to a file that was removed since; its link then leads nowhere.
        return not os.path.exists(os.path.realpath(path))
    return not stat.S_ISDIR(mode)


class Replacement(NamedTuple):
    """One file and what is to take its place.

    Attributes
    ----------
    target : str
        The file, with symbolic links followed.
    new : str
        The temporary file beside it that holds the new content; it is gone once the file was
        replaced.
    old : str or None
        What keeps the old content until the end; None where there was no file, or only one file
        changes.
    """

    target: str
    new: str
    old: str | None


class HalfUndone(OSError):
    """Raised where a file could not be replaced and another one could not be put back either."""


def prepare(contents: Mapping[str, Content]) -> list[Replacement]:
    """Write new contents beside their targets and keep the old ones; do not touch the targets.

    A single file needs nothing kept: it is replaced or it is not.

    Raises
    ------
    OSError
        Where there is no space or no permission; nothing stays behind then.
    """
    replacements = []
    several = len(contents) > 1
    try:
        for path, content in contents.items():
            target = os.path.realpath(path)
            new, old = temporary_name(target), None
            if several and os.path.lexists(target):
                old = temporary_name(target)
            replacements.append(Replacement(target, new, old))
            _write_new(new, content, _mode(target))
            if old is not None:
                _keep(target, old)
    except BaseException:
        remove_temporaries(replacements)
        raise
    return replacements


def replace_all(replacements: list[Replacement]) -> None:
    """Rename every new file over its target, in order; on an error or interrupt, put all back.

    Temporary files are removed in both cases.

    Raises
    ------
    OSError
        With the file that could not be replaced; all of them hold their old content.
    HalfUndone
        Where they do not, since one of them could not be put back. What was kept of the old content
        stays: it is all that there is.
    """
    target = ""
    try:
        for replacement in replacements:
            target = replacement.target
            os.replace(replacement.new, target)
    except BaseException as error:
        # Asked of the folder and not remembered: an interrupt may come between a rename and the
        # note of it.
        replaced = [one for one in replacements if not os.path.lexists(one.new)]
        _put_all_back(replaced, error)
        remove_temporaries(replacements)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), target) from None
        raise
    sync_folders(replacements)
    remove_temporaries(replacements)


def _put_all_back(replaced: list[Replacement], cause: BaseException) -> None:
    try:
        put_back(replaced)
    except OSError as error:
        problem = error.strerror or str(error)
        kept = []
        for one in replaced:
            if one.old is not None and os.path.lexists(one.old):
                kept.append(one.old)
        advice = ""
        if kept:
            advice = f"; the old content is kept in {', '.join(kept)}"
        place = error.filename2 or error.filename
        raise HalfUndone(error.errno, f"{problem}: cannot be put back{advice}", place) from cause


def put_back(replaced: list[Replacement]) -> None:
    """Give replaced files their old content again, the last one first; stop at the first failure.

    A row that moved was written into the gaining file first. So the file that lost it gets it back
    before the other one loses it, and wherever this ends the row is in one of them.
    """
    for one in reversed(replaced):
        if one.old is None:
            os.unlink(one.target)
        else:
            os.replace(one.old, one.target)
    sync_folders(replaced)


def remove_temporaries(replacements: list[Replacement]) -> None:
    """Remove the temporary files of a change that is over, as far as the system lets us."""
    for replacement in replacements:
        for path in filter(None, (replacement.new, replacement.old)):
            with contextlib.suppress(OSError):
                os.unlink(path)


def sync_folders(replacements: list[Replacement]) -> None:
    """Make renames durable, where the system can."""
    for folder in {os.path.dirname(one.target) for one in replacements}:
        sync_folder(folder)


def _keep(target: str, old: str) -> None:
    """Keep the content of a file under a second name: a hard link, or else a copy."""
    try:
        os.link(target, old)
    except OSError:
        with open(target, "rb") as handle:
            _write_new(old, handle, _mode(target))


def temporary_name(target: str) -> str:
    """Return a new path for a temporary file beside its target; `TEMPORARY` recognises its name."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:LONGEST_NAME]}.{secrets.token_hex(6)}.tmp")


#: The names that :func:`temporary_name` makes; a killed writer leaves such a file behind.
TEMPORARY = re.compile(r"\.(?P<target>.+)\.[0-9a-f]{12}\.tmp")


def is_temporary_of(name: str, target: str) -> bool:
    """Whether a name is one that :func:`temporary_name` makes for a file."""
    match = TEMPORARY.fullmatch(name)
    return match is not None and match["target"] == os.path.basename(target)[:LONGEST_NAME]


def _write_new(path: str, content: Content, mode: int) -> None:
    # O_EXCL: nobody can have put a link there for us to write through.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    _write_to(descriptor, path, content)
    os.chmod(path, mode)


def _write_to(descriptor: int, path: str, content: Content) -> None:
    # A text or bytes would be iterated over character by character.
    pieces = [content] if isinstance(content, str | bytes) else content
    with naming(path), open(descriptor, "wb") as handle:
        for piece in pieces:
            data = piece.encode("utf-8") if isinstance(piece, str) else piece
            handle.write(data)
        handle.flush()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)


def _mode(target: str) -> int:
    """Return the mode that the new file gets; UsageProblem where the old one is write-protected."""
    refuse_protected([target])
    try:
        return os.stat(target).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)  # it can be read only by setting it
        os.umask(mask)
        return 0o666 & ~mask


def sync_folder(folder: str) -> None:
    """Make what was renamed or removed in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_filled(folder: str) -> bool:
    """Return whether a folder exists and holds more than what a killed writer left."""
    if not os.path.isdir(folder):
        return False
    return not all(map(TEMPORARY.fullmatch, os.listdir(folder)))


def write_new_folder(folder: str, files: Mapping[str, Content]) -> None:
    """Write files (relative path -> content) into a folder that does not exist or is empty.

    They are written into a temporary folder, which then becomes the new one, so that a writer that
    is killed leaves no folder of half a corpus. Where the folder exists, what is in the temporary
    one is moved into it: a shell that is in the folder stays in it.

    Raises
    ------
    OSError
        Where a file cannot be written; everything that was made is removed then, folders included.
    """
    folder = os.path.abspath(folder)
    exists = os.path.isdir(folder)
    part = temporary_name(folder)
    if exists:
        part = os.path.join(folder, os.path.basename(part))
    made = [part]
    with new_folders(os.path.dirname(part)):
        try:
            contents = {}
            for file, content in files.items():
                target = os.path.join(part, file)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                contents[target] = content
            write_all_atomic(contents)
            if not exists:
                os.rename(part, folder)
                return
            for name in sorted(os.listdir(part)):
                moved = os.path.join(folder, name)
                os.rename(os.path.join(part, name), moved)
                made.append(moved)
            os.rmdir(part)
        except BaseException:
            for path in made:
                shutil.rmtree(path, ignore_errors=True)
                with contextlib.suppress(OSError):
                    os.unlink(path)
            raise
