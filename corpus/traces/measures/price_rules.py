"""What can be wrong with a table of prices."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

BAD_PRICES = Rule(
    "OT401",
    ERROR,
    "Price table not readable",
    "{problem}",
    "write one row per model and kind under the header model,kind,price; the price is that of a "
    "million tokens, and the kinds are input, cached, cache_write, output and reasoning",
    "A price that is guessed, or one of two that differ, gives a cost that nobody would notice to "
    "be wrong.",
)
