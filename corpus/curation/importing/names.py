"""What people write, in the form that a codebook takes: names of columns, terms and keys; dates.

Which bibliographic field a column is, its name and its cells tell.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

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
    name = joint.join(ascii_words(text))
    if len(name) > most:
        # Between two words, where there are two.
        name = name[: most + 1].rpartition(joint)[0] or name[:most]
    return untaken(name or otherwise, taken, joint)


def untaken(name: str, taken: Collection[str], joint: str) -> str:
    """Return a name, or its first variant with a number that is not in `taken`."""
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}{joint}{number}"
    return unique


@dataclass(frozen=True)
class KnownField:
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


def abstract_rank(column: str) -> int:
    """Return how usual a name of the abstract is: 0 for the first in the list."""
    return _ABSTRACTS.index(" ".join(ascii_words(column)))


_MONTHS = listed("jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec")
#: How names of months begin in other languages, without accents -> the number of the month.
_FOREIGN_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "ene gen янв", "fev fév feb фев", "mär mrz marz мар", "abr avr апр", "mai mag мая май",
            "juin giu июн", "juil lug июл", "aoû aou ago авг", "set сен", "okt out ott окт",
            "noi ноя", "dez déc dic дек",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_NUMBER_OF_MONTH = {**_FOREIGN_MONTHS, **{name: n for n, name in enumerate(_MONTHS, 1)}}
_NAME = rf"(?P<name>{'|'.join(sorted(_NUMBER_OF_MONTH, key=len, reverse=True))})[^\W\d_]*\.?"
_YEAR = r"(?P<year>(?:1[5-9]|20)[0-9]{2})"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|\.)?"
#: Of a span of days, the first one.
_TO = r"(?: ?[-–] ?[0-9]{1,2}\.?)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}[-/.](?P<month>[0-9]{{1,2}})[-/.](?P<day>[0-9]{{1,2}})(?:[T ][0-9:.+Z-]*)?",
        rf"{_YEAR}\. ?(?P<month>[0-9]{{1,2}})\. ?(?P<day>[0-9]{{1,2}})\.?",
        rf"{_YEAR}年 ?(?P<month>[0-9]{{1,2}})月(?: ?(?P<day>[0-9]{{1,2}})日)?",
        rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>[0-3][0-9])",
        rf"{_YEAR}[-/.](?P<month>[0-9]{{1,2}})",
        rf"(?P<month>0?[1-9]|1[0-2])/{_YEAR}",
        rf"{_YEAR}/(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})?/.*",  # RIS: other information
        rf"{_DAY}{_TO}[ -](?:of |de )?{_NAME}(?:,? |-| de ){_YEAR}",
        rf"(?:[a-z]{{3,9}},? )?{_NAME} {_DAY}{_TO},? {_YEAR}",
        rf"{_NAME}(?:,? | de |-){_YEAR}",
        rf"{_YEAR}(?:,? |-){_NAME}(?:[ -](?P<day>[0-9]{{1,2}}))?",
        rf"(?P<first>[0-9]{{1,2}})(?P<between>[/.-])(?P<second>[0-9]{{1,2}})[/.-]{_YEAR}",
        r"(?P<first>[0-9]{1,2})(?P<between>[/.-])(?P<second>[0-9]{1,2})[/.-](?P<short>[0-9]{2})",
        rf"(?P<day>[0-9]{{1,2}})-{_NAME}-(?P<short>[0-9]{{2}})",
        rf"{_NAME}[- ]['’]?(?P<short>[0-9]{{2}})",
        _YEAR,
    )
)
#: A day number as a spreadsheet counts them, 1995 to 2050.
_SERIAL = re.compile(r"(?:3[5-9]|4[0-9]|5[0-4])[0-9]{3}(?:\.0+)?")
#: A range of two dates with a year each, of which the first counts.
_RANGE = re.compile(
    # No date in words is longer, so that a long text is no work.
    r"(.{0,40}(?:1[5-9]|20)[0-9]{2}[^/]{0,40}?)(?:/|--|–|\s-\s|\bto\b|\bbis\b)"
    r".{0,40}(?:1[5-9]|20)[0-9]{2}.{0,40}"
    r"|((?:1[5-9]|20)[0-9]{2})-(?:1[5-9]|20)[0-9]{2}"
)
#: What may be around a date: marks of uncertainty, brackets, a letter behind the year.
_AROUND = re.compile(
    r"^(?:\[|\(|c\.|ca\.|circa|©|/)\s*|[~?%\])/]+$|(?<=[0-9]{4})[a-z]$", re.IGNORECASE
)


def read_date(text: str) -> str:
    """Return YYYY, YYYY-MM or YYYY-MM-DD; an empty string for no date and for one of two meanings.

    Examples
    --------
    >>> read_date("12 May 2020"), read_date("Sept. 2019"), read_date("2.1.2020")
    ('2020-05-12', '2019-09', '2020-01-02')
    >>> read_date("2020/5/1"), read_date("23/05/2020"), read_date("2020//")
    ('2020-05-01', '2020-05-23', '2020')
    >>> read_date("03/05/2020"), read_date("soon")
    ('', '')
    """
    found = date_readings(text)
    if len(found) != 1:
        return ""
    return found[0]


def date_readings(text: str) -> tuple[str, ...]:
    """Return what a date can mean: nothing, one date, or two where day and month may be exchanged.

    Of a span of time it is the beginning; years of two digits are those of the last hundred years.

    Examples
    --------
    >>> date_readings("03/05/2020"), date_readings("Mar-20")
    (('2020-05-03', '2020-03-05'), ('2020-03',))
    """
    text = " ".join(text.split()).rstrip("/")
    for form in _FORMS:
        match = form.fullmatch(text)
        if match:
            return _written(match.groupdict())
    if _SERIAL.fullmatch(text):
        return ((date(1899, 12, 30) + timedelta(days=int(float(text)))).isoformat(),)
    span = _RANGE.fullmatch(text)
    simple = _AROUND.sub("", span[1] or span[2] if span else text).strip()
    if simple == text:
        return ()
    return date_readings(simple) or tuple(filter(None, [find_year(simple)]))


def _written(parts: dict[str, str]) -> tuple[str, ...]:
    if "short" in parts:
        this = date.today().year
        century = this - this % 100
        year = century + int(parts["short"])
        parts["year"] = str(year - 100 if year > this + 1 else year)
    year, month, day = int(parts["year"]), int(parts.get("month", 0)), int(parts.get("day") or 0)
    if "name" in parts:
        month = _NUMBER_OF_MONTH[parts["name"].lower()]
    if "first" in parts:
        day, month = int(parts["first"]), int(parts["second"])
        if not (day and month):
            return ()
        if parts["between"] == "." and month <= 12:
            # With full stops the day is first, in every language that writes dates so.
            return _real(year, month, day)
        both = (*_real(year, month, day), *_real(year, day, month))
        return tuple(dict.fromkeys(both))
    if day and not month:
        return ()
    return _real(year, month, day)


def _real(year: int, month: int, day: int) -> tuple[str, ...]:
    """Return a date as text where there is such a day, else nothing."""
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ()
    return ("-".join(f"{part:02d}" for part in (year, month, day) if part),)


def find_year(text: str) -> str:
    """Return the only year that a text names, or an empty string.

    Examples
    --------
    >>> find_year("Proc. of Mires '21, 2021"), find_year("2019 or 2020"), find_year("page 12345")
    ('2021', '', '')
    """
    years: set[str] = set(re.findall(r"(?<![0-9]\.)(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])", text))
    if len(years) != 1:
        return ""
    return years.pop()


def written_year(text: str) -> str:
    """Return the year that all readings of a date have, else the only one that a text names."""
    years = {reading[:4] for reading in date_readings(text)}
    return years.pop() if len(years) == 1 else find_year(text)
