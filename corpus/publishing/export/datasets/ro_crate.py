"""RO-Crate 1.1: the tables with the description of the data set as JSON-LD."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.publishing.export.cells import filled
from corpus.publishing.export.datasets import data_package
from corpus.publishing.export.datasets.publication import deposit, last_day, license_of
from corpus.publishing.export.tables.json import json_bytes

DESCRIPTOR = "ro-crate-metadata.json"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_FORMATS = {".csv": "text/csv", ".json": "application/json"}


def files(study: Study) -> dict[str, bytes]:
    """Return the data package of the corpus, and ``ro-crate-metadata.json``, which describes it."""
    found = data_package.files(study)
    return {**found, DESCRIPTOR: json_bytes(_crate(study, found))}


def _crate(study: Study, content: dict[str, bytes]) -> dict[str, Any]:
    """Return the graph: the descriptor, the root, its files, and what they refer to."""
    book = study.codebook
    organisations = []
    for number, name in enumerate(deposit(book).creators, 1):
        organisations.append({"@id": f"#creator-{number}", "@type": "Organization", "name": name})
    described = [_file(study, path, data) for path, data in content.items()]
    licenses = _licenses(book)
    descriptor = {
        "@id": DESCRIPTOR,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": _PROFILE},
    }
    root = _root(study, licenses)
    root["creator"] = [_pointer(entity) for entity in organisations]
    root["hasPart"] = [_pointer(entity) for entity in described]
    return {
        "@context": f"{_PROFILE}/context",
        "@graph": [descriptor, root, *described, *licenses, *organisations],
    }


def _root(study: Study, licenses: list[dict[str, str]]) -> dict[str, Any]:
    """Return the root data entity; what the codebook does not tell is left out."""
    about = study.codebook.corpus
    title = about.get("title", "") or about.get("id", "corpus")
    license_ = None
    if licenses:
        license_ = _pointer(licenses[0])
    published = last_day(study)
    values = {
        "@id": "./",
        "@type": "Dataset",
        "name": title,
        "description": about.get("description", "") or title,
        "datePublished": published.isoformat() if published else "",
        "license": license_,
        "version": about.get("version", ""),
        "url": web_address(about.get("homepage", "")),
        "keywords": ", ".join(deposit(study.codebook).keywords),
    }
    return filled(values)


def _licenses(book: Codebook) -> list[dict[str, str]]:
    """Return the license as an entity: the rules want its address, else a name of its own."""
    named = license_of(book)
    if not named.id:
        return []
    return [
        {
            "@id": named.url or f"#{quote(named.id, safe='')}",
            "@type": "CreativeWork",
            "name": named.name or named.id,
            "identifier": named.id,
        }
    ]


def _file(study: Study, path: str, data: bytes) -> dict[str, str]:
    """Return the description of one file; identifiers are addresses, so a space is encoded."""
    name = path
    description = "Frictionless Data Package of the tables"
    for table in study.tables.values():
        if table.spec.file == path:
            name = table.spec.title
            description = table.spec.definition
    values = {
        "@id": quote(path),
        "@type": "File",
        "name": name,
        "description": description,
        "encodingFormat": _FORMATS.get(PurePosixPath(path).suffix, "application/octet-stream"),
        "contentSize": str(len(data)),
    }
    return filled(values)


def _pointer(entity: dict[str, str]) -> dict[str, str]:
    return {"@id": entity["@id"]}
