"""What the codebook's section `[page]` says: how many months the timeline shows, and questions to start from."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlencode

from corpus.model.codebook import Codebook
from corpus.model.section import Section, raise_findings, read_settings

#: Months that the timeline shows where the codebook does not say.
MONTHS = 24


class PageQuestion(NamedTuple):
    """A question of a reader, and the address of the view that answers it."""

    text: str
    address: str


class PageSettings(NamedTuple):
    """The section as a whole; it may be missing."""

    months: int
    questions: tuple[PageQuestion, ...]


def page_settings(book: Codebook, filters: Collection[str], file: str = "codebook.toml") -> PageSettings:
    """Read ``[page]``: `months`, and ``[[page.questions]]`` with `text` and `where` (filter -> term) or `section`.

    Parameters
    ----------
    book : Codebook
        The codebook.
    filters : collection of str
        The filters that the page has: axes, and ``table.column`` for judgements of evidence.
    file : str
        The codebook as the user knows it.

    Raises
    ------
    CorpusError
        C001, where the section names what the page does not have.
    """
    section, findings = read_settings(book.settings, "page", file)
    found = PageSettings(
        section.whole("months", MONTHS),
        tuple(_question(item, filters) for item in section.sections("questions")),
    )
    if not 1 <= found.months <= 120:
        section.mistake("months", "must be between 1 and 120")
    section.finish()
    raise_findings(findings)
    return found


def _question(section: Section, filters: Collection[str]) -> PageQuestion:
    text, where, part = section.text("text"), section.texts("where"), section.text("section", "")
    for name in where:
        if name not in filters:
            section.mistake(f"where.{name}", f"is no filter of the page; filters are {', '.join(filters)}")
    if bool(where) == bool(part):
        section.mistake("", "needs either `where` or `section`")
    section.finish()
    return PageQuestion(text, f"#entries?{urlencode(where)}" if where else f"#{part}")
