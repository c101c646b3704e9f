"""The numbers in the sentence of a claim, compared with what the claim expects.

A sentence is free text, and may have numbers of which the claim knows nothing ("31 of 32"). So a
sentence is wrong only where none of its numbers is the expected one and one of them could be. Of a
claim about counts every number has to be one of the counts, or a sum of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.shares import compared_shares, stated_shares
from corpus.printing.numerals import NUMBER, VALUES, parse_number, with_plain_digits

_ORDINALS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_TOKEN = re.compile(
    # Names, dates, versions and shares have digits that count nothing: K2.5, 2026-05, 5 %.
    r"(?P<name>(?<![\w.])[^\W\d][\w.]{0,60}[0-9][\w.-]{0,60}"
    r"|(?<![0-9])[0-9]+(?:\.[0-9]+)?\s?(?:%|percent)|[0-9]{4}-[0-9-]+)"
    r"|(?P<decimal>(?<![\w.,-])[0-9]+\.[0-9]+)"
    rf"|\b(?P<fold>{'|'.join(VALUES)})-?fold\b"
    rf"|(?P<number>{NUMBER})"
    r"|\b(?:(?P<none>no|none|nobody|nothing|never)|(?P<both>both)(?!\s\S+\sand\b)"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}))\b"
    r"|(?P<sole>\bthe only\b)(?!\s(?:[0-9]|two|three|four|five|six|seven|eight|nine|ten))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_OPENING = re.compile(r"(?:as|for|in|of|on|by|among|within|with|to)\b.*,", re.IGNORECASE)
_UNIVERSAL = re.compile(r"(?:every|each|all)\b", re.IGNORECASE)
_HALF = re.compile(r"\b(?P<more>(?:more|less|fewer) than )?(?:one )?half\b", re.IGNORECASE)
#: Words that state a limit, and the kinds of expectations that do not check it.
_LIMITS = (
    (re.compile(r"\b(?:only|alone|exactly)\b(?! (?:if|when|where|in|as|by)\b)", re.I), "includes"),
    (re.compile(r"\b(?:only|exactly|at most|no more than)\b(?! (?:if|when)\b)", re.I), "at_least"),
    (re.compile(r"\b(?:exactly|at least|no fewer than)\b", re.I), "at_most"),
)


@dataclass(frozen=True)
class Comparison:
    """What a sentence states beside what its claim expects.

    Attributes
    ----------
    agreeing, wrong, other : tuple of str
        Words and numbers of the sentence: those that the expectation confirms, those that
        contradict it, and those that it tells nothing about.
    """

    agreeing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    @property
    def is_comparable(self) -> bool:
        """Whether there was anything to compare."""
        return bool(self.agreeing or self.wrong)


class _Stated(NamedTuple):
    """A number of a sentence; one that is not `firm` may agree, but contradicts nothing."""

    text: str
    value: float
    firm: bool


def compare_statement(
    claim: Claim, value: Any = None, number: float = 0, wholes: Sequence[int] = ()
) -> Comparison:
    """Compare the sentence of a claim with its expectation.

    Parameters
    ----------
    claim : Claim
        The claim.
    value : object, optional
        Compare with this instead of the expected value: what was observed, for example.
    number : float
        The rows that match.
    wholes : sequence of int
        What they may be a share of; without any, shares of the sentence are not compared.

    Examples
    --------
    >>> expected = Expectation("count", 84)
    >>> claim = Claim("size", "", "The pool retains 99 entries.", "", (), (), expected)
    >>> compare_statement(claim).wrong
    ('99',)
    """
    expected = claim.expectation
    claim = replace(claim, statement=with_plain_digits(claim.statement))
    if value is not None:
        expected = replace(expected, value=value)
    found = _compared_numbers(claim, expected)
    shares = list(stated_shares(claim.statement))
    if expected.kind == "share":
        parts: Sequence[float] = (expected.value,)
        wholes = (100,)
    elif expected.kind == "counts":
        parts = _sums(expected.value)
        wholes = [int(part) for part in parts if part]
        # "Half" of counts is compared with them as a word.
        shares = [share for share in shares if not share.whole and "half" not in share.text.lower()]
    elif wholes:
        parts = (number,)
    else:
        return found
    agreeing, wrong = compared_shares(shares, parts, wholes)
    # What is part of a share is no count of its own.
    of_shares = " ".join(share.text for share in shares)
    counts_wrong = [text for text in found.wrong if text not in of_shares]
    return Comparison((*found.agreeing, *agreeing), (*counts_wrong, *wrong), found.other)


def _compared_numbers(claim: Claim, expected: Expectation) -> Comparison:
    """Compare the counts that a sentence states with what its claim expects."""
    numbers = list(_stated(claim.statement))
    # The numbers that a sentence about it may state, each as often.
    right: list[float] = []
    if expected.kind == "counts" and any("both" in cell for cell in expected.value):
        # It is the name of a term here, and no number.
        numbers = [one for one in numbers if one.text.lower() != "both"]
    if expected.kind in ("keys", "includes"):
        right = [len(expected.value)]
    elif expected.kind == "counts":
        right = _sums(expected.value)
    elif expected.kind not in ("descending", "same_keys_as", "share"):
        right = [expected.value]
    limits = []
    for pattern, kind in _LIMITS:
        if kind == expected.kind:
            limits += pattern.findall(claim.statement)
    if not numbers:
        return _without_numbers(claim.statement, expected, limits)
    if not right:
        return Comparison((), tuple(limits), _number_texts(numbers))
    unused = list(right)
    agreeing = []
    others = []
    for number in numbers:
        if number.value not in unused:
            others.append(number)
            continue
        agreeing.append(number)
        # Of two terms with 9 and 6 entries, "9 and 9" has one 9 too many.
        if expected.kind == "counts" and number.value:
            unused.remove(number.value)
    # The numbers by which the claim chooses its rows.
    named: set[float] = set()
    for part in claim.selections:
        for filter_ in part.filters:
            digits = [value for value in filter_.named if re.fullmatch(r"[0-9]{1,15}", value)]
            named.update(map(float, digits))
    unknown = [number for number in others if number.firm and number.value not in named]
    if agreeing and expected.kind != "counts":
        unknown = []
    if not agreeing:
        # What the rows are chosen by is compared, too: "up to 100 sub-agents".
        agreeing = [number for number in others if number.value in named]
    left = [number for number in others if number not in [*unknown, *agreeing]]
    return Comparison(
        _number_texts(agreeing), (*_number_texts(unknown), *limits), _number_texts(left)
    )


def _number_texts(numbers: Iterable[_Stated]) -> tuple[str, ...]:
    return tuple(map(attrgetter("text"), numbers))


def _stated(sentence: str) -> Iterable[_Stated]:
    """Yield the numbers of a sentence, in digits and in words."""
    for match in _TOKEN.finditer(sentence):
        kind, text = str(match.lastgroup), match[0]
        before = sentence[: match.start()].rstrip()
        value: float = {"sole": 1, "both": 2}.get(kind, 0)
        firm = True
        if kind == "name":
            continue
        if kind == "none":
            # Elsewhere it is about a part of the sentence: "Two methods use no RL".
            firm = before[-1:] in ("", ";") or _OPENING.fullmatch(before) is not None
        elif kind == "ordinal":
            value, firm = _ORDINALS.index(text.lower()) + 3, False
        elif kind == "fold":
            value = VALUES[match["fold"].lower()]
        elif kind == "decimal":
            value = float(text)
        elif kind == "number":
            # "One" counts nothing in "the one that", "one per entry", "no one".
            is_pronoun = text.lower() == "one" and (
                re.match(r"\s*(?:of|per|another|is|or|,|\.|$)", sentence[match.end() :])
                or re.search(r"\b(?:the|no|any|each|every|per|than|least|most)$", before)
            )
            value, firm = parse_number(text), not (is_pronoun or _YEAR.fullmatch(text))
        yield _Stated(text, value, firm)


def _sums(counts: Mapping[tuple[str, ...], int]) -> list[float]:
    """Return counts, their sum with and without one term, and sums over one of two columns."""
    filled = {cell: number for cell, number in counts.items() if number}
    total = sum(filled.values())
    sums: set[float] = {0, total, len(filled)}
    margins: Counter[tuple[int, str]] = Counter()
    for cell, number in filled.items():
        for place, term in enumerate(cell):
            margins[place, term] += number
    sums.update(margins.values())
    # "51 entries have a tag": all without those that the axis does not apply to.
    sums.update(total - number for number in margins.values())
    known = set(filled.values()) - {total, len(filled)}
    return [*filled.values(), *sums.difference(known)]


def _without_numbers(sentence: str, expected: Expectation, limits: list[str]) -> Comparison:
    """Compare "every" and "half", which mean a number only together with the counts."""
    kind, every, half = expected.kind, _UNIVERSAL.match(sentence), _HALF.search(sentence)
    is_strict = half is not None and (half["more"] or "").startswith("more")
    if limits:
        return Comparison((), tuple(limits))
    if every and kind in ("empty", "same_keys_as"):
        return Comparison((every[0],))
    if every and kind == "counts":
        text, is_right = every[0], len(set(expected.value.values()) - {0}) == 1
    elif half and kind == "counts":
        counts = expected.value.values()
        text, is_right = half[0], 2 * max(counts, default=0) >= sum(counts)
        if half["more"]:
            is_right = 2 * min(counts, default=0) < sum(counts)
        if is_strict:
            is_right = 2 * max(counts, default=0) > sum(counts)
    elif half and kind == "descending" and not expected.by:
        text, is_right = half[0], not (is_strict and expected.or_equal)
    else:
        return Comparison()
    if is_right:
        return Comparison((text,))
    return Comparison((), (text,))
