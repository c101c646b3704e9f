"""Every file that differs between two states, and what becomes of it."""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from corpus.publishing.outputs.build import FOLDERS
from corpus.tables.git.repository import Repository, is_state_file
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FILE, RELEASES_FOLDER

#: What a file that differs is for. Whatever is none of the others decides what is checked.
COMPARED, GENERATED, PROSE, OTHER_DATA, PRIVATE, DECIDING = (
    "compared", "generated", "prose", "other data", "private", "decides")  # fmt: skip
_PROSE = re.compile(r"docs/(?:.*/)?[^/]*\.(?:md|svg|png|tape)|[^/]*\.md|LICENSES?(?:/.*)?", re.S)
_MODES = {"120000": "link", "160000": "repository", "100755": "program"}


class FileChange(NamedTuple):
    """A file that differs.

    Attributes
    ----------
    path : str
        From the top of the repository, or from the data folder where there is none.
    inside : str
        From the data folder; empty for a file that is not below it.
    change : str
        ``added``, ``removed`` or ``changed``, and what it is now, if not a file.
    """

    path: str
    inside: str
    change: str

    def kind(self, compared: set[str]) -> str:
        """Return what the file is for; `compared` are the tables and documents of the data."""
        if is_state_file(self.path):
            return PRIVATE
        if self.inside in compared:
            return COMPARED
        if "," in self.change:  # a link, a program or a repository, wherever it is
            return DECIDING
        # Where the data folder is the whole repository, nothing in it is data for its place.
        if self.inside not in ("", self.path) or self.inside.startswith(f"{RELEASES_FOLDER}/"):
            return OTHER_DATA
        if self.path.startswith(tuple(f"{folder}/" for folder in FOLDERS)):
            return GENERATED
        return PROSE if _PROSE.fullmatch(self.path) else DECIDING


def compared_files(*books: object) -> set[str]:
    """Return the files below the data folder that are compared by their content."""
    found = {CODEBOOK_FILE, RELEASES_FILE}
    for book in books:
        found.update(map(posixpath.normpath, book.documents.values()))  # type: ignore[attr-defined]
        for spec in book.tables.values():  # type: ignore[attr-defined]
            found.add(posixpath.normpath(spec.file))
    return found


def changed_files(data: str, before: str, after: str) -> tuple[FileChange, ...] | None:
    """Return the files of the repository that differ between two commits.

    Without a newer one, between a commit and the working tree. None where nobody can tell: of an
    older state that is not a commit.
    """
    if not before:
        return None
    return tuple(_changed_files(Repository(data), before, after))


def _changed_files(repository: Repository, before: str, after: str) -> Iterator[FileChange]:
    top = "" if repository.inside == "." else f"{repository.inside}/"
    for path, mode, status in repository.differences(before, after):
        change = {"A": "added", "D": "removed"}.get(status, "changed")
        if mode in _MODES and change != "removed":
            change += f", a {_MODES[mode]}"
        yield FileChange(path, path[len(top) :] if path.startswith(top) else "", change)
