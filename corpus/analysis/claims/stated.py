"""The numbers in the sentence of a claim, compared with what the claim expects.

A sentence is free text, and may have numbers of which the claim knows nothing ("31 of 32"). So a
sentence is wrong only where none of its numbers is the expected one and one of them could be. Of a
claim about counts every number has to be one of the counts, or a sum of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.shares import compared_shares, stated_shares
from corpus.printing.numerals import NUMBER, parse_number, with_plain_digits

_TOKEN = re.compile(
    # Names, dates, versions and shares have digits that count nothing: K2.5, 2026-05, 5 %.
    r"(?P<name>(?<![\w.])[^\W\d][\w.]{0,60}[0-9][\w.-]{0,60}"
    r"|(?<![0-9])[0-9]+(?:\.[0-9]+)?\s?(?:%|percent)|[0-9]{4}-[0-9-]+)"
    r"|(?P<decimal>(?<![\w.,-])[0-9]+\.[0-9]+)"
    rf"|(?P<number>{NUMBER})"
    r"|\b(?P<none>no|none|nobody|nothing|never)\b",
    re.IGNORECASE,
)
#: What counts nothing for certain: "one per entry", "the one that", a year.
_UNSURE = re.compile(r"one|(?:19|20)[0-9]{2}", re.IGNORECASE)
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
    agreeing, wrong : tuple of str
        Words and numbers of the sentence: those that the expectation confirms, and those that
        contradict it.
    """

    agreeing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

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
        # Half of one count is another one, so that "half" would always be right.
        shares = [share for share in shares if not share.whole and "half" not in share.text.lower()]
    elif wholes:
        parts = (number,)
    else:
        return found
    agreeing, wrong = compared_shares(shares, parts, wholes)
    # What is part of a share is no count of its own.
    of_shares = " ".join(share.text for share in shares)
    counts_wrong = [text for text in found.wrong if text not in of_shares]
    return Comparison((*found.agreeing, *agreeing), (*counts_wrong, *wrong))


def _compared_numbers(claim: Claim, expected: Expectation) -> Comparison:
    """Compare the counts that a sentence states with what its claim expects."""
    # The numbers that a sentence about it may state, each as often.
    right: list[float] = []
    if expected.kind in ("keys", "includes"):
        right = [len(expected.value)]
    elif expected.kind == "counts":
        right = _sums(expected.value)
    elif expected.kind not in ("descending", "same_keys_as", "share"):
        right = [expected.value]
    # The numbers by which the claim chooses its rows are right as well.
    named: set[float] = set()
    for part in claim.selections:
        for filter_ in part.filters:
            digits = [value for value in filter_.named if re.fullmatch(r"[0-9]{1,15}", value)]
            named.update(map(float, digits))
    agreeing, unknown = [], []
    for number in _stated(claim.statement):
        if number.value in right:
            agreeing.append(number.text)
            # Of two terms with 9 and 6 entries, "9 and 9" has one 9 too many.
            if expected.kind == "counts" and number.value:
                right.remove(number.value)
        elif right and number.firm and number.value not in named:
            unknown.append(number.text)
    if agreeing and expected.kind != "counts":
        unknown = []
    for pattern, kind in _LIMITS:
        if kind == expected.kind:
            unknown += pattern.findall(claim.statement)
    return Comparison(tuple(agreeing), tuple(unknown))


def _stated(sentence: str) -> Iterator[_Stated]:
    """Yield the numbers of a sentence, in digits and in words."""
    for match in _TOKEN.finditer(sentence):
        text = match[0]
        if match["none"]:
            # Elsewhere it is about a part of the sentence: "Two methods use no RL".
            yield _Stated(text, 0, sentence[: match.start()].rstrip()[-1:] in ("", ";"))
        elif match["decimal"]:
            yield _Stated(text, float(text), True)
        elif match["number"]:
            yield _Stated(text, parse_number(text), _UNSURE.fullmatch(text) is None)


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
