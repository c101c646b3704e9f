"""reports/manifest.json: what was generated, from which data; it shows when nothing is to do."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import corpus
from corpus.model.codebook import Codebook
from corpus.printing.json_document import json_text
from corpus.printing.typeset import installed
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.sources import Sources, data_sha256

MANIFEST = "reports/manifest.json"
_FORMAT = 1
_PACKAGE = Path(corpus.__file__).parent
#: Where the templates of generated files are, below the package.
_TEMPLATES = ("analysis", "printing", "publishing")

#: The one file that is made but never committed: its bytes depend on the release of TeX.
APPENDIX_PDF = "reports/appendix.pdf"


class ManifestEntry(NamedTuple):
    """What the manifest records of one committed file.

    Attributes
    ----------
    output : Output
        The file.
    sha256 : str
        Of the file's bytes, 64 hexadecimal digits.
    digest : str
        Of what the file draws, where its bytes differ between releases of a library; else empty.
    """

    output: Output
    sha256: str
    digest: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the entry as it is written."""
        made = self.output
        found = {"path": made.path, "title": made.title, "command": made.command}
        if self.digest:
            found["digest"] = self.digest
        found["sha256"] = self.sha256
        return found


def root_of(folder: str) -> str:
    """Return the folder of figures/ and reports/: the one above `data`, else the current one."""
    whole = os.path.abspath(folder)
    if os.path.basename(whole) == "data":
        return os.path.dirname(whole)
    return os.getcwd()


def manifest_text(sources: Sources, entries: list[ManifestEntry]) -> str:
    """Return the manifest: what was used, and for each file its command and its checksum.

    Parameters
    ----------
    sources : Sources
        What the files were made from.
    entries : list of ManifestEntry
        Every committed file.
    """
    document = {
        "format": _FORMAT,
        "made_by": _made_by(),
        "data_sha256": sources.sha256,
        "templates_sha256": templates_sha256(),
        "files": [entry.as_dict() for entry in entries],
    }
    return json_text(document)


def _made_by() -> str:
    return f"corpus build, mas-rl-corpus {corpus.__version__}"


def templates_sha256() -> str:
    """Return one SHA-256 over the names and the bytes of all templates of generated files.

    The times of files do not tell of a template that came with a checkout or an installation: the
    manifest that came with it may be newer.
    """
    whole = hashlib.sha256()
    for folder in _TEMPLATES:
        for path in sorted(_PACKAGE.joinpath(folder).rglob("*.j2")):
            name = path.relative_to(_PACKAGE).as_posix()
            whole.update(f"{sha256(path.read_bytes())}  {name}\n".encode())
    return whole.hexdigest()


def read_manifest(root: str) -> dict[str, Any]:
    """Return the manifest below `root`, or an empty mapping where there is no usable one."""
    try:
        text = Path(root, MANIFEST).read_text(encoding="utf-8")
        document = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        return {}
    return document


def recorded_sums(root: str) -> dict[str, str]:
    """Return the SHA-256 that the manifest below `root` records of each file, by path."""
    files = read_manifest(root).get("files")
    if not isinstance(files, list):
        return {}
    found: dict[str, str] = {}
    for file in files:
        if not isinstance(file, dict):
            continue
        path = file.get("path")
        checksum = file.get("sha256")
        if isinstance(path, str) and isinstance(checksum, str):
            found[path] = checksum
    return found


def is_current(root: str, folder: str, book: Codebook) -> bool:
    """Return whether there is nothing to do, as make would see it.

    The manifest must be of this data, of this release and of these templates, every file in it must
    have the recorded checksum, and no file of the program may be newer than the manifest. The PDF,
    which is not in it, must exist where LaTeX does.
    """
    found = read_manifest(root)
    if found.get("made_by") != _made_by():
        return False
    if found.get("data_sha256") != data_sha256(folder, book):
        return False
    if found.get("templates_sha256") != templates_sha256():
        return False
    # A program that was edited, and not yet released under another version, is told by its time.
    made = Path(root, MANIFEST).stat().st_mtime
    if made < _newest_source():
        return False
    files = found.get("files")
    if not isinstance(files, list):
        return False
    if not all(_matches(root, file) for file in files):
        return False
    return Path(root, APPENDIX_PDF).exists() or installed() is None


def _matches(root: str, file: Mapping[str, str]) -> bool:
    try:
        content = Path(root, file["path"]).read_bytes()
    except (OSError, KeyError, TypeError, ValueError):  # no such file, or no usable entry
        return False
    return sha256(content) == file.get("sha256")


def _newest_source() -> float:
    """Return when the program was last changed: its newest module or template."""
    newest = 0.0
    for folder, folders, names in os.walk(_PACKAGE):
        folders[:] = [name for name in folders if name not in ("__pycache__", "_data")]
        for name in names:
            newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime)
    return newest


def sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
