"""How many tags of a corpus may be wrong at most, given a random sample of them."""

from __future__ import annotations

from fractions import Fraction
from math import comb

#: Share of samples (0-1) that may be misled by their draw: bounds hold with 95 % confidence.
RISK = Fraction(1, 20)


def most_wrong(population: int, sample: int, wrong: int, risk: Fraction = RISK) -> int:
    """Return the exact upper bound on the wrong items of a finite population.

    It is the largest number of wrong items with which a simple random sample, drawn without
    replacement, shows as few wrong ones as were found with a probability above `risk`: the
    one-sided confidence limit of the hypergeometric distribution (Buonaccorsi 1987, The American
    Statistician 41(3)). The arithmetic is exact.

    Parameters
    ----------
    population : int
        Number of items.
    sample : int
        How many of them were drawn and read.
    wrong : int
        How many of these were wrong.
    risk : Fraction
        From 0 to 1; the confidence is the rest.

    Raises
    ------
    ValueError
        Where the sample is larger than the population, or has more wrong items than items.

    Examples
    --------
    >>> most_wrong(84, 30, 0)
    6
    >>> most_wrong(84, 84, 3)
    3
    """
    if not 0 <= wrong <= sample <= population:
        raise ValueError(f"{wrong} of {sample} of {population} is not a sample")
    # The probability falls with the number of wrong items, so the largest is found by bisection.
    low = wrong
    high = population - (sample - wrong)
    all_samples = comb(population, sample)
    while low < high:
        middle = (low + high + 1) // 2
        if _samples_with(population, sample, wrong, middle) > risk * all_samples:
            low = middle
        else:
            high = middle - 1
    return low


def _samples_with(population: int, sample: int, wrong: int, all_wrong: int) -> int:
    """Return how many samples have at most `wrong` wrong items, if there are `all_wrong` in all."""
    found = 0
    for number in range(wrong + 1):
        found += comb(all_wrong, number) * comb(population - all_wrong, sample - number)
    return found
