"""Years of entries against the date of their first version and the years in their keys.

The optional section ``[years]`` of codebook.toml declares what a corpus takes for plausible::

    [years]
    after_first_public = 1   # a venue publishes in that year or up to so many years later
    in_keys = true           # years at the end of keys mean the work's
"""

import re
from contextlib import suppress

from corpus.analysis.bibliography.works import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section, read_settings
from corpus.model.finding import CorpusError, Finding
from corpus.tables.sheet import Sheets

_KEY_YEAR = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})\Z")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")


def read_years(section: Section) -> tuple[int, bool]:
    """Read ``[years]``: the years after the first version, and whether keys have the work's year.

    Mistakes are in the findings of the section.
    """
    years = section.whole("after_first_public", 0)
    if years < 0:
        section.mistake("after_first_public", "must not be negative")
    in_keys = section.flag("in_keys", False)
    section.finish()
    return years, in_keys


def year_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Check the years of the pool against a bibliography, as far as ``[years]`` declares it."""
    found: list[Finding] = []
    pool = sheets.get(book.pool.name)
    if pool is None or "years" not in book.settings:
        return found
    try:
        after_first_public, in_keys = read_settings(book, "years", read_years)
    except CorpusError:  # the check of the codebook reports it
        return found
    key, year, venue = map(pool.spec.by_role, ("key", "year", "venue"))
    if key is None or year is None:
        return found
    public = _first_public(sheets, book)
    for position, (name, cell) in enumerate(pool.rows(key, year)):
        first = public.get(name, "")
        # C208 reports a year that is none.
        if not re.fullmatch("[0-9]{4}", cell):
            continue
        latest = int(first or cell)
        if cell != first and venue is not None:
            published = pool.cell(venue.name, position)
            kind = venue_kind(published, book.settings.get("venues", {}))
            # A submission neither publishes nor names the year by itself.
            if cell in _YEAR.findall(published) or kind in (ARTICLE, PROCEEDINGS):
                latest += after_first_public
        if first and not int(first) <= int(cell) <= latest:
            places = {"other": repr(name), "advice": first}
            found.append(pool.finding(rules.PUBLICATION_YEAR, position, year.name, **places))
        in_key = _KEY_YEAR.search(name)
        years = sorted((first or cell, cell))
        if in_keys and in_key and not years[0] <= in_key[1] <= years[1]:
            places = {"other": " or ".join(dict.fromkeys(years)), "advice": in_key[1]}
            found.append(pool.finding(rules.KEY_YEAR, position, key.name, **places))
    return found


def _first_public(sheets: Sheets, book: Codebook) -> dict[str, str]:
    """Return the year of the first version by the key of the entry."""
    found = {}
    for sheet in sheets.values():
        if sheet.spec.role != "bibliography":
            continue
        columns = (sheet.spec.reference_to(book.pool), sheet.spec.by_role("date"))
        for entry, cell in sheet.rows(*columns):
            with suppress(ValueError):  # C211 reports it
                found[entry] = str(parse_date(cell).start.year)
    return found
