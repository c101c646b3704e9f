"""OpenReview: the notes of its interface, version 2.

Older notes hold plain values instead of ``{"value": ...}``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.answers import (
    ABSTRACT,
    author,
    clean,
    items_at,
    read_object,
    text_at,
    value_at,
)
from corpus.curation.lookup.transport import Opener, Service, fetch
from corpus.model.finding import CorpusError
from corpus.model.identifiers import openreview_page
from corpus.model.work import Work

SERVICE = Service("OpenReview", ("api2.openreview.net", "api.openreview.net"))


def from_openreview(identifier: str, opener: Opener | None = None) -> Work:
    """Ask OpenReview for the submission of a forum.

    The older interface where the newer one does not know it.

    Raises
    ------
    CorpusError
        See :func:`corpus.curation.lookup.transport.fetch`.
    """
    for host in SERVICE.hosts:
        url = f"https://{host}/notes?id={quote(identifier)}"
        try:
            body = fetch(url, SERVICE, "application/json", opener)
            return parse_notes(read_object(body, SERVICE, identifier), identifier)
        except CorpusError as error:
            if error.findings[0].code != rules.UNKNOWN_WORK.code:
                raise
            unknown = error
    raise unknown


def parse_notes(answer: Any, identifier: str) -> Work:
    """Read the candidate out of the list of notes; CorpusError C705 where it is not in it."""
    for note in items_at(answer, "notes"):
        if value_at(note, "id") == identifier:
            return work_of_note(note)
    raise SERVICE.unknown(identifier)


def work_of_note(note: Any) -> Work:
    """Return what a note tells of a work; CorpusError (C707) where it has no title or id."""
    identifier = text_at(note, "id")
    title = clean(_text(note, "title"))
    if not title or not identifier:
        raise SERVICE.bad_answer(identifier, "it has no title or no id")
    # Online, published, created, in milliseconds: the first that is known.
    first_public = ""
    for kind in ("odate", "pdate", "cdate"):
        time = value_at(note, kind)
        # In Python, true is a number, too; 10**14 is in the year 5138: datetime ends soon after.
        if not first_public and type(time) is int and 0 < time < 10**14:
            first_public = f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d}"
    evidence = ""
    if first_public:
        evidence = "OpenReview, date of the note"
    venue = clean(_text(note, "venue"))
    year = re.search(r"(?<!\S)[0-9]{4}(?!\S)", venue)
    people = []
    for item in items_at(note, "content.authors.value") or items_at(note, "content.authors"):
        name = author(text_at({"name": item}, "name"))
        # Under review, authors are hidden behind this word.
        if name and name.casefold() != "anonymous":
            people.append(name)
    return Work(
        source=SERVICE.name,
        title=title,
        authors=tuple(people),
        year=year[0] if year else first_public[:4],
        venue=venue,
        url=openreview_page(identifier),
        first_public=first_public,
        evidence=evidence,
        abstract=clean(_text(note, "abstract"), ABSTRACT),
    )


def _text(note: Any, name: str) -> str:
    # Version 2 of the interface wraps each value, version 1 does not.
    return text_at(note, f"content.{name}.value") or text_at(note, f"content.{name}")
