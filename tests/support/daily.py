"""What a daily run tries in part and a weekly one whole: ``EVERY=1 python -m pytest tests/fuzz``."""

import os
from itertools import product

EVERY = bool(os.environ.get("EVERY"))


def part(cases, of):
    """Return one in so many of the cases; every week all of them."""
    return cases[:: 1 if EVERY else of]


def paired(first, second):
    """Return each of the first with one of the second in turn; every week with each of them."""
    first, second = list(first), list(second)
    if EVERY:
        return list(product(first, second))
    return [(one, second[place % len(second)]) for place, one in enumerate(first)]
