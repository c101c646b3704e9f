"""Statements about the corpus in running text: a number beside the words that name what it counts.

Only plain statements are taken: "84 retained entries", "7 orchestrator tags", "entries with hybrid
reward: 15", and enumerations of at least three terms of one axis. A number that is hedged ("at
least", "about") or restricted ("among", "whose") means something else and is left alone, and so is
"one", which is more often a pronoun than a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number
from corpus.model.codebook import Codebook
from corpus.publishing.manuscript.phrases import (
    HEDGED,
    NUMBER,
    RESTRICTED,
    AxisWords,
    Phrase,
    any_of,
    axis_words,
    parse_number,
    plain_words,
    size_phrases,
    tag_phrases,
)

#: How far before a number its words may begin.
_NEAR = 60
_NUMBER = re.compile(NUMBER, re.IGNORECASE)

#: What may be between two items of a list or two rows of a table, such as a share or a rule.
_BETWEEN = re.compile(r"(?:[\s,;|&-]|\\[a-z]+|\\|\band\b|\b[0-9]+\s?\\?%)*+")

#: A list needs this many terms; two are likely to be about something else.
_FEWEST_TERMS = 3


class Mention(NamedTuple):
    """A number in a text that is about the corpus.

    `text` is the whole phrase, `start` the position of the number, `written` its value;
    `candidates` are the published numbers that may be meant.
    """

    text: str
    start: int
    written: int
    candidates: tuple[Number, ...]

    @property
    def right(self) -> bool:
        """Whether one of the numbers that may be meant has this value."""
        return any(number.value == self.written for number in self.candidates)


def find_mentions(text: str, book: Codebook, numbers: Mapping[str, Number]) -> list[Mention]:
    """Return the statements about the corpus in a running text, in order; see the module."""
    axes = axis_words(book, numbers)
    phrases = [*size_phrases(book, numbers), *tag_phrases(book, axes)]
    by_start: dict[int, Mention] = {}
    for mention in (*_in_phrases(text, phrases), *_in_lists(text, axes)):
        by_start.setdefault(mention.start, mention)
    return [by_start[start] for start in sorted(by_start)]


def _in_phrases(text: str, phrases: Sequence[Phrase]) -> Iterator[Mention]:
    """Find numbers whose words before and behind are those of a phrase."""
    for number in _NUMBER.finditer(text):
        start, end = number.span()
        nearest = max(0, start - _NEAR)
        if number.group().lower() == "one" or HEDGED.search(text, nearest, start):
            continue
        for phrase in phrases:
            behind = phrase.behind.match(text, end)
            before = phrase.before.search(text, nearest, start)
            if behind is None or before is None or RESTRICTED.match(text, behind.end()):
                continue
            meant = phrase.candidates(behind)
            if meant:
                whole = " ".join(text[before.start() : behind.end()].split())
                yield Mention(whole, start, parse_number(number.group()), meant)
                break


def _in_lists(text: str, axes: Sequence[AxisWords]) -> Iterator[Mention]:
    """Find lists and tables with at least three terms of one axis, each with one number."""
    term = any_of(word for axis in axes for word in axis.terms)
    item = re.compile(
        rf"(?<![\w/-])(?P<term>{term})(?![\w/-])[ \t]*+[|&:=(]?[ \t]*+"
        r"(?P<n>(?<![\w.,])[0-9]+)(?![\w.%]|[ \t]*\\?%)\)?",
        re.IGNORECASE,
    )
    items: list[re.Match[str]] = []
    for match in item.finditer(text):
        if items and not _BETWEEN.fullmatch(text, items[-1].end(), match.start()):
            yield from _list_mentions(items, axes)
            items = []
        items.append(match)
    yield from _list_mentions(items, axes)


def _list_mentions(items: list[re.Match[str]], axes: Iterable[AxisWords]) -> Iterator[Mention]:
    """Take a list for the axis that has all its terms and most of its numbers.

    Lists of which less than half of the numbers are right are about something else.
    """
    terms = [plain_words(item["term"]) for item in items]
    if len(terms) < _FEWEST_TERMS or len(set(terms)) < len(terms):
        return
    best: list[Mention] = []
    for axis in axes:
        if all(term in axis.terms for term in terms):
            mentions = [_mention(item, axis) for item in items]
            best = max(best, mentions, key=_right_ones)
    if 2 * _right_ones(best) >= max(4, len(best)):
        yield from best


def _right_ones(mentions: Iterable[Mention]) -> int:
    return sum(mention.right for mention in mentions)


def _mention(item: re.Match[str], axis: AxisWords) -> Mention:
    number = axis.terms[plain_words(item["term"])]
    whole = " ".join(item.group().split())
    return Mention(whole, item.start("n"), parse_number(item["n"]), (number,))
