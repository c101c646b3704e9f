"""The codebook's section `[page]`: months of the timeline, and questions to start from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, raise_findings, read_settings
from corpus.model.suggestions import unknown

#: Months that the timeline shows where the codebook does not declare any.
MONTHS = 24

#: The longest timeline whose bars can still be distinguished.
_MOST_MONTHS = 120


class PageQuestion(NamedTuple):
    """A question of a reader, and the address of the view that answers it."""

    text: str
    address: str


class PageSettings(NamedTuple):
    """The section as a whole; it may be missing."""

    months: int
    questions: tuple[PageQuestion, ...]


def page_settings(book: Codebook, filters: Mapping[str, Collection[str]]) -> PageSettings:
    """Read ``[page]``.

    It has `months`, `leave_out` (see :func:`left_out`), and ``[[page.questions]]`` with `text` and
    `where` (filter -> term) or `section`.

    Parameters
    ----------
    book : Codebook
        The codebook.
    filters : mapping of str to collection of str
        The filters that the page has and the terms of each: axes, and ``table.column`` for
        judgements of evidence.

    Raises
    ------
    CorpusError
        C001, where the section names what the page does not have.
    """
    section, findings = read_settings(book.settings, "page", "codebook.toml")
    months = section.whole("months", MONTHS)
    section.some_of("leave_out", book.tables, ())
    questions = [_question(item, filters) for item in section.sections("questions")]
    if not 1 <= months <= _MOST_MONTHS:
        section.mistake("months", f"must be between 1 and {_MOST_MONTHS}")
    section.finish()
    raise_findings(findings)
    return PageSettings(months, tuple(questions))


def left_out(book: Codebook) -> tuple[str, ...]:
    """Return the tables that the page leaves out, since they would make it slow to open.

    They are in the exports and in the files all the same.
    """
    section, _ = read_settings(book.settings, "page", "codebook.toml")
    return section.some_of("leave_out", book.tables, ())


def _question(section: Section, filters: Mapping[str, Collection[str]]) -> PageQuestion:
    text = section.text("text")
    where = section.texts("where")
    part = section.text("section", "")
    for name, term in where.items():
        if name not in filters:
            section.mistake(f"where.{name}", unknown("filter of the page", name, filters))
        elif term not in filters[name]:
            section.mistake(f"where.{name}", unknown("term", term, filters[name]))
    if bool(where) == bool(part):
        section.mistake("", "needs either `where` or `section`")
    section.finish()
    address = f"#entries?{urlencode(where)}" if where else f"#{part}"
    return PageQuestion(text, address)
