"""How a published data set describes itself: license, creators, keywords, checksums."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from corpus.model.codebook import Codebook


class License(NamedTuple):
    """A license for data: its SPDX identifier, name and address; what is not known is empty."""

    id: str
    name: str = ""
    url: str = ""


_LICENSES = (
    License("CC0-1.0", "CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    License(
        "CC-BY-4.0",
        "Creative Commons Attribution 4.0",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    License(
        "CC-BY-SA-4.0",
        "Creative Commons Attribution-ShareAlike 4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    License(
        "ODC-BY-1.0",
        "Open Data Commons Attribution 1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
    ),
    License("MIT", "MIT License", "https://opensource.org/license/mit"),
)


def license_of(book: Codebook) -> License:
    """Return the license that the codebook names; an unlisted one has its identifier only."""
    identifier = book.corpus.get("license", "")
    for known in _LICENSES:
        if known.id == identifier:
            return known
    return License(identifier)


def creators(book: Codebook) -> list[str]:
    """Return ``[deposit] creators`` of the codebook, else "The ID maintainers"."""
    named = _deposit(book).get("creators")
    if named:
        return [str(name) for name in named]
    return [f"The {book.corpus.get('id', 'corpus')} maintainers"]


def keywords(book: Codebook) -> list[str]:
    """Return ``[deposit] keywords`` of the codebook."""
    return [str(word) for word in _deposit(book).get("keywords", [])]


def _deposit(book: Codebook) -> dict[str, Any]:
    settings: dict[str, Any] = book.settings.get("deposit", {})
    return settings


def sha256(content: bytes) -> str:
    """Return the checksum of a file as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
