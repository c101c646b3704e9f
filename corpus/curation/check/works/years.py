"""Years of entries against the date of their first version and the years in their keys.

The optional section ``[years]`` of codebook.toml declares what a corpus takes for plausible::

    [years]
    after_first_public = 1   # a venue publishes in that year or up to so many years later
    in_keys = true           # years at the end of keys mean the work's
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.bibliography.works import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section, read_settings
from corpus.model.finding import CorpusError, Finding
from corpus.tables.sheet import ColumnarTable

_KEY_YEAR = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})\Z")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")


class YearLimits(NamedTuple):
    """What ``[years]`` declares.

    Attributes
    ----------
    after_first_public : int
        A venue publishes a work in the year of its first version, or up to so many years later.
    in_keys : bool
        Whether a year at the end of a key is that of the work.
    """

    after_first_public: int
    in_keys: bool


def year_limits(book: Codebook) -> YearLimits | None:
    """Return what the codebook declares about years, or None where it has no such section.

    Raises
    ------
    CorpusError
        With one C001 finding for each mistake.
    """
    if "years" not in book.settings:
        return None
    return read_settings(book, "years", read_years)


def read_years(section: Section) -> YearLimits:
    """Read ``[years]``; mistakes are in the findings of the section."""
    years = section.whole("after_first_public", 0)
    if years < 0:
        section.mistake("after_first_public", "must not be negative")
    in_keys = section.flag("in_keys", False)
    section.finish()
    return YearLimits(years, in_keys)


def year_findings(sheets: Mapping[str, ColumnarTable], book: Codebook) -> list[Finding]:
    """Check the years of the pool against a bibliography, as far as ``[years]`` declares it."""
    try:
        limits = year_limits(book)
    except CorpusError:  # the check of the codebook reports it
        return []
    pool = sheets.get(book.pool.name)
    if limits is None or pool is None:
        return []
    public = _first_public(sheets, book)
    return [*_year_findings(pool, public, limits, book)]


def _first_public(sheets: Mapping[str, ColumnarTable], book: Codebook) -> dict[str, str]:
    """Return the year of the first version by the key of the entry."""
    found: dict[str, str] = {}
    for sheet in sheets.values():
        key, dated = sheet.spec.reference_to(book.pool), sheet.spec.by_role("date")
        if sheet.spec.role != "bibliography" or key is None or dated is None:
            continue
        keys = sheet.columns[key.name].to_pylist()
        dates = sheet.columns[dated.name].to_pylist()
        for entry, cell in zip(keys, dates, strict=True):
            try:
                found[entry] = str(parse_date(cell).start.year)
            except ValueError:  # C211 reports it
                continue
    return found


def _year_findings(
    pool: ColumnarTable, public: Mapping[str, str], limits: YearLimits, book: Codebook
) -> Iterator[Finding]:
    key, year, venue = (pool.spec.by_role(role) for role in ("key", "year", "venue"))
    if key is None or year is None:
        return
    keys = pool.columns[key.name].to_pylist()
    for position, cell in enumerate(pool.columns[year.name].to_pylist()):
        first = public.get(keys[position], "")
        # C208 reports a year that is none.
        if not re.fullmatch("[0-9]{4}", cell):
            continue
        line = pool.line(position)
        place = ""
        if venue is not None:
            place = pool.cell(venue.name, position)
        latest = int(first or cell)
        if cell != first and _may_be_later(place, cell, book):
            latest += limits.after_first_public
        if first and not int(first) <= int(cell) <= latest:
            yield rules.PUBLICATION_YEAR.at(
                pool.file, line, year.name, cell, other=repr(keys[position]), advice=first
            )
        in_key = _KEY_YEAR.search(keys[position])
        if limits.in_keys and in_key:
            years = sorted((first or cell, cell))
            if not years[0] <= in_key[1] <= years[1]:
                shown = " or ".join(dict.fromkeys(years))
                yield rules.KEY_YEAR.at(
                    pool.file, line, key.name, keys[position], advice=in_key[1], other=shown
                )


def _may_be_later(venue: str, year: str, book: Codebook) -> bool:
    """Whether a venue publishes, or names the year: a submission does neither by itself."""
    if year in _YEAR.findall(venue):
        return True
    return venue_kind(venue, book.settings.get("venues", {})) in (ARTICLE, PROCEEDINGS)
