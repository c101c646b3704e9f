"""Numbers as running text has them, and the words for axes and terms in lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Codebook, Column

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ONES = ("zero", *_UNITS, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
#: Words for numbers and their values.
VALUES = {word: value for value, word in enumerate(_ONES)}
VALUES |= {word: 10 * tens for tens, word in enumerate(_TENS, 2)}

#: Digits of the largest number that is read: no corpus counts more, and Python refuses to convert
#: thousands of them.
MOST_DIGITS = 18

#: A number: digits with or without separators, or words up to ninety-nine. Without groups; to be
#: matched without regard to case. "nineteen" comes before "nine", which is a part of it.
NUMBER = (
    rf"(?:(?<![\w.,])[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,{MOST_DIGITS // 3 - 1}}}(?!,?[0-9])"
    rf"|(?<![\w.,\-])[0-9]{{1,{MOST_DIGITS}}}(?![0-9])"
    rf"|\b(?:{'|'.join(_TENS)})[ \-](?:{'|'.join(_UNITS)})\b"
    rf"|\b(?:{'|'.join([*reversed(_ONES), *_TENS])})\b)"
)

_GAP = r"[\s_-]+"


class AxisWords(NamedTuple):
    """The words for one axis and for each of its terms."""

    name: str
    words: tuple[str, ...]
    terms: Mapping[str, Number]


def parse_number(text: str) -> int:
    """Return the value of a text that :data:`NUMBER` matches.

    Examples
    --------
    >>> parse_number("1,500"), parse_number("Eighty-four"), parse_number("twelve")
    (1500, 84, 12)
    >>> parse_number("forty two")
    42
    """
    if text[0].isdigit():
        return int(text.replace(",", ""))
    words = text.lower().replace("-", " ").split()
    return sum(VALUES[word] for word in words)


def axis_words(book: Codebook, numbers: Mapping[str, Number]) -> list[AxisWords]:
    """Return the words for every axis of the pool, and for the stages of screening."""
    found = [_words((column.name,), column, book, numbers) for column in book.pool.axes]
    for spec in book.by_role("exclusions"):
        stage = spec.by_role("stage")
        if stage is not None and stage.type == "term":
            found.append(_words(("excluded", "stage"), stage, book, numbers))
    return found


def _words(
    prefix: tuple[str, ...], column: Column, book: Codebook, numbers: Mapping[str, Number]
) -> AxisWords:
    terms: dict[str, Number] = {}
    for term in book.vocabulary_of(column).terms:
        number = numbers.get(camel(*prefix, term.id))
        if number is not None:
            terms.setdefault(plain_words(term.id), number)
            terms.setdefault(plain_words(term.label), number)
    label = plain_words(column.label)
    return AxisWords(column.name, (label, f"{label}s"), terms)


def plain_words(text: str) -> str:
    """Return a text in lower case, its words separated by one space.

    Examples
    --------
    >>> plain_words("RL_method"), plain_words("near  strict")
    ('rl method', 'near strict')
    """
    return re.sub(r"[_\s-]+", " ", text.lower()).strip()


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words.

    Spaces in them may be written as hyphens or underscores. Longer words come first: a pattern
    takes the first alternative that fits.
    """
    patterns: list[str] = []
    longest_first = sorted(set(words) - {""}, key=lambda word: (-len(word), word))
    for word in longest_first:
        parts = re.split("[ _-]+", word)
        patterns.append(_GAP.join(map(re.escape, parts)))
    return f"(?:{'|'.join(patterns)})"
