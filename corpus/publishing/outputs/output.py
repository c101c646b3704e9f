"""One generated file: its path, what it is made from, and how to see that it is stale."""

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from corpus.model.study import Study
from corpus.publishing.export.publication import sha256
from corpus.tables.location import CODEBOOK_FILE, file_in_use

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


def data_sha256(study: Study) -> str:
    """Return one SHA-256 over the codebook and every declared table and document.

    It is the checksum of the lines that ``sha256sum`` prints for these files, sorted by name, as
    `sha256sum` itself would compute it; a missing file counts as empty.
    """
    names = {CODEBOOK_FILE}
    names.update(spec.file for spec in study.codebook.tables.values())
    names.update(study.codebook.documents.values())
    whole = hashlib.sha256()
    for name in sorted(file_in_use(study.root, name) for name in names):
        try:
            content = Path(study.root, name).read_bytes()
        except OSError:
            content = b""
        whole.update(f"{sha256(content)}  {name}\n".encode())
    return whole.hexdigest()


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
        Study -> content. Markdown, LaTeX, HTML and BibTeX get a head that names the generator.
    digest, recorded : callable, optional
        For files whose bytes differ between releases of a library: study -> digest of all that
        decides the content, and bytes of the file -> the digest that it records of itself, empty
        where it records none.
    wanted : callable
        Study -> whether this corpus has such a file at all (it may declare no claims).
    local : bool
        Whether the file is made here but never committed: it cannot be stale, and the manifest
        leaves it out.
    """

    path: str
    title: str
    command: str
    make: Callable[[Study], Content]
    digest: Callable[[Study], str] | None = None
    recorded: Callable[[bytes], str] = lambda _: ""
    wanted: Callable[[Study], bool] = lambda _: True
    local: bool = False

    def content(self, study: Study) -> bytes:
        """Make the whole file."""
        made = self.make(study)
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


def root_of(folder: str) -> str:
    """Return the folder of figures/ and reports/: the one above `data`, else the current one."""
    whole = os.path.abspath(folder)
    if os.path.basename(whole) == "data":
        return os.path.dirname(whole)
    return os.getcwd()
