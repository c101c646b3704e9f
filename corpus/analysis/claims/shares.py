"""Shares that a sentence states: percentages, fractions in words, one number of another."""

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from corpus.analysis.claims.claim import Claim, Selection, selected
from corpus.model.filters import OneOf
from corpus.model.study import Study
from corpus.printing.numerals import NUMBER, decimals, parse_number

#: The parts of fractions in words, and what they are parts of.
_PARTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_WHOLES = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: Wholes of which a part is a rough share: "three in ten".
_ROUND_WHOLES = "three|four|five|ten|5|10|100"
#: Words of a limit, and how the share compares with it.
_BOUNDS = {
    "more than": operator.gt,
    "over": operator.gt,
    "at least": operator.ge,
    "less than": operator.lt,
    "fewer than": operator.lt,
    "under": operator.lt,
    "at most": operator.le,
    "up to": operator.le,
}
#: A fraction in words is round: it may be so many points from the share of the tables.
_ROUND = 2.5
_SHARE = re.compile(
    rf"(?:\b(?P<bound>{'|'.join(_BOUNDS)})\s+)?"
    rf"(?:(?P<percent>(?<![\w.,])[0-9]{{1,3}}\.[0-9]{{1,9}}|{NUMBER})\s?(?:%|percent\b|per cent\b)"
    rf"|\b(?P<half>half|majority)\b"
    rf"|\b(?P<some>a|{'|'.join(_PARTS)})[ -](?P<of>{'|'.join(_WHOLES)})s?\b"
    rf"|(?P<few>{NUMBER}) in (?P<every>{_ROUND_WHOLES})\b"
    rf"|(?P<part>{NUMBER})(?:/| (?:out )?of (?:the |all )?)(?P<whole>{NUMBER}|[0-9]+))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Share:
    """A share of a sentence: its text, percent and how far a right one may be from it.

    `bound` has the words of a limit; `part` and `whole` are the numbers of "3 of 7".
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
        if self.bound:
            return bool(_BOUNDS[self.bound](share, self.percent))
        return abs(share - self.percent) <= self.slack + 1e-9


def stated_shares(sentence: str) -> Iterator[Share]:
    """Yield the shares of a sentence.

    Examples
    --------
    >>> [share.text for share in stated_shares("51 % of the studies, a third of all, 3 of 7.")]
    ['51 %', 'a third', '3 of 7']
    """
    for match in _SHARE.finditer(sentence):
        bound = (match["bound"] or "").lower()
        if match["percent"]:
            digits = match["percent"]
            percent = float(digits) if "." in digits else float(parse_number(digits))
            # "51 %" is whatever rounds to it.
            yield Share(match[0], percent, 0.5 * 10.0 ** -_places(digits), bound)
        elif match["half"]:
            is_most = match["half"].lower() == "majority"
            yield Share(match[0], 50.0, _ROUND, "more than" if is_most else bound)
        elif match["of"]:
            part = ("a", *_PARTS).index(match["some"].lower()) or 1
            whole = _WHOLES.index(match["of"].lower()) + 3
            yield Share(match[0], 100 * part / whole, _ROUND, bound)
        elif match["few"]:
            share = 100 * parse_number(match["few"]) / parse_number(match["every"])
            yield Share(match[0], share, _ROUND, bound)
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
