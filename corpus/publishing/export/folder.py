"""Write an export into a folder, without touching anything there that an export did not write."""

import contextlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from corpus.model.finding import CorpusError, Rule, UsageProblem
from corpus.model.study import Study
from corpus.tables.location import CODEBOOK_FILE
from corpus.tables.writing.atomic import is_filled, new_folders, refuse_protected, write_atomic

BAD_FILE_NAME = Rule(
    "X107",
    "{value} cannot be the name of a file",
    "use letters, digits and hyphens, no Windows device, and keys that differ in more than case",
    title="Key is not a file name",
    reason="Every entry becomes a file of its own, on any system, and a key must never "
    "lead to another folder.",
)


#: Lists the files that an export wrote into the folder; only these are ever replaced or removed.
MARKER = ".corpus-export"

#: What the file names of every system allow.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?<!\.)")
#: Windows takes these for devices, whatever the ending.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def write_folder(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, each whole or not at all; those of an earlier export are removed.

    Parameters
    ----------
    folder : str
        It is made where it does not exist.
    files : mapping of str to bytes
        Relative path, with slashes -> content.

    Raises
    ------
    UsageProblem
        Where the folder exists, is not empty and was not made by an export; where a file of that
        name is there that no export wrote; where one that would change is write-protected. Nothing
        is written then.
    """
    ours = _written_before(folder)
    for name in files:
        path = os.path.join(folder, name)
        if os.path.lexists(path) and name not in ours:
            raise UsageProblem(
                f"{path} was not written by an export; move it away or name another folder"
            )
    refuse_protected(os.path.join(folder, name) for name in ours)
    # First the union, so that an interrupted run can be repeated.
    with new_folders(folder):
        _mark(folder, {*ours, *files})
    for name, content in files.items():
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or Path(path).read_bytes() != content:
            with new_folders(os.path.dirname(path)):
                write_atomic(path, content)
    for name in ours - set(files):
        path = os.path.join(folder, name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        with contextlib.suppress(OSError):  # a folder that is not empty stays
            os.removedirs(os.path.dirname(path))
    _mark(folder, files)


def refuse_own_files(study: Study, out: str) -> None:
    """Refuse to write over the corpus itself.

    Raises
    ------
    UsageProblem
        Where `out` is a file of the corpus, or a folder with one.
    """
    inside = os.path.relpath(os.path.realpath(out), os.path.realpath(study.root))
    inside = inside.replace(os.sep, "/")
    own = {".", CODEBOOK_FILE}
    own.update(table.spec.file for table in study.tables.values())
    own.update(map(str, study.codebook.documents.values()))
    if inside in own or any(file.startswith(f"{inside}/") for file in own):
        raise UsageProblem(f"{out} belongs to the corpus itself; write somewhere else")


def refuse_file_names(study: Study) -> None:
    """Refuse keys that cannot be file names, or the same as another's where case is ignored.

    Raises
    ------
    CorpusError
        X107 for each of them.
    """
    pool = study.pool
    column = pool.spec.key[0]
    taken = set()
    findings = []
    for key, line in zip(pool.column(column), pool.lines, strict=True):
        is_name = _NAME.fullmatch(key) and not _DEVICE.fullmatch(key)
        if not is_name or key.casefold() in taken:
            findings.append(BAD_FILE_NAME.at(pool.file, line, column, key))
        taken.add(key.casefold())
    if findings:
        raise CorpusError(findings)


def _written_before(folder: str) -> set[str]:
    """Return the files that an earlier export wrote; refuse a folder of somebody else."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageProblem(f"{folder} is not a folder")
    marker = Path(folder, MARKER)
    if marker.is_file():
        lines = marker.read_bytes().decode("utf-8", "replace").splitlines()
        return set(filter(_is_inside, lines))
    if is_filled(folder):
        raise UsageProblem(
            f"{folder} is not empty and was not made by `corpus export`; name another folder"
        )
    return set()


def _is_inside(line: str) -> bool:
    """Return whether a line lists a path below the folder; anybody can write a marker."""
    is_path = line and not line.startswith("#") and not os.path.isabs(line)
    return bool(is_path) and ".." not in re.split(r"[/\\]", line)


def _mark(folder: str, names: Iterable[str]) -> None:
    head = "# Written by `corpus export`; the next run may replace or remove these files."
    write_atomic(os.path.join(folder, MARKER), "\n".join([head, *sorted(names), ""]))
