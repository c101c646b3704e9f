"""Shares that a sentence states: percentages, fractions in words, one number of another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations

from corpus.analysis.claims.claim import Claim, Selection, selected
from corpus.analysis.numbers.quantities import (
    SHARE,
    Quantity,
    quantities_of,
    sentences,
    stems_of,
    whole_of,
)
from corpus.model.filters import OneOf
from corpus.model.study import Study
from corpus.printing.numerals import decimals


@dataclass(frozen=True)
class Share:
    """A share of a sentence: its text, what it states, and the whole of "3 of 7"."""

    text: str
    quantity: Quantity
    whole: Quantity | None

    def fits(self, part: float, whole: float) -> bool:
        """Return whether so many of so many rows are what the sentence states."""
        if self.whole:
            return self.quantity.agrees(part) and self.whole.agrees(whole)
        return self.quantity.agrees(100 * part / whole if whole else 0.0)


@lru_cache(maxsize=1 << 10)  # a command that changes rows asks for the same claims several times
def stated_shares(sentence: str) -> tuple[Share, ...]:
    """Return the shares of a sentence.

    Examples
    --------
    >>> [share.text for share in stated_shares("51 % of the studies, a third of all, 3 of 7.")]
    ['51 %', 'a third', '3 of 7']
    """
    found = []
    for tokens in sentences(sentence):
        stated = list(quantities_of(tokens))
        words = stems_of(tokens)
        for place, quantity in enumerate(stated):
            whole = whole_of(quantity, stated[place + 1 :], words)
            if whole or quantity.kind == SHARE:
                last = tokens[(whole or quantity).after - 1]
                text = sentence[tokens[quantity.first].start : last.end]
                found.append(Share(text, quantity, whole))
    return tuple(found)


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
