"""One generated file: where it lies, what makes it, and how to see that it is stale."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from corpus.publishing.outputs.sources import Sources

Content = str | bytes | Iterable[str]
_COMMENTS = {".md": ("<!-- ", " -->"), ".html": ("<!-- ", " -->"), ".tex": ("% ", ""), ".bib": ("% ", "")}


def _always(_: Sources) -> bool:
    return True


class Output(NamedTuple):
    """One generated file.

    Attributes
    ----------
    path : str
        Where it lies, from the folder above the data, with forward slashes.
    title : str
        What it holds, in a few words.
    command : str
        The command that makes its content alone.
    make : callable
        Sources -> content. Text, Markdown, LaTeX, HTML and BibTeX get a head that names generator and data.
    digest : callable, optional
        Sources -> digest of what decides the content, for files whose bytes differ between releases of a library.
    recorded : callable, optional
        Bytes of the file -> the digest that it records of itself; empty where it records none.
    wanted : callable
        Sources -> whether this corpus has such a file at all (it may declare no claims).
    local : bool
        Whether the file is made here but never committed; it cannot be stale, and is left out of the manifest.
    """

    path: str
    title: str
    command: str
    make: Callable[[Sources], Content]
    digest: Callable[[Sources], str] | None = None
    recorded: Callable[[bytes], str] | None = None
    wanted: Callable[[Sources], bool] = _always
    local: bool = False

    def content(self, sources: Sources) -> bytes:
        """Make the whole file."""
        made = self.make(sources)
        if isinstance(made, bytes):
            return made
        body = made if isinstance(made, str) else "".join(made)
        return (self.head(sources) + body).encode("utf-8")

    def head(self, sources: Sources) -> str:
        """Return the comment lines that name generator and data; empty for kinds of files without comments."""
        marks = _COMMENTS.get(os.path.splitext(self.path)[1])
        if marks is None:
            return ""
        lines = (f"Made by corpus build ({self.command}); do not edit.", f"Data SHA-256: {sources.sha256}")
        return "".join(f"{marks[0]}{line}{marks[1]}\n" for line in lines)
