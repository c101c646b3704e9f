"""Numbers as running text has them, and the words around them that name what they count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Codebook, Column

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ONES = ("zero", *_UNITS, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_ONES)}
_VALUES |= {word: 10 * tens for tens, word in enumerate(_TENS, 2)}

#: A number: digits with or without separators, or words up to ninety-nine. Without groups; to be
#: matched without regard to case. "nineteen" comes before "nine", which is a part of it.
NUMBER = (
    r"(?:(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|(?<![\w.,\-])[0-9]+"
    rf"|\b(?:{'|'.join(_TENS)})[ \-](?:{'|'.join(_UNITS)})\b"
    rf"|\b(?:{'|'.join([*reversed(_ONES), *_TENS])})\b)"
)

_NOUNS = (
    *("entries", "entry", "papers", "paper", "works", "work"),
    *("rows", "row", "records", "record"),
)
_TAGS = ("tags", "tag", "labels", "label")
_GAP = r"[\s_-]+"
_POOL = r"(?:the|our|this|a) (?:\w+ ){0,2}(?:pool|corpus|survey|snapshot)"

#: Before a number: what makes it inexact, or part of a reference. To be searched up to the number.
HEDGED = re.compile(
    r"\b(?:at (?:least|most)|more than|less than|fewer than|up to|about|around|over|under|nearly"
    r"|almost|roughly|some|approximately|another|additional|table|figure|fig\.|section|sec\."
    r"|appendix|eq\.|of these|of those)\s*\Z",
    re.IGNORECASE,
)
#: Behind a phrase: what restricts it to a part of the corpus.
RESTRICTED = re.compile(
    r"\s*+,?\s*+"
    r"(?:(?:among|within|from|that|whose|which|where|with|for|under|outside|by)\b"
    rf"|(?:in|of)\b(?!\s+{_POOL}))",
    re.IGNORECASE,
)


class Phrase(NamedTuple):
    """The words `before` a number (searched up to it) and `behind` it, and what it may mean."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    candidates: Callable[[re.Match[str]], tuple[Number, ...]]


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
    return sum(_VALUES[word] for word in words)


def size_phrases(book: Codebook, numbers: Mapping[str, Number]) -> Iterator[Phrase]:
    """Yield the phrases about the size of the pool, of the exclusion log, of both."""
    noun = any_of(_nouns(book))
    forms = {
        "PoolSize": (
            ("", rf"[ \n-]+(?:retained|curated|included)\s+(?:\w+\s+)?{noun}\b"),
            ("", rf"[ \n-]+{noun}\s+(?:(?:are|were)\s+)?(?:retained|in {_POOL})"),
            (
                r"\b(?:pool|corpus)\s+(?:of|holds|contains|comprises|retains|has)\s+",
                rf"\s+{noun}\b",
            ),
            ("", rf"-{noun}\s+(?:\w+\s+)?(?:pool|corpus)\b"),
            (rf"\bretained {noun}\s*[:=&|(]\s*", ""),
            (r"\bwe retain(?:ed)?\s+", rf"\s+{noun}\b"),
        ),
        "ExcludedCount": (
            ("", rf"\s+(?:excluded|logged)\s+{noun}\b"),
            ("", r"\s+(?:logged\s+)?exclusions\b"),
            ("", rf"\s+{noun}\s+(?:(?:are|were)\s+)?excluded\b"),
            ("", rf"-{noun}\s+exclusion log\b"),
            (rf"\bexcluded {noun}\s*[:=&|(]\s*", ""),
        ),
        "AuditedCount": (
            ("", rf"\s+audited\s+{noun}\b"),
            ("", rf"\s+{noun}\s+(?:(?:are|were)\s+)?audited\b"),
        ),
    }
    for name, pairs in forms.items():
        if name in numbers:
            candidates = _always(numbers[name])
            for before, behind in pairs:
                yield _phrase(before, behind, candidates)


def _always(number: Number) -> Callable[[re.Match[str]], tuple[Number, ...]]:
    return lambda _: (number,)


def tag_phrases(book: Codebook, axes: Sequence[AxisWords]) -> list[Phrase]:
    """Return the phrases about one term: "7 orchestrator tags", "10 entries with shared reward"."""
    term = any_of(word for axis in axes for word in axis.terms)
    of = any_of(word for axis in axes for word in axis.words)
    noun = any_of({*_TAGS, *_nouns(book)})
    filler, level = r"(?:(?:retained|broad|pool)\s+)?", r"(?:[ -]level)?"
    carrying = r"(?:with|tagged|labelled|labeled|coded|use|have|carry)\s+(?:as\s+)?"
    tagged, of_axis = rf"(?P<term>{term}){level}", rf"(?P<axis>{of})"

    def candidates(match: re.Match[str]) -> tuple[Number, ...]:
        word = plain_words(match["term"])
        named = match["axis"]
        meant: list[Number] = []
        for axis in axes:
            fits = not named or plain_words(named) in axis.words
            if fits and word in axis.terms:
                meant.append(axis.terms[word])
        return tuple(meant)

    return [
        _phrase("", rf"\s+{filler}{tagged}[\s-]+(?:{of_axis}\s+)?{noun}\b", candidates),
        _phrase("", rf"\s+{filler}{noun}\s+{carrying}{tagged}\s+{of_axis}\b", candidates),
    ]


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


def _nouns(book: Codebook) -> set[str]:
    """Return the words for one or more rows of the pool."""
    own = (book.corpus.get(name, "") for name in ("entry", "entries"))
    return {*_NOUNS, *own} - {""}


def _phrase(
    before: str, behind: str, candidates: Callable[[re.Match[str]], tuple[Number, ...]]
) -> Phrase:
    return Phrase(
        re.compile(before + r"\Z", re.IGNORECASE), re.compile(behind, re.IGNORECASE), candidates
    )


def plain_words(text: str) -> str:
    """Return a text in lower case, its words separated by one space.

    Examples
    --------
    >>> plain_words("RL_method"), plain_words("near  strict")
    ('rl method', 'near strict')
    """
    return " ".join(re.sub(r"[_\s-]+", " ", text.lower()).split())


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words.

    Spaces in them may be written as hyphens or underscores. Longer words come first: a pattern
    takes the first alternative that fits.
    """
    patterns: list[str] = []
    for word in sorted(set(words) - {""}, key=lambda word: (-len(word), word)):
        parts = re.split("[ _-]+", word)
        patterns.append(_GAP.join(map(re.escape, parts)))
    return f"(?:{'|'.join(patterns)})"
