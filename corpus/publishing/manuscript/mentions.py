"""Statements about the corpus in running text: a number beside the words that say what is counted.

Only plain statements are taken: "84 retained entries", "7 orchestrator tags", "entries with hybrid reward: 15", and
enumerations of at least three terms of one axis. A number that is hedged ("at least", "about") or restricted ("among",
"whose") says something else and is left alone, and so is "one", which counts less often than it points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.numbers.published import Number
from corpus.model.codebook import Codebook
from corpus.publishing.manuscript.phrases import (
    HEDGED,
    RESTRICTED,
    AxisWords,
    Phrase,
    any_of,
    axis_words,
    plain_words,
    size_phrases,
    tag_phrases,
)
from corpus.publishing.manuscript.spelled import NUMBER, parse_number

#: How far before a number its words may begin.
_NEAR = 60
_NUMBER = re.compile(NUMBER, re.IGNORECASE)

#: What may stand between two items of a list or two rows of a table, such as a share or a rule.
_BETWEEN = re.compile(r"(?:[\s,;|&-]|\\[a-z]+|\\|\band\b|\b[0-9]+\s?\\?%)*+")


class Mention(NamedTuple):
    """A number in a text that speaks of the corpus.

    `text` is the whole phrase, `start` the position of the number, `written` its value; `candidates` are the published
    numbers that may be meant.
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
    found = [*_phrases(text, [*size_phrases(book, numbers), *tag_phrases(book, axes)]), *_enumerations(text, axes)]
    by_place: dict[int, Mention] = {}
    for mention in found:
        by_place.setdefault(mention.start, mention)
    return [by_place[start] for start in sorted(by_place)]


def _phrases(text: str, phrases: Sequence[Phrase]) -> Iterator[Mention]:
    """Find numbers whose words before and behind are those of a phrase."""
    for number in _NUMBER.finditer(text):
        start, end = number.span()
        if number.group().lower() == "one" or HEDGED.search(text, max(0, start - _NEAR), start):
            continue
        for phrase in phrases:
            behind = phrase.behind.match(text, end)
            before = phrase.before.search(text, max(0, start - _NEAR), start)
            if behind is None or before is None or RESTRICTED.match(text, behind.end()):
                continue
            meant = phrase.candidates(behind)
            if meant:
                said = " ".join(text[before.start() : behind.end()].split())
                yield Mention(said, start, parse_number(number.group()), meant)
                break


def _enumerations(text: str, axes: Iterable[AxisWords]) -> Iterator[Mention]:
    """Find lists and tables that give the numbers of at least three terms of one axis, one number a term."""
    known = list(axes)
    term = any_of({word for axis in known for word in axis.terms})
    item = re.compile(
        rf"(?<![\w/-])(?P<term>{term})(?![\w/-])[ \t]*+[|&:=(]?[ \t]*+(?P<n>(?<![\w.,])[0-9]+)(?![\w.%]|[ \t]*\\?%)\)?",
        re.IGNORECASE,
    )
    run: list[re.Match[str]] = []
    for match in item.finditer(text):
        if run and not _BETWEEN.fullmatch(text, run[-1].end(), match.start()):
            yield from _enumeration(run, known)
            run = []
        run.append(match)
    yield from _enumeration(run, known)


def _enumeration(run: list[re.Match[str]], axes: Iterable[AxisWords]) -> Iterator[Mention]:
    """Take a list for the axis that has all its terms and half its numbers; other lists speak of something else."""
    terms = [plain_words(match["term"]) for match in run]
    if len(set(terms)) < max(3, len(terms)):
        return
    best: list[Mention] = []
    for axis in axes:
        if all(term in axis.terms for term in terms):
            found = [_mention(match, (axis.terms[term],)) for match, term in zip(run, terms, strict=True)]
            best = max(best, found, key=lambda mentions: sum(mention.right for mention in mentions))
    if 2 * sum(mention.right for mention in best) >= max(4, len(best)):
        yield from best


def _mention(match: re.Match[str], candidates: tuple[Number, ...]) -> Mention:
    return Mention(" ".join(match.group().split()), match.start("n"), parse_number(match["n"]), candidates)
