"""What people write, in the form that a codebook takes: names of columns, terms and keys; dates.

Which bibliographic field a column is, its name and its cells tell.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from corpus.model.identifiers import ascii_text, find_arxiv, find_doi

#: Characters that tell names apart (C, C++, C#) are words in a name.
_SPELLED = str.maketrans(
    {"+": " plus ", "#": " sharp ", "&": " and ", "%": " percent ", "<": " below ", ">": " above "}
)


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a text between commas: a table of words in one line."""
    return tuple(map(str.strip, text.split(",")))


def mapped(table: str) -> dict[str, str]:
    """Return what is on the left of each row of a table -> what is on the right of `` = ``."""
    return dict(row.strip().split(" = ") for row in table.strip().split("\n"))


def filled(parts: Iterable[str]) -> list[str]:
    """Return the parts with more than whitespace, without that at their ends."""
    return list(filter(None, map(str.strip, parts)))


def ascii_words(text: str) -> list[str]:
    """Return the words of a text in lower-case ASCII, accents dropped.

    Examples
    --------
    >>> ascii_words("Évapotranspiration (daily), C++")
    ['evapotranspiration', 'daily', 'c', 'plus', 'plus']
    """
    return re.findall(r"[a-z0-9]+", ascii_text(text.translate(_SPELLED)))


def column_name(text: str, taken: Collection[str] = ()) -> str:
    """Return a name for a column: ASCII letters, digits, underscores, not in `taken`.

    Examples
    --------
    >>> column_name("Sensor type (main)"), column_name("漢字"), column_name("Year", {"year"})
    ('sensor_type_main', 'column', 'year_2')
    """
    # Above a column, "#" means a number, as in "# agents".
    return _named(text.replace("#", " nr "), "_", 40, "column", taken)


def term_id(text: str, taken: Collection[str] = ()) -> str:
    """Return an identifier for a term, not in `taken`; the text where it has no ASCII word."""
    return _named(text, "_", 60, text, taken)


def key_name(words: list[str], taken: Collection[str] = ()) -> str:
    """Return a key made of words: lower-case ASCII, hyphens between them, not in `taken`.

    Examples
    --------
    >>> key_name(["Öztürk", "2021", "Peat"], {"ozturk-2021-peat"})
    'ozturk-2021-peat-2'
    """
    return _named(" ".join(words), "-", 60, "entry", taken)


def _named(text: str, joint: str, most: int, otherwise: str, taken: Collection[str]) -> str:
    name = joint.join(ascii_words(text))[:most].strip(joint)
    return untaken(name or otherwise, taken, joint)


def untaken(name: str, taken: Collection[str], joint: str) -> str:
    """Return a name, or its first variant with a number that is not in `taken`."""
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}{joint}{number}"
    return unique


class KnownField(NamedTuple):
    """A bibliographic field of a pool: the column that it becomes, and its names in sources.

    Attributes
    ----------
    role, column, type, label, definition : str
        As the codebook declares them.
    names : tuple of str
        Lower-case words of the names that programs and people give it; where two columns are
        filled alike, the one that is named first is taken.
    always : bool
        Whether every pool has the column, filled or not.
    """

    role: str
    column: str
    type: str
    label: str
    definition: str
    names: tuple[str, ...]
    always: bool = False


FILES = Path(__file__).parent / "files"
_DECLARED = tomllib.loads((FILES / "fields.toml").read_text("utf-8"))
FIELDS = tuple(
    KnownField(role, **{**field, "names": listed(field["names"])})
    for role, field in _DECLARED.items()
)
BY_ROLE = {field.role: field for field in FIELDS}
#: Column of a pool -> the role of its field.
ROLE_OF = {field.column: field.role for field in FIELDS}
#: Name in a source -> the role of its field, and how usual the name is for it.
_NAMES: dict[str, tuple[str, int]] = {}
for _field in FIELDS:
    for _rank, _name in enumerate(_field.names):
        _NAMES[_name] = (_field.role, _rank)


def field_by_name(column: str) -> str:
    """Return the role of the field that a column's name means, or an empty string.

    Examples
    --------
    >>> field_by_name("Publication Year"), field_by_name("Author(s)"), field_by_name("Soil type")
    ('year', 'authors', '')
    """
    return _named_field(column)[0]


def name_rank(column: str) -> int:
    """Return how usual a column's name is for its field: 0 for the first in the list."""
    return _named_field(column)[1]


def _named_field(column: str) -> tuple[str, int]:
    words = ascii_words(re.sub(r"([a-z])([A-Z])", r"\1 \2", column))
    joined = _NAMES.get("".join(words), ("", len(_NAMES)))
    return _NAMES.get(" ".join(words), joined)


def field_by_content(values: Sequence[str]) -> str:
    """Return ``doi``, ``arxiv``, ``url`` or ``year`` where nearly all values are one, else ""."""
    if not values:
        return ""
    tests: dict[str, Callable[[str], object]] = {
        "doi": find_doi,
        "arxiv": find_arxiv,
        "url": re.compile(r"https?://\S").match,
        "year": re.compile(r"(19|20)[0-9]{2}").fullmatch,
    }
    for role, test in tests.items():
        # Identifiers within a sentence are of other works.
        found = [text for text in values if test(text) and (role == "url" or " " not in text)]
        if len(found) >= 0.9 * len(values):
            return role
    return ""


_ABSTRACTS = listed(
    "abstract, abstract note, abstractnote, notes abstract, ab, n2, summary, abstract text, "
    "abstract english, article abstract"
)


def is_abstract(column: str) -> bool:
    """Whether a column's name means the abstract, in any dialect of the databases.

    Examples
    --------
    >>> is_abstract("Abstract Note"), is_abstract("notes_abstract"), is_abstract("Abstracted in")
    (True, True, False)
    """
    return " ".join(ascii_words(column)) in _ABSTRACTS


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
            return _written(match.groupdict())
    return ""


def _written(parts: dict[str, str]) -> str:
    year, month, day = int(parts["year"]), int(parts.get("month", 0)), int(parts.get("day") or 0)
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
