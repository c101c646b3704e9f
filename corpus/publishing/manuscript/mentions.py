"""Statements about the corpus in running text: in sentences, and in lists and tables.

A sentence is read word by word, see :mod:`corpus.publishing.manuscript.statements`. A list is taken
where it has at least three terms of one axis, each with one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from corpus.analysis.numbers.published import Number, camel
from corpus.model.codebook import Codebook, Column
from corpus.model.study import Study
from corpus.printing.numerals import MOST_DIGITS, parse_number
from corpus.publishing.manuscript.lexicon import Lexicon
from corpus.publishing.manuscript.quantities import COUNT, Quantity
from corpus.publishing.manuscript.statements import Mention, Reader

#: The numbers of one axis by the words for its terms.
_Axis = Mapping[str, Number]

#: What may be between two items of a list or two rows of a table, such as a share or a rule.
_BETWEEN = re.compile(r"(?:[\s,;|&-]|\\[a-z]+|\\|\band\b|\b[0-9]+\s?\\?%)*+")

#: What may be between two words of a term.
_GAP = r"[\s_-]+"

#: A list needs this many terms; two are likely to be about something else.
_FEWEST_TERMS = 3


def find_mentions(text: str, study: Study, numbers: Mapping[str, Number]) -> list[Mention]:
    """Return the statements about the corpus in a running text, in order; see the module."""
    axes = list(_axes(study.codebook, numbers))
    by_start = {mention.start: mention for mention in _in_lists(text, axes)}
    for statement in Reader(Lexicon(study, dict(numbers))).statements(text):
        by_start.setdefault(statement.start, statement)
    return [by_start[start] for start in sorted(by_start)]


def _in_lists(text: str, axes: Sequence[_Axis]) -> Iterator[Mention]:
    """Find lists and tables with at least three terms of one axis, each with one number."""
    term = any_of(chain.from_iterable(axes))
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


def _list_mentions(items: list[re.Match[str]], axes: Iterable[_Axis]) -> Iterator[Mention]:
    """Take a list for the axis that has all its terms and most of its numbers.

    Lists of which less than half of the numbers are right are about something else.
    """
    terms = [plain_words(item["term"]) for item in items]
    if len(terms) < _FEWEST_TERMS or len(set(terms)) < len(terms):
        return
    best: list[Mention] = []
    for axis in axes:
        if axis.keys() >= set(terms):
            mentions = [_mention(item, axis) for item in items]
            best = max(best, mentions, key=_right_ones)
    if 2 * _right_ones(best) >= max(4, len(best)):
        yield from best


def _right_ones(mentions: Iterable[Mention]) -> int:
    return sum(mention.right for mention in mentions)


def _mention(item: re.Match[str], axis: _Axis) -> Mention:
    number = axis[plain_words(item["term"])]
    whole = " ".join(item.group().split())
    start = item.start("n")
    quantity = Quantity(COUNT, parse_number(item["n"]), 0.0, "=", 0, 0, start)
    return Mention(whole, start, quantity, (number,))


def _axes(book: Codebook, numbers: Mapping[str, Number]) -> Iterator[_Axis]:
    """Yield the numbers of each axis, and of the stages of screening, by the words for terms."""
    named: list[tuple[tuple[str, ...], Column]] = []
    for column in book.pool.axes:
        named.append(((column.name,), column))
    for spec in book.by_role("exclusions"):
        stage = spec.by_role("stage")
        if stage is not None and stage.type == "term":
            named.append((("excluded", "stage"), stage))
    for prefix, column in named:
        terms: dict[str, Number] = {}
        for term in book.vocabulary_of(column).terms:
            number = numbers.get(camel(*prefix, term.id))
            if number is not None:
                terms.setdefault(plain_words(term.id), number)
                terms.setdefault(plain_words(term.label), number)
        yield terms


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
