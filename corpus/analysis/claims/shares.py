"""Shares that a sentence states: percentages, fractions in words, one number of another."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from corpus.analysis.claims.claim import Claim, Selection, selected
from corpus.model.filters import OneOf
from corpus.model.study import Study
from corpus.printing.numerals import NUMBER, decimals, parse_number

#: Fractions in words, in percent.
_FRACTIONS = {
    "half": 50.0,
    "a third": 100 / 3,
    "one third": 100 / 3,
    "two thirds": 200 / 3,
    "a quarter": 25.0,
    "one quarter": 25.0,
    "three quarters": 75.0,
    "a fifth": 20.0,
    "one fifth": 20.0,
    "two fifths": 40.0,
}
#: A fraction in words is round: it may be so many points from the share of the tables.
_ROUND = 2.5
_SHARE = re.compile(
    r"(?P<bound>\b(?:more than|over|at least|less than|fewer than|under|at most|up to)\s+)?"
    r"(?:(?<![\w.,])(?P<percent>[0-9]{1,3}(?:\.[0-9]{1,9})?)\s?(?:%|percent\b|per cent\b)"
    rf"|\b(?P<fraction>{'|'.join(word.replace(' ', '[ -]') for word in _FRACTIONS)})\b"
    rf"|(?P<part>{NUMBER}) (?:out )?of (?:the |all )?(?P<whole>{NUMBER}))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Share:
    """A share of a sentence: its text, percent and how far a right one may be from it.

    `bound` is ``>`` or ``<`` where the sentence states a limit; `part` and `whole` are the numbers
    of "3 of 7".
    """

    text: str
    percent: float
    slack: float
    bound: str = ""
    part: int = 0
    whole: int = 0

    def fits(self, part: float, whole: float) -> bool:
        """Return whether so many of so many rows are what the sentence states."""
        if self.whole:
            return (part, whole) == (self.part, self.whole)
        share = 100 * part / whole if whole else 0.0
        if self.bound == ">":
            return share >= self.percent
        if self.bound == "<":
            return share <= self.percent
        return abs(share - self.percent) <= self.slack + 1e-9


def stated_shares(sentence: str) -> Iterator[Share]:
    """Yield the shares of a sentence.

    Examples
    --------
    >>> [share.text for share in stated_shares("51 % of the studies, a third of all, 3 of 7.")]
    ['51 %', 'a third', '3 of 7']
    """
    for match in _SHARE.finditer(sentence):
        words = (match["bound"] or "").lower()
        bound = "" if not words else "<" if words.startswith(("l", "f", "u", "at m")) else ">"
        if match["percent"]:
            percent = float(match["percent"])
            # "51 %" is whatever rounds to it.
            yield Share(match[0], percent, 0.5 * 10.0 ** -_places(match["percent"]), bound)
        elif match["fraction"]:
            fraction = match["fraction"].lower().replace("-", " ")
            yield Share(match[0], _FRACTIONS[fraction], _ROUND, bound)
        else:
            part, whole = parse_number(match["part"]), parse_number(match["whole"])
            yield Share(match[0], 100 * part / max(whole, 1), 0.0, "", part, whole)


def _places(digits: str) -> int:
    return len(digits.partition(".")[2])


def bases(claim: Claim, study: Study) -> list[int]:
    """Return the numbers of rows that the rows of a claim may be a share of.

    Those are all rows of the table, and those that pass some of its filters; a filter that does not
    choose may still need its axis to apply.
    """
    found = set()
    for part in claim.selections[:1]:
        filters = part.filters
        kept = chain.from_iterable(combinations(filters, n) for n in range(len(filters)))
        for some in kept:
            found.add(len(selected(replace(part, filters=some), study)))
            for filter_ in filters:
                if filter_ not in some and filter_.column.type == "term":
                    applies = _applicable(part, filter_.column.name, study)
                    found.add(len(selected(replace(part, filters=(*some, applies)), study)))
    return sorted(found)


def _applicable(part: Selection, name: str, study: Study) -> OneOf:
    """Return the filter that keeps rows in which a column of terms has one that applies."""
    column = study.codebook.tables[part.table].column(name)
    vocabulary = study.codebook.vocabulary_of(column)
    return OneOf(column, frozenset(term.id for term in vocabulary.applicable))


def compared_shares(
    shares: Sequence[Share], parts: Sequence[float], wholes: Sequence[float]
) -> tuple[list[str], list[str]]:
    """Return the texts of the shares that fit one of the parts of one of the wholes, and others."""
    agreeing: list[str] = []
    wrong: list[str] = []
    for share in shares:
        right = any(share.fits(part, whole) for part in parts for whole in wholes)
        (agreeing if right else wrong).append(share.text)
    return agreeing, wrong


def rounded_share(part: int, whole: int, like: float) -> float:
    """Return a share in percent with as many decimal places as another number has."""
    return round(100 * part / whole, decimals(like)) if whole else float("nan")
