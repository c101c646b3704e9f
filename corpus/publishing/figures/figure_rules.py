"""Why a figure cannot be drawn from data that is otherwise sound."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

FLOW = Rule(
    "C801",
    ERROR,
    "Flow does not add up",
    "{problem}",
    "mend the table, or the number that the codebook declares for the figure",
    "A screening flow is printed only where every box is the difference or the sum of its neighbours.",
)
NOT_POSITIVE = Rule(
    "C802",
    ERROR,
    "Number cannot be drawn",
    "{value} has no place on a logarithmic axis",
    "give a number above zero, or leave the row out of the table",
    "A logarithmic axis has no zero and no negative numbers.",
)
UNKNOWN_ENTRY = Rule(
    "C803",
    ERROR,
    "Figure names an unknown entry",
    "figure {figure} has a short name for {value}, which is no entry",
    "mend the key in [figures.{figure}.labels] of the codebook",
    "A short name for an entry that does not exist is a misspelt key, and the entry would be drawn without it.",
)
NO_DATE = Rule(
    "C804",
    ERROR,
    "Date cannot be drawn",
    "{problem}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, or leave the cell empty where the column allows it",
    "An entry is drawn in the month of its date; a date that cannot be read has none.",
)
