"""Which files one change of a corpus may replace together.

A journal is read from disk, and whoever wrote it may be anybody. So it may name these files alone:
the files of the corpus, the copies of its releases, and a few files beside the data folder that a
release gives its version.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator

from corpus.model.codebook import Codebook
from corpus.tables.location import (
    CODEBOOK_FILE,
    DESCRIPTION_FILE,
    RELEASES_FILE,
    RELEASES_FOLDER,
    parquet_file,
)

#: Files in the folder above the data folder.
BESIDE = ("CHANGELOG.md", "CITATION.cff", ".zenodo.json", "pyproject.toml")
#: A Python package beside the data folder, which states the version as well.
_PACKAGE = re.compile(r"\.\./[A-Za-z_][A-Za-z0-9_]*/__init__\.py")
_RELEASED = re.compile(RELEASES_FOLDER + r"/[A-Za-z0-9][A-Za-z0-9._-]*/(?P<file>.+)")


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
