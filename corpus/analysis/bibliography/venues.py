"""What kind of publication a venue is, by its name; a corpus adds its own names in the codebook.

The optional section ``[venues]`` of codebook.toml maps a kind to venue names, for what the name
alone does not show (a journal called by its acronym)::

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

#: The first kind whose words are in the name is taken: a submission to a journal is not an article
#: yet.
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
#: ``NeurIPS 2024`` and the like: after an acronym, a year means the proceedings of that year.
_ACRONYM_AND_YEAR = re.compile(
    r"(?:[A-Za-z&]+ )*(?=\w*[A-Z]\w*[A-Z])[A-Za-z&-]+,? ['’]?(?:19|20)?[0-9]{2}\b.*"
)
#: The first year and what follows it on its line. A run of whitespace is tried from its first
#: character only, or a cell of whitespace would be searched once for each of its characters.
_FROM_YEAR_ON = re.compile(r"(?<![\s,])[\s,]*+\b(?:19|20)[0-9]{2}\b.*")


def venue_kind(venue: str, settings: Mapping[str, Any] | None = None) -> str:
    """Return one of :data:`KINDS`; ``misc`` where neither the codebook nor the name shows another.

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
    # "NeurIPS 2024 D&B" and "NeurIPS 2025" are the declared venue "NeurIPS".
    before_year = _FROM_YEAR_ON.sub("", venue).strip().casefold()
    spellings = (before_year, venue.casefold())
    for kind, names in (settings or {}).items():
        if kind in KINDS and any(str(name).casefold() in spellings for name in names):
            return kind
    return kind_by_name(venue) or OTHER


def kind_by_name(venue: str) -> str:
    """Return the kind that the name of a venue shows by itself, or an empty string.

    Examples
    --------
    >>> kind_by_name("Soil Letters"), kind_by_name("Peat and Moss")
    ('article', '')
    """
    for kind, words in _WORDS:
        if re.search(words, venue, re.IGNORECASE):
            return kind
    if _ACRONYM_AND_YEAR.fullmatch(venue):
        return PROCEEDINGS
    return ""
