"""Statements about the corpus in running text: in sentences, and in lists and tables.

A sentence is read word by word, see :mod:`corpus.publishing.manuscript.statements`. A list is taken
where it has at least three terms of one axis, each with one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number
from corpus.model.study import Study
from corpus.printing.numerals import MOST_DIGITS, parse_number
from corpus.publishing.manuscript.lexicon import Lexicon
from corpus.publishing.manuscript.phrases import AxisWords, any_of, axis_words, plain_words
from corpus.publishing.manuscript.quantities import COUNT, Quantity
from corpus.publishing.manuscript.statements import Reader, Statement

#: What may be between two items of a list or two rows of a table, such as a share or a rule.
_BETWEEN = re.compile(r"(?:[\s,;|&-]|\\[a-z]+|\\|\band\b|\b[0-9]+\s?\\?%)*+")

#: A list needs this many terms; two are likely to be about something else.
_FEWEST_TERMS = 3


class Mention(NamedTuple):
    """A number in a text that is about the corpus.

    `text` is the whole phrase, `start` the position of the number; `candidates` are the numbers
    that may be meant: none where the statement cannot be judged. Then `nearest` are counts of the
    words beside it.
    """

    text: str
    start: int
    quantity: Quantity
    candidates: tuple[Number, ...]
    nearest: tuple[Number, ...] = ()

    @property
    def written(self) -> float:
        """The number as the text has it; a share is in percent."""
        return self.quantity.value

    @property
    def judged(self) -> bool:
        """Whether the corpus has a number to compare with."""
        return bool(self.candidates)

    @property
    def right(self) -> bool:
        """Whether one of the numbers that may be meant agrees."""
        return any(self.quantity.agrees(number.value) for number in self.candidates)

    @property
    def verdict(self) -> str:
        """``right``, ``wrong`` or ``not judged``."""
        if not self.judged:
            return "not judged"
        return "right" if self.right else "wrong"


def find_mentions(text: str, study: Study, numbers: Mapping[str, Number]) -> list[Mention]:
    """Return the statements about the corpus in a running text, in order; see the module."""
    axes = axis_words(study.codebook, numbers)
    by_start = {mention.start: mention for mention in _in_lists(text, axes)}
    for statement in Reader(Lexicon(study, dict(numbers))).statements(text):
        if statement.start not in by_start:
            by_start[statement.start] = _stated(text, statement)
    return [by_start[start] for start in sorted(by_start)]


def _stated(text: str, statement: Statement) -> Mention:
    whole = " ".join(text[statement.start : statement.end].split())
    candidates, nearest = statement.candidates, statement.nearest
    return Mention(whole, statement.start, statement.quantity, candidates, nearest)


def _in_lists(text: str, axes: Sequence[AxisWords]) -> Iterator[Mention]:
    """Find lists and tables with at least three terms of one axis, each with one number."""
    term = any_of(word for axis in axes for word in axis.terms)
    item = re.compile(
        rf"(?<![\w/-])(?P<term>{term})(?![\w/-])[ \t]*+[|&:=(]?[ \t]*+"
        rf"(?P<n>(?<![\w.,])[0-9]{{1,{MOST_DIGITS}}})(?![\w.%]|[ \t]*\\?%)\)?",
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
    start = item.start("n")
    quantity = Quantity(COUNT, parse_number(item["n"]), 0.0, "=", 0, 0, start)
    return Mention(whole, start, quantity, (number,))
