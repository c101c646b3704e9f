"""reports/manifest.json: what was generated, from which data; with it an unchanged corpus needs no work."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NamedTuple

import corpus
from corpus.model.codebook import Codebook
from corpus.publishing.outputs.output import Output
from corpus.publishing.outputs.sources import Sources, data_sha256

MANIFEST = "reports/manifest.json"
_FORMAT = 1


class Mark(NamedTuple):
    """What the manifest knows of one committed file.

    Attributes
    ----------
    artefact : Output
        The file.
    sha256 : str
        Of the file's bytes, 64 hexadecimal digits.
    digest : str
        Of what the file draws, where its bytes differ between releases of a library; else empty.
    """

    artefact: Output
    sha256: str
    digest: str = ""

    def entry(self) -> dict[str, str]:
        """Return the file's entry in the manifest."""
        made = self.artefact
        found = {"path": made.path, "title": made.title, "command": made.command}
        if self.digest:
            found["digest"] = self.digest
        return {**found, "sha256": self.sha256}


def root_of(folder: str) -> str:
    """Return the folder that figures/ and reports/ go to: the one above `data`, else the working directory."""
    whole = os.path.abspath(folder)
    return os.path.dirname(whole) if os.path.basename(whole) == "data" else os.getcwd()


def manifest_text(sources: Sources, marks: list[Mark]) -> str:
    """Return the manifest: the data's SHA-256 and, for each file, what makes it and its checksum.

    Parameters
    ----------
    sources : Sources
        What the files were made from.
    marks : list of Mark
        Every committed file.
    """
    document = {
        "format": _FORMAT,
        "made_by": f"corpus build, mas-rl-corpus {corpus.__version__}",
        "data_sha256": sources.sha256,
        "files": [mark.entry() for mark in marks],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def read_manifest(root: str) -> dict[str, Any]:
    """Return the manifest below `root`, or an empty mapping where there is none that can be used."""
    try:
        with open(os.path.join(root, MANIFEST), encoding="utf-8") as handle:
            document = json.load(handle)
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) and document.get("format") == _FORMAT else {}


def recorded_sums(root: str) -> dict[str, str]:
    """Return the SHA-256 that the manifest below `root` records of each file, by path; empty without a manifest."""
    files = read_manifest(root).get("files")
    found = {}
    for file in files if isinstance(files, list) else []:
        if isinstance(file, dict) and isinstance(file.get("path"), str) and isinstance(file.get("sha256"), str):
            found[file["path"]] = file["sha256"]
    return found


def is_current(root: str, folder: str, book: Codebook) -> bool:
    """Return whether there is nothing to do, as make would see it.

    The manifest must be of this data and of this release, every file in it must have the recorded checksum, and no
    file of the program may be newer than the manifest. The PDF, which is not in it, must exist where LaTeX does.
    """
    found = read_manifest(root)
    if not found or found.get("made_by") != f"corpus build, mas-rl-corpus {corpus.__version__}":
        return False
    if found.get("data_sha256") != data_sha256(folder, book):
        return False
    if os.stat(os.path.join(root, MANIFEST)).st_mtime < _newest_source():
        return False
    return all(_matches(root, file) for file in found.get("files", [])) and not _lacks_local(root)


def sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _lacks_local(root: str) -> bool:
    """Return whether a file that is made but not committed is missing, and could be made here."""
    from corpus.printing.typeset import installed
    from corpus.publishing.outputs.catalogue import (
        ARTEFACTS,  # they import what makes them, which an unchanged corpus seldom needs
    )

    missing = [a for a in ARTEFACTS if a.local and not os.path.exists(os.path.join(root, a.path))]
    return bool(missing) and installed() is not None


def _matches(root: str, file: dict[str, str]) -> bool:
    try:
        with open(os.path.join(root, file["path"]), "rb") as handle:
            content = handle.read()
    except (OSError, KeyError, TypeError):
        return False
    return sha256(content) == file.get("sha256")


def _newest_source() -> float:
    """Return when the program was last changed: its newest module or template."""
    newest = 0.0
    for folder, folders, names in os.walk(os.path.dirname(corpus.__file__)):
        folders[:] = [name for name in folders if name not in ("__pycache__", "_data")]
        for name in names:
            newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime)
    return newest
