"""What kind of publication a venue is, by its name; a corpus adds its own names in the codebook.

The optional section ``[venues]`` of codebook.toml maps a kind to venue names, for what the name
alone does not tell (a journal called by its acronym)::

    [venues]
    article = ["TMLR", "Nature"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ARTICLE = "article"
PROCEEDINGS = "inproceedings"
REPORT = "techreport"
OTHER = "misc"
KINDS = (ARTICLE, PROCEEDINGS, REPORT, OTHER)

_WORDS = (
    (
        OTHER,
        r"\barxiv\b|preprint|submission|submitted|under review|openreview"
        r"|blog|documentation|web ?site|\bdocs\b",
    ),
    (REPORT, r"\btech(?:nical)?\.? report\b|white ?paper|working paper"),
    (PROCEEDINGS, r"proceedings|\bproc\.|conference|workshop|symposium|findings|meeting"),
    (ARTICLE, r"journal|transactions|letters|annals|magazine|\breview"),
)
_ACRONYM_AND_YEAR = re.compile(
    r"(?:[A-Za-z&]+ )*(?=\w*[A-Z]\w*[A-Z])[A-Za-z&-]+,? ['’]?(?:19|20)?[0-9]{2}\b.*"
)
#: The first year and what follows it on its line. A run of whitespace is tried from its first
#: character only, or a cell of whitespace would be searched once for each of its characters.
_FROM_YEAR_ON = re.compile(r"(?<![\s,])[\s,]*+\b(?:19|20)[0-9]{2}\b.*")


def venue_kind(venue: str, settings: Mapping[str, Any] | None = None) -> str:
    """Return one of :data:`KINDS`; ``misc`` where nothing tells.

    `settings` is the codebook's section ``venues``; its names match the whole venue, or the venue
    before a year.

    Examples
    --------
    >>> venue_kind("ICML 2018"), venue_kind("Journal of Wetlands")
    ('inproceedings', 'article')
    >>> venue_kind("arXiv"), venue_kind("")
    ('misc', 'misc')
    >>> venue_kind("Nature 2025", {"article": ["Nature"]})
    'article'
    """
    plain = _FROM_YEAR_ON.sub("", venue).strip().casefold()
    for kind, names in (settings or {}).items():
        if kind in KINDS and any(
            str(name).casefold() in (plain, venue.casefold()) for name in names
        ):
            return kind
    return told_kind(venue) or OTHER


def told_kind(venue: str) -> str:
    """Return the kind that the name of a venue tells by itself, or an empty string.

    Examples
    --------
    >>> told_kind("Soil Letters"), told_kind("Peat and Moss")
    ('article', '')
    """
    for kind, words in _WORDS:
        if re.search(words, venue, re.IGNORECASE):
            return kind
    return PROCEEDINGS if _ACRONYM_AND_YEAR.fullmatch(venue) else ""
