"""A folder to deposit on Zenodo: the data package, the codebook as written, metadata and checksums."""

from __future__ import annotations

import hashlib
import html
import os
import re
from typing import Any

from corpus.model.study import Study
from corpus.publishing.export import bibtex, data_package, sqlite
from corpus.publishing.export.croissant import creators
from corpus.publishing.export.json import json_bytes
from corpus.tables.location import CODEBOOK_FILE

METADATA = ".zenodo.json"
SUMS = "SHA256SUMS"
_RELATIONS = (("arxiv", r"arxiv:(\S+)", "arXiv:{}"), ("doi", r"(?:doi:|https://doi\.org/)?(10\.\d+/\S+)", "{}"))


def files(corpus: Study) -> dict[str, bytes]:
    """Return all files of the deposit; ``sha256sum -c SHA256SUMS`` holds them against each other.

    Raises
    ------
    CorpusError
        X101 to X105 where an export that it holds is refused.
    """
    found = data_package.files(corpus) | _documents(corpus)
    identifier = re.sub(r"[^\w.-]", "-", corpus.codebook.corpus.get("id", "corpus"))
    found[f"{identifier}.sqlite"] = sqlite.export(corpus)
    found[f"{identifier}.bib"] = bibtex.export(corpus)
    found[METADATA] = json_bytes(metadata(corpus))
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(found.items())]
    return {**found, SUMS: "".join(lines).encode()}


def _documents(corpus: Study) -> dict[str, bytes]:
    """Return the codebook and the documents that it names, as they stand on disk."""
    names = [CODEBOOK_FILE, *map(str, corpus.codebook.settings.get("documents", {}).values())]
    found = {}
    for name in names:
        path = os.path.join(corpus.root, name)
        if os.path.isfile(path):
            with open(path, "rb") as handle:
                found[name] = handle.read()
    return found


def metadata(corpus: Study) -> dict[str, Any]:
    """Return the metadata that Zenodo reads from ``.zenodo.json``."""
    about = corpus.codebook.corpus
    related = []
    for _, pattern, form in _RELATIONS:
        match = re.fullmatch(pattern, about.get("cite", ""), re.IGNORECASE)
        if match:
            related.append({"identifier": form.format(match[1]), "relation": "isSupplementTo"})
    values = {
        "title": about.get("title", ""),
        "upload_type": "dataset",
        "description": html.escape(about.get("description", "")),  # Zenodo reads HTML
        "creators": [{"name": name} for name in creators(corpus.codebook)],
        "license": about.get("license", "").lower(),
        "version": about.get("version", ""),
        "keywords": [str(word) for word in corpus.codebook.settings.get("deposit", {}).get("keywords", [])],
        "related_identifiers": related,
    }
    return {name: value for name, value in values.items() if value}
