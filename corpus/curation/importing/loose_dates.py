"""Dates as people write them, read where they mean one day, month or year."""

import re
from datetime import date

from corpus.curation.importing.names import listed

_MONTHS = listed("jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec")
_NAME = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_YEAR = r"(?P<year>(?:1[89]|20)[0-9]{2})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}[-/.](?P<month>[0-9]{{1,2}})[-/.](?P<day>[0-9]{{1,2}})(?:[T ][0-9:.+Z-]*)?",
        rf"{_YEAR}[-/.](?P<month>[0-9]{{1,2}})",
        rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?{_NAME},? {_YEAR}",
        rf"{_NAME} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? {_YEAR}",
        rf"{_NAME},? {_YEAR}",
        rf"{_YEAR},? {_NAME}(?: (?P<day>[0-9]{{1,2}}))?",
        rf"(?P<first>[0-9]{{1,2}})[/.-](?P<second>[0-9]{{1,2}})[/.-]{_YEAR}",
        _YEAR,
    )
)


def read_date(text: str) -> str:
    """Return YYYY, YYYY-MM or YYYY-MM-DD; an empty string for no date and for one of two meanings.

    Examples
    --------
    >>> read_date("12 May 2020"), read_date("Sept. 2019")
    ('2020-05-12', '2019-09')
    >>> read_date("2020/5/1"), read_date("23/05/2020"), read_date("2020//")
    ('2020-05-01', '2020-05-23', '2020')
    >>> read_date("03/05/2020"), read_date("soon")
    ('', '')
    """
    for form in _FORMS:
        match = form.fullmatch(text.strip().rstrip("/"))
        if match:
            parts = {name: part for name, part in match.groupdict().items() if part}
            return _written(parts)
    return ""


def _written(parts: dict[str, str]) -> str:
    year, month, day = int(parts["year"]), int(parts.get("month", 0)), int(parts.get("day", 0))
    if "name" in parts:
        month = _MONTHS.index(parts["name"][:3].lower()) + 1
    if "first" in parts:
        month, day = sorted((int(parts["first"]), int(parts["second"])))
        if month != day <= 12:
            return ""  # the third of May, or the fifth of March
    if day and not month:
        return ""
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ""
    return "-".join(f"{part:02d}" for part in (year, month, day) if part)


def find_year(text: str) -> str:
    """Return the only year that a text names, or an empty string.

    Examples
    --------
    >>> find_year("Proc. of Mires '21, 2021"), find_year("2019 or 2020"), find_year("page 12345")
    ('2021', '', '')
    """
    years: set[str] = set(re.findall(r"(?<![0-9.])(?:19|20)[0-9]{2}(?![0-9])", text))
    if len(years) != 1:
        return ""
    return years.pop()
