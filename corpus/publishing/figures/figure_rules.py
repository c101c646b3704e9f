"""Why a figure cannot be drawn from data that is otherwise valid."""

from corpus.model.finding import Rule

FLOW = Rule(
    "C801",
    "{problem}",
    "correct the table, or the number that the codebook declares for the figure",
)
NOT_POSITIVE = Rule(
    "C802",
    "{value} cannot be placed on a logarithmic axis",
    "give a number above zero, or remove the row from the table",
)
NO_DATE = Rule(
    "C804",
    "{problem}",
    "write YYYY, YYYY-MM or YYYY-MM-DD, or leave the cell empty where the column allows it",
)
