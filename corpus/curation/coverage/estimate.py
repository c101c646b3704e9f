"""How many works there may be in all: capture and recapture, where its assumptions can be met."""

from collections import Counter
from collections.abc import Collection, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

#: With fewer works in more than one list, the estimates are too biased to print
#: (Robson and Regier 1964, Transactions of the American Fisheries Society 93(3)).
LEAST_OVERLAP = 7
#: The quantile of the normal distribution for 95 %.
_Z = 1.959964


class PopulationEstimate(NamedTuple):
    """An estimate of the number of works.

    Attributes
    ----------
    method : str
        ``Chapman`` (two lists) or ``Chao`` (several; a lower bound where lists overlap unevenly).
    lists : tuple of str
        What it rests on.
    seen : int
        Works in any of the lists.
    overlap : int
        Works in more than one.
    estimate, low, high : float
        Number of works in all, and the ends of the 95 % interval.
    """

    method: str
    lists: tuple[str, ...]
    seen: int
    overlap: int
    estimate: float
    low: float
    high: float


class EstimateRefused(NamedTuple):
    """Why no estimate is printed."""

    lists: tuple[str, ...]
    reason: str


def estimated(
    lists: Sequence[tuple[str, Collection[int]]], reason: str = ""
) -> PopulationEstimate | EstimateRefused:
    """Estimate how many works there are from the works in two or more lists.

    With two lists by Chapman's estimator (1951, University of California Publications in
    Statistics 1), with more by Chao's for incidences, bias-corrected (Chao 1987, Biometrics 43(4)).
    The interval is that of Chao 1987, on the logarithm of the unseen works, so that it never starts
    below what was seen.

    Parameters
    ----------
    lists : sequence of (str, collection of int)
        Name and works of each list; they must have been compiled independently.
    reason : str
        Why they allow no estimate, if that is known already.

    Returns
    -------
    PopulationEstimate or EstimateRefused
        Refused for that reason, or where they overlap in fewer than :data:`LEAST_OVERLAP` works.

    Examples
    --------
    >>> result = estimated([("a", range(20)), ("b", range(10, 30))])
    >>> result.method, result.overlap, round(result.estimate, 1)
    ('Chapman', 10, 39.1)
    """
    names = tuple(name for name, _ in lists)
    times = Counter[int]()
    for _, works in lists:
        times.update(set(works))
    number_in = Counter(times.values())
    overlap = len(times) - number_in[1]
    few = f"only {overlap} works are in more than one list, and it takes {LEAST_OVERLAP}"
    if reason or overlap < LEAST_OVERLAP:
        return EstimateRefused(names, reason or few)
    if len(lists) == 2:
        method = "Chapman"
        first, second = (len(set(works)) for _, works in lists)
        number, variance = _chapman(first, second, overlap)
    else:
        method = "Chao"
        number, variance = _chao(len(lists), len(times), number_in[1], number_in[2])
    unseen = number - len(times)
    low = high = float(len(times))
    # Lists that are equal leave nothing to estimate from.
    if unseen > 0:
        factor = exp(_Z * sqrt(log(1 + variance / unseen**2)))
        low, high = low + unseen / factor, low + unseen * factor
    return PopulationEstimate(method, names, len(times), overlap, number, low, high)


def _chapman(first: int, second: int, both: int) -> tuple[float, float]:
    # The ones keep the estimate finite without an overlap, and nearly unbiased with one.
    number = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both)
    return number, variance / ((both + 1) ** 2 * (both + 2))


def _chao(lists: int, seen: int, once: int, twice: int) -> tuple[float, float]:
    share = (lists - 1) / lists
    unseen = share * once * (once - 1) / (2 * (twice + 1))
    variance = unseen
    variance += share**2 * once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
    variance += share**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    return seen + unseen, variance
