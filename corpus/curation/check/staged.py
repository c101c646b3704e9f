"""A changed corpus in a temporary folder, and its findings as the user is to see them."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from corpus.model.finding import Finding
from corpus.tables.writing.atomic import Content, write_atomic


def staged_tree(data: str, folder: str, contents: Mapping[str, Content]) -> None:
    """Fill an empty folder with a corpus in which some files have another content.

    Every other file is linked to. Hidden files are left out.

    Parameters
    ----------
    data, folder : str
        The data folder, and the one to fill.
    contents : mapping of str to str or bytes
        POSIX path below the data folder -> its new content.
    """
    _link_tree(data, folder, left_out=contents.keys())
    write_files(folder, contents)


def write_files(folder: str, contents: Mapping[str, Content]) -> None:
    """Write files below a folder: POSIX path -> content."""
    for file, content in contents.items():
        path = os.path.join(folder, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomic(path, content)


def relocated(finding: Finding, staged: str, shown: str) -> Finding:
    """Return a finding with the user's folder in place of the temporary one.

    Parameters
    ----------
    finding : Finding
        From the temporary folder.
    staged : str
        The temporary folder, as findings show it.
    shown : str
        The user's folder, as findings show it.
    """
    return finding._replace(
        file=finding.file.replace(staged, shown),
        message=finding.message.replace(staged, shown),
        hint=finding.hint.replace(staged, shown),
    )


def new_findings(found: Iterable[Finding], known: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are not among the known ones; equal ones are counted.

    Lines are not compared: an added row moves all below it.
    """
    unmatched = Counter(map(_without_line, known))
    new = []
    for finding in found:
        same = _without_line(finding)
        if unmatched[same]:
            unmatched[same] -= 1
        else:
            new.append(finding)
    return new


def _without_line(finding: Finding) -> tuple[str, ...]:
    return finding.file, finding.code, finding.column, finding.value


def _link_tree(source: str, target: str, left_out: Collection[str]) -> None:
    """Link to every file of a folder, except hidden ones and `left_out` (POSIX paths within it)."""
    for folder, names, files in os.walk(source):
        names[:] = [name for name in names if not name.startswith(".")]
        inside = os.path.relpath(folder, source)
        os.makedirs(os.path.join(target, inside), exist_ok=True)
        for name in files:
            relative = os.path.normpath(os.path.join(inside, name)).replace(os.sep, "/")
            if relative not in left_out and not name.startswith("."):
                original = os.path.abspath(os.path.join(folder, name))
                _link(original, os.path.join(target, relative))


def _link(source: str, target: str) -> None:
    """Link to a file; copy it where the system grants no hard links, as between two disks.

    A symbolic link would lead out of the folder, and is not followed.
    """
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
