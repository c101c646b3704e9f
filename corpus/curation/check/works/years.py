"""Years of entries against the date of their first version and the years in their keys.

The optional section ``[years]`` of codebook.toml declares what a corpus takes for plausible::

    [years]
    after_first_public = 1   # a venue publishes in that year or up to so many years later
    in_keys = true           # years at the end of keys mean the work's
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from corpus.analysis.bibliography.works import ARTICLE, PROCEEDINGS, venue_kind
from corpus.curation.check.rule import Place, Tables, at, rule
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section, valid_settings
from corpus.model.finding import WARNING
from corpus.tables.sheet import ColumnarTable

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


@rule(
    "C315",
    "the year is {value}, but {other} was first public in {advice}",
    hint="write the year of the venue, or of the first public version",
    severity=WARNING,
)
def publication_year(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Year and first public date disagree.

    [years] of the codebook declares how many years after its first public date a work may be
    published.

    >>> broken("sensors", {"year": "2018"})
    sensors.csv: the year is '2018', but 'ada' was first public in 2020
    """
    year = sheet.spec.by_role("year")
    for position, name, cell, first, latest in _dated(sheet, tables):
        if year is not None and first and not int(first) <= int(cell) <= latest:
            yield at(position, year.name, other=repr(name), advice=first)


@rule(
    "C316",
    "the key ends in {advice}, the work is of {other}",
    hint="correct the year, or rename the entry: `corpus edit KEY --set key=NEW`",
    severity=WARNING,
)
def key_year(sheet: ColumnarTable, tables: Tables) -> Iterator[Place]:
    """Year in the key disagrees.

    Where the codebook declares years in keys, such a year is that of the first public version,
    of the venue, or one between.

    >>> broken("sensors", {"sensor": "ada2018"})
    sensors.csv: the key ends in 2018, the work is of 2020
    """
    key, declared = sheet.spec.by_role("key"), valid_settings(tables.book, "years", read_years)
    if key is None or declared is None or not declared[1]:
        return
    for position, name, cell, first, _ in _dated(sheet, tables):
        in_key = _KEY_YEAR.search(name)
        years = sorted((first or cell, cell))
        if in_key and not years[0] <= in_key[1] <= years[1]:
            other = " or ".join(dict.fromkeys(years))
            yield at(position, key.name, other=other, advice=in_key[1])


def _dated(sheet: ColumnarTable, tables: Tables) -> Iterator[tuple[int, str, str, str, int]]:
    """Yield position, key, year, year of the first version and last plausible year of entries."""
    # The check of the codebook reports a mistake there.
    declared = valid_settings(tables.book, "years", read_years)
    if sheet is not tables.pool or declared is None:
        return
    public = _first_public(tables)
    venue = sheet.spec.by_role("venue")
    rows = sheet.rows(sheet.spec.by_role("key"), sheet.spec.by_role("year"))
    for position, (name, cell) in enumerate(rows):
        # C208 reports a year that is none.
        if not re.fullmatch("[0-9]{4}", cell):
            continue
        first = public.get(name, "")
        latest = int(first or cell)
        if cell != first and venue is not None:
            published = sheet.cell(venue.name, position)
            kind = venue_kind(published, tables.book.settings.get("venues", {}))
            # A submission neither publishes nor names the year by itself.
            if cell in _YEAR.findall(published) or kind in (ARTICLE, PROCEEDINGS):
                latest += declared[0]
        yield position, name, cell, first, latest


def _first_public(tables: Tables) -> dict[str, str]:
    """Return the year of the first version by the key of the entry."""
    found = {}
    for sheet in tables.by_role("bibliography"):
        columns = (sheet.spec.reference_to(tables.book.pool), sheet.spec.by_role("date"))
        for entry, cell in sheet.rows(*columns):
            with suppress(ValueError):  # C210 reports it
                found[entry] = str(parse_date(cell).start.year)
    return found
