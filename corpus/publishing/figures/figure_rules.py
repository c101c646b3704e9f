"""Why a figure cannot be drawn from data that is otherwise valid."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

FLOW = Rule(
    "C801",
    ERROR,
    "Flow does not add up",
    "{problem}",
    "correct the table, or the number that the codebook declares for the figure",
    "In a screening flow every box is the difference or the sum of its neighbours.",
)
NOT_POSITIVE = Rule(
    "C802",
    ERROR,
    "Number cannot be drawn",
    "{value} cannot be placed on a logarithmic axis",
    "give a number above zero, or remove the row from the table",
    "A logarithmic axis has no zero and no negative numbers.",
)
UNKNOWN_ENTRY = Rule(
    "C803",
    ERROR,
    "Figure names an unknown entry",
    "figure {figure} has a short name for {value}, which is not in the pool",
    "correct the key in [figures.{figure}.labels] of the codebook",
    "A misspelt key: the entry would be drawn without its short name.",
)
NO_DATE = Rule(
    "C804",
    ERROR,
    "Date cannot be drawn",
    "{problem}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, or leave the cell empty where the column allows it",
    "An entry is drawn in the month of its date.",
)
