"""Numbers as they stand in running text: digits with or without separators, or words up to ninety-nine."""

from __future__ import annotations

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ONES = ("zero", *_UNITS, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_ONES)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)}

#: A regular expression for such a number, without groups; to be matched without regard to case.
NUMBER = (
    r"(?:(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|(?<![\w.,\-])[0-9]+"
    rf"|\b(?:{'|'.join(_TENS)})[ \-](?:{'|'.join(_UNITS)})\b|\b(?:{'|'.join([*reversed(_ONES), *_TENS])})\b)"
)


def parse_number(text: str) -> int:
    """Return the value of a text that :data:`NUMBER` matches.

    Examples
    --------
    >>> parse_number("1,500"), parse_number("Eighty-four"), parse_number("twelve"), parse_number("forty two")
    (1500, 84, 12, 42)
    """
    if text[0].isdigit():
        return int(text.replace(",", ""))
    return sum(_VALUES[word] for word in text.lower().replace("-", " ").split())
