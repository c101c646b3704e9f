"""Why a figure cannot be drawn from data that is otherwise valid."""

from corpus.model.finding import Rule

FLOW = Rule(
    "C801",
    "{problem}",
    "correct the table, or the number that the codebook declares for the figure",
    title="Flow does not add up",
    reason="In a screening flow every box is the difference or the sum of its neighbours.",
)
NOT_POSITIVE = Rule(
    "C802",
    "{value} cannot be placed on a logarithmic axis",
    "give a number above zero, or remove the row from the table",
    title="Number cannot be drawn",
    reason="A logarithmic axis has no zero and no negative numbers.",
)
NO_DATE = Rule(
    "C804",
    "{problem}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, or leave the cell empty where the column allows it",
    title="Date cannot be drawn",
    reason="An entry is drawn in the month of its date.",
)
