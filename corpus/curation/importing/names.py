"""Names that a codebook takes, made from what people write: of columns, terms and keys."""

import re
from collections.abc import Collection, Iterable

from corpus.model.identifiers import ascii_text

#: Characters that tell names apart (C, C++, C#) are words in a name.
_SPELLED = str.maketrans(
    {"+": " plus ", "#": " sharp ", "&": " and ", "%": " percent ", "<": " below ", ">": " above "}
)


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a text between commas: a table of words in one line."""
    return tuple(map(str.strip, text.split(",")))


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
