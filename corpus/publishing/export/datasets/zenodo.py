"""A folder to deposit on Zenodo: data package, codebook, metadata and checksums."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from corpus.model.study import Study
from corpus.publishing.export.bibliography import bibtex
from corpus.publishing.export.cells import filled
from corpus.publishing.export.datasets import data_package
from corpus.publishing.export.datasets.publication import deposit, sha256
from corpus.publishing.export.tables import sqlite
from corpus.publishing.export.tables.json import json_bytes
from corpus.tables.location import CODEBOOK_FILE

METADATA = ".zenodo.json"
SUMS = "SHA256SUMS"
_ARXIV = re.compile(r"arxiv:(\S+)", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:|https://doi\.org/)?(10\.\d+/\S+)", re.IGNORECASE)


def files(study: Study) -> dict[str, bytes]:
    """Return all files of the deposit; ``sha256sum -c SHA256SUMS`` verifies them.

    Raises
    ------
    CorpusError
        X101 to X105 where an export that it contains is refused.
    """
    found = data_package.files(study) | _documents(study)
    name = re.sub(r"[^\w.-]", "-", study.codebook.corpus.get("id", "corpus"))
    found[f"{name}.sqlite"] = sqlite.export(study)
    found[f"{name}.bib"] = bibtex.export(study)
    found[METADATA] = json_bytes(metadata(study))
    sums = [f"{sha256(found[path])}  {path}\n" for path in sorted(found)]
    return {**found, SUMS: "".join(sums).encode()}


def _documents(study: Study) -> dict[str, bytes]:
    """Return the codebook and the documents that it names, as they are on disk."""
    declared = study.codebook.settings.get("documents", {}).values()
    found = {}
    for name in [CODEBOOK_FILE, *map(str, declared)]:
        path = Path(study.root, name)
        if path.is_file():
            found[name] = path.read_bytes()
    return found


def metadata(study: Study) -> dict[str, Any]:
    """Return the metadata that Zenodo reads from ``.zenodo.json``."""
    book = study.codebook
    about = book.corpus
    values = {
        "title": about.get("title", ""),
        "upload_type": "dataset",
        "description": html.escape(about.get("description", "")),  # Zenodo reads HTML
        "creators": [{"name": name} for name in deposit(book).creators],
        "license": about.get("license", "").lower(),
        "version": about.get("version", ""),
        "keywords": deposit(book).keywords,
        "related_identifiers": _related(about.get("cite", "")),
    }
    return filled(values)


def _related(cited: str) -> list[dict[str, str]]:
    """Return the text that the corpus belongs to, where it has an arXiv id or a DOI."""
    arxiv = _ARXIV.fullmatch(cited)
    doi = _DOI.fullmatch(cited)
    if arxiv:
        identifier = f"arXiv:{arxiv[1]}"
    elif doi:
        identifier = doi[1]
    else:
        return []
    return [{"identifier": identifier, "relation": "isSupplementTo"}]
