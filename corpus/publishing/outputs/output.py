"""One generated file: its path, what makes it, and how to see that it is stale."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from corpus.publishing.outputs.sources import Sources

MANIFEST = "reports/manifest.json"
#: The one file that is made but never committed: its bytes depend on the release of TeX.
APPENDIX_PDF = "reports/appendix.pdf"

Content = str | bytes | Iterable[str]

#: How a comment begins and ends, by the ending of the file.
_COMMENTS = {
    ".md": ("<!-- ", " -->"),
    ".html": ("<!-- ", " -->"),
    ".tex": ("% ", ""),
    ".bib": ("% ", ""),
}


class Digests(NamedTuple):
    """How to compare a file whose bytes differ between releases of a library.

    Attributes
    ----------
    current : callable
        Sources -> digest of all that decides the content.
    recorded : callable
        Bytes of the file -> the digest that it records of itself; empty where it records none.
    """

    current: Callable[[Sources], str]
    recorded: Callable[[bytes], str]


@dataclass(frozen=True)
class Output:
    """One generated file.

    Attributes
    ----------
    path : str
        Relative to the folder above the data, with forward slashes.
    title : str
        What it holds, in a few words.
    command : str
        The command that makes its content alone.
    make : callable
        Sources -> content. Markdown, LaTeX, HTML and BibTeX get a head that names the generator.
    digests : Digests, optional
        For files whose bytes differ between releases of a library.
    wanted : callable
        Sources -> whether this corpus has such a file at all (it may declare no claims).
    local : bool
        Whether the file is made here but never committed: it cannot be stale, and the manifest
        leaves it out.
    """

    path: str
    title: str
    command: str
    make: Callable[[Sources], Content]
    digests: Digests | None = None
    wanted: Callable[[Sources], bool] = lambda _: True
    local: bool = False

    def content(self, sources: Sources) -> bytes:
        """Make the whole file."""
        made = self.make(sources)
        if isinstance(made, bytes):
            return made
        body = made if isinstance(made, str) else "".join(made)
        return (self.head() + body).encode("utf-8")

    def head(self) -> str:
        """Return the comment line that names the generator; empty for files without comments.

        It names no checksum of the data: an edit that changes nothing else in a file would change
        it, and two branches would collide in every file. The manifest has the checksum.
        """
        ending = os.path.splitext(self.path)[1]
        if ending not in _COMMENTS:
            return ""
        begin, end = _COMMENTS[ending]
        return f"{begin}Made by corpus build ({self.command}); do not edit.{end}\n"


def read_output(root: str, path: str) -> bytes | None:
    """Return the bytes of a generated file, or None where it does not exist."""
    try:
        with open(os.path.join(root, path), "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return None


def sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def root_of(folder: str) -> str:
    """Return the folder of figures/ and reports/: the one above `data`, else the current one."""
    whole = os.path.abspath(folder)
    if os.path.basename(whole) == "data":
        return os.path.dirname(whole)
    return os.getcwd()
