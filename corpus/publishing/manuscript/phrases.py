"""The words around a number that say what of the corpus it counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Codebook, Column

_NOUNS = ("entries", "entry", "papers", "paper", "works", "work", "rows", "row", "records", "record")
_TAGS = ("tags", "tag", "labels", "label")
_GAP = r"[\s_-]+"
_POOL = r"(?:the|our|this|a) (?:\w+ ){0,2}(?:pool|corpus|survey|snapshot)"

#: Before a number: what makes it inexact, or part of a reference. To be searched up to the number.
HEDGED = re.compile(
    r"\b(?:at (?:least|most)|more than|less than|fewer than|up to|about|around|over|under|nearly|almost|roughly|some"
    r"|approximately|another|additional|table|figure|fig\.|section|sec\.|appendix|eq\.|of these|of those)\s*\Z",
    re.IGNORECASE,
)
#: Behind a phrase: what restricts it to a part of the corpus.
RESTRICTED = re.compile(
    r"\s*+,?\s*+(?:(?:among|within|from|that|whose|which|where|with|for|under|outside|by)\b"
    rf"|(?:in|of)\b(?!\s+{_POOL}))",
    re.IGNORECASE,
)


class Phrase(NamedTuple):
    """The words `before` a number (searched up to it) and `behind` it, and the numbers that they may mean."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    candidates: Callable[[re.Match[str]], tuple[Number, ...]]


class AxisWords(NamedTuple):
    """The words for one axis and for each of its terms."""

    name: str
    words: tuple[str, ...]
    terms: Mapping[str, Number]


def size_phrases(book: Codebook, numbers: Mapping[str, Number]) -> list[Phrase]:
    """Return the phrases about the size of the pool, of the exclusion log, of both."""
    noun = any_of(_nouns(book))
    forms = {
        "PoolSize": (
            ("", rf"[ \n-]+(?:retained|curated|included)\s+(?:\w+\s+)?{noun}\b"),
            ("", rf"[ \n-]+{noun}\s+(?:(?:are|were)\s+)?(?:retained|in {_POOL})"),
            (r"\b(?:pool|corpus)\s+(?:of|holds|contains|comprises|retains|has)\s+", rf"\s+{noun}\b"),
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
    return [
        _phrase(before, behind, lambda _, number=numbers[name]: (number,))  # type: ignore[misc]
        for name, pairs in forms.items()
        if name in numbers
        for before, behind in pairs
    ]


def tag_phrases(book: Codebook, axes: Sequence[AxisWords]) -> list[Phrase]:
    """Return the phrases about one term: "7 orchestrator tags", "10 entries with shared reward"."""
    term = any_of({word for axis in axes for word in axis.terms})
    of = any_of({word for axis in axes for word in axis.words})
    noun = any_of({*_TAGS, *_nouns(book)})
    filler, level = r"(?:(?:retained|broad|pool)\s+)?", r"(?:[ -]level)?"

    def candidates(match: re.Match[str]) -> tuple[Number, ...]:
        said, word = match["axis"], plain_words(match["term"])
        meant = [axis for axis in axes if not said or plain_words(said) in axis.words]
        return tuple(axis.terms[word] for axis in meant if word in axis.terms)

    carrying = r"(?:with|tagged|labelled|labeled|coded|use|have|carry)\s+(?:as\s+)?"
    return [
        _phrase("", rf"\s+{filler}(?P<term>{term}){level}[\s-]+(?:(?P<axis>{of})\s+)?{noun}\b", candidates),
        _phrase("", rf"\s+{filler}{noun}\s+{carrying}(?P<term>{term}){level}\s+(?P<axis>{of})\b", candidates),
    ]


def axis_words(book: Codebook, numbers: Mapping[str, Number]) -> list[AxisWords]:
    """Return the words for every axis of the pool, and for the stages of screening."""
    found = [_words((column.name,), column, book, numbers) for column in book.pool.axes]
    for spec in book.by_role("exclusions"):
        stage = spec.by_role("stage")
        if stage is not None and stage.type == "term":
            found.append(_words(("excluded", "stage"), stage, book, numbers))
    return found


def _words(prefix: tuple[str, ...], column: Column, book: Codebook, numbers: Mapping[str, Number]) -> AxisWords:
    terms: dict[str, Number] = {}
    for term in book.vocabulary_of(column).terms:
        number = numbers.get(camel(*prefix, term.id))
        if number is not None:
            for word in (term.id, term.label):
                terms.setdefault(plain_words(word), number)
    label = plain_words(column.label)
    return AxisWords(column.name, (label, f"{label}s"), terms)


def _nouns(book: Codebook) -> set[str]:
    """Return the words for one or more rows of the pool."""
    return {*_NOUNS, *(book.corpus.get(name, "") for name in ("entry", "entries"))} - {""}


def _phrase(before: str, behind: str, candidates: Callable[[re.Match[str]], tuple[Number, ...]]) -> Phrase:
    return Phrase(re.compile(before + r"\Z", re.IGNORECASE), re.compile(behind, re.IGNORECASE), candidates)


def plain_words(text: str) -> str:
    """Return a text in small letters, its words separated by one blank.

    Examples
    --------
    >>> plain_words("RL_method"), plain_words("near  strict")
    ('rl method', 'near strict')
    """
    return " ".join(re.sub(r"[_\s-]+", " ", text.lower()).split())


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words; blanks in them may be written as hyphens or underscores."""
    ordered = sorted({word for word in words if word}, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(_GAP.join(map(re.escape, re.split('[ _-]+', word))) for word in ordered)})"
