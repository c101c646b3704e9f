"""Agreement beyond chance for nominal ratings: Cohen's kappa, Gwet's AC1, Krippendorff's alpha.

The three share everything but the chance term and are a few lines each. The package for alpha is
under the GPL, which this package cannot require; the one that has AC1 pins an old numpy, and those
that have kappa know neither missing ratings nor AC1. Ratings are terms of a vocabulary, which have
no order and no distance, so alpha is the nominal one.

The standard errors linearise each coefficient unit by unit (Gwet, Handbook of Inter-Rater
Reliability, 4th ed., 2014, chapter 5). Tests compare all figures with published worked examples:
those of the handbook's own software and of Krippendorff, Computing Krippendorff's
Alpha-Reliability (2011).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

#: Unit -> reader -> category; a reader who did not rate a unit is missing there.
Ratings = Mapping[str, Mapping[str, str]]
Floats = NDArray[np.float64]
#: With fewer units no interval is given: t with three degrees of freedom or less is so wide that
#: the interval would cover nearly all values.
FEWEST = 5
_Z = 1.959963984540054  # the normal quantile of a 95 % interval


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its standard error and 95 % interval; None where it is not defined."""

    value: float | None
    error: float | None = None
    low: float | None = None
    high: float | None = None


UNDEFINED = Coefficient(None)


def raw_agreement(agreed: int, units: int) -> Coefficient:
    """Return the share of units on which all readers agree, with Wilson's interval.

    Unlike the linearised interval, it has a width at 100 %, too.

    Examples
    --------
    >>> found = raw_agreement(32, 32)
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (1.0, 0.893, 1.0)
    """
    if not units:
        return UNDEFINED
    share = agreed / units
    variance = share * (1 - share) / units
    square = _Z**2 / units
    middle = (share + square / 2) / (1 + square)
    half = _Z * sqrt(variance + square / (4 * units)) / (1 + square)
    return Coefficient(share, sqrt(variance), max(0.0, middle - half), min(1.0, middle + half))


def cohens_kappa(pairs: Sequence[tuple[str, str]], categories: Sequence[str]) -> Coefficient:
    """Return Cohen's kappa of two readers; undefined where both always use the same category."""
    units = len(pairs)
    if not units:
        return UNDEFINED
    place = {category: number for number, category in enumerate(categories)}
    first, second = np.array([(place[one], place[other]) for one, other in pairs]).T
    first_shares = np.bincount(first, minlength=len(categories)) / units
    second_shares = np.bincount(second, minlength=len(categories)) / units
    expected = float(first_shares @ second_shares)
    if expected == 1:
        return UNDEFINED
    agrees = (first == second).astype(float)
    value = (float(agrees.mean()) - expected) / (1 - expected)
    # The chance agreement that one unit contributes: the other reader's share of each of its two
    # categories.
    chance = (second_shares[first] + first_shares[second]) / 2
    return _with_interval(value, _linearised(agrees, chance, expected, value))


def gwets_ac1(ratings: Ratings, categories: Sequence[str]) -> Coefficient:
    """Return Gwet's AC1 of any number of readers; a unit rated once counts towards the shares."""
    counts = _counts(ratings, categories)
    given = counts.sum(axis=1)
    several = given >= 2
    if not several.any() or len(categories) < 2:
        return UNDEFINED
    units = len(counts)
    own_shares = counts / given[:, None]
    shares = own_shares.mean(axis=0)
    expected = float((shares * (1 - shares)).sum() / (len(categories) - 1))
    agreeing_pairs = (counts * (counts - 1)).sum(axis=1)
    agreement = np.zeros(units)
    agreement[several] = agreeing_pairs[several] / (given * (given - 1))[several]
    value = (agreement[several].mean() - expected) / (1 - expected)
    chance = own_shares @ (1 - shares) / (len(categories) - 1)
    # Only units with several ratings show agreement, but all of them show what chance would give.
    parts = units / several.sum() * (agreement - expected * several) / (1 - expected)
    parts -= 2 * (1 - value) * (chance - expected) / (1 - expected)
    return _with_interval(float(value), parts)


def krippendorffs_alpha(ratings: Ratings, categories: Sequence[str]) -> Coefficient:
    """Return Krippendorff's alpha for nominal data; undefined where only one category is used.

    Alpha is one minus the observed over the expected disagreement. Only units with two ratings or
    more count.

    Parameters
    ----------
    ratings : mapping of str to mapping of str to str
        Unit -> reader -> category.
    categories : sequence of str
        Every category that occurs; those that nobody used do not matter.

    Returns
    -------
    Coefficient
        The standard error follows Gwet's linearisation, the value keeps Krippendorff's correction
        for few ratings.
    """
    counts = _counts(ratings, categories)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts) or (counts.sum(axis=0) > 0).sum() < 2:
        return UNDEFINED
    given = counts.sum(axis=1)
    mean = given.mean()
    shares = counts.mean(axis=0) / mean
    expected = float((shares**2).sum())
    surplus = (given - mean) / mean
    agreement = (counts * (counts - 1)).sum(axis=1) / (mean * (given - 1))
    observed = float(agreement.mean())
    uncorrected = (observed - expected) / (1 - expected)
    own = agreement - observed * surplus
    chance = counts @ shares / mean - expected * surplus
    parts = _linearised(own, chance, expected, uncorrected)
    # Expected disagreement is that of two ratings drawn without putting one back.
    value = uncorrected + (1 - uncorrected) / float(given.sum())
    return _with_interval(value, parts - uncorrected + value)


def _counts(ratings: Ratings, categories: Sequence[str]) -> Floats:
    """Return how many readers gave each rated unit (row) each category (column)."""
    place = {category: number for number, category in enumerate(categories)}
    rows = list(filter(None, ratings.values()))
    counts = np.zeros((len(rows), len(categories)))
    for row, given in zip(counts, rows, strict=True):
        for category in given.values():
            row[place[category]] += 1
    return counts


def _linearised(agreement: Floats, chance: Floats, expected: float, value: float) -> Floats:
    """Return what each unit contributes to a coefficient of the form (a - e) / (1 - e).

    `agreement` and `chance` are the unit's observed and chance agreement, `expected` is the mean
    of `chance`, and `value` the coefficient.
    """
    observed: Floats = (agreement - expected) / (1 - expected)
    return observed - 2 * (1 - value) * (chance - expected) / (1 - expected)


def _with_interval(value: float, parts: Floats) -> Coefficient:
    units = len(parts)
    if units < FEWEST:
        return Coefficient(value)
    squares = float(((parts - value) ** 2).sum())
    error = sqrt(squares / (units * (units - 1)))
    half = t_quantile(units - 1) * error
    return Coefficient(value, error, max(-1.0, value - half), min(1.0, value + half))


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t.

    It is the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5).

    Examples
    --------
    >>> round(t_quantile(11), 3), round(t_quantile(99), 3)
    (2.201, 1.984)
    """
    z = _Z
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))
