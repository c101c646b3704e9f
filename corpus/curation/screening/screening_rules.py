"""What can be wrong with decisions that come from a file."""

from corpus.model.finding import Rule

UNKNOWN_DECISION = Rule(
    "S201",
    "{value!r} is not a decision that is known here",
    "write include, exclude or maybe, or leave the cell empty",
)
UNKNOWN_CANDIDATE = Rule(
    "S202",
    "no candidate of this corpus is {value!r}",
    "import the decisions into the corpus that they were exported from",
)
OTHER_DECISION = Rule(
    "S203",
    "{reader} decided {before} about {value!r} before, and {after} in this file",
    "choose another --reader if it is another person, or add --replace",
)
NO_DECISIONS = Rule(
    "S204", "none of the columns has decisions: {columns}", "name the column 'decision'"
)
TWICE = Rule("S205", "{value!r} has two rows with different decisions", "keep one of them")
MIXED_ROW = Rule(
    "S206",
    "the key is that of {value!r}, the title that of {other!r}",
    "put the row together again from the file that was exported",
)
