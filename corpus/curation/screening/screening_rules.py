"""What can be wrong with decisions that come from a file."""

from corpus.model.finding import Rule

UNKNOWN_DECISION = Rule(
    "S201",
    "{value!r} is not a decision that is known here",
    "write include, exclude or maybe, or leave the cell empty",
    title="Not a decision",
    reason="A guessed decision would put a record on the wrong side of the review.",
)
UNKNOWN_CANDIDATE = Rule(
    "S202",
    "no candidate of this corpus is {value!r}",
    "import the decisions into the corpus that they were exported from",
    title="Record that is not a candidate",
    reason="The decisions are about another corpus, or about works that left the candidates.",
)
OTHER_DECISION = Rule(
    "S203",
    "{reader} decided {before} about {value!r} before, and {after} in this file",
    "choose another --reader if it is another person, or add --replace",
    title="Reader decided otherwise already",
    reason="Two people under one name would overwrite each other.",
)
NO_DECISIONS = Rule(
    "S204",
    "none of the columns has decisions: {columns}",
    "name the column 'decision'",
    title="No column with decisions",
    reason="What a column means must be certain.",
)
TWICE = Rule(
    "S205",
    "{value!r} has two rows with different decisions",
    "keep one of them",
    title="Two decisions about one candidate",
    reason="The reader has to tell which counts.",
)
MIXED_ROW = Rule(
    "S206",
    "the key is that of {value!r}, the title that of {other!r}",
    "put the row together again from the file that was exported",
    title="Key and title of two candidates",
    reason="A column that was sorted alone gives every decision to another work.",
)
