"""The words for axes and terms in lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Codebook, Column

_GAP = r"[\s_-]+"


class AxisWords(NamedTuple):
    """The words for one axis and for each of its terms."""

    name: str
    words: tuple[str, ...]
    terms: Mapping[str, Number]


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
