"""What can be wrong with decisions that come from a file."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

UNKNOWN_DECISION = Rule(
    "S201",
    ERROR,
    "Not a decision",
    "{value!r} is not a decision that is known here",
    "write include, exclude or maybe, or leave the cell empty",
    "A guessed decision would put a record on the wrong side of the review.",
)
UNKNOWN_CANDIDATE = Rule(
    "S202",
    ERROR,
    "Record that is not a candidate",
    "no candidate of this corpus is {value!r}",
    "import the decisions into the corpus that they were exported from",
    "The decisions are about another corpus, or about works that left the candidates.",
)
OTHER_DECISION = Rule(
    "S203",
    ERROR,
    "Reader decided otherwise already",
    "{reader} decided {before} about {value!r} before, and {after} in this file",
    "choose another --reader if it is another person, or add --replace",
    "Two people under one name would overwrite each other.",
)
NO_DECISIONS = Rule(
    "S204",
    ERROR,
    "No column with decisions",
    "none of the columns has decisions: {columns}",
    "name the column 'decision'",
    "What a column means must be certain.",
)
TWICE = Rule(
    "S205",
    ERROR,
    "Two decisions about one candidate",
    "{value!r} has two rows with different decisions",
    "keep one of them",
    "The reader has to tell which counts.",
)
MIXED_ROW = Rule(
    "S206",
    ERROR,
    "Key and title of two candidates",
    "the key is that of {value!r}, the title that of {other!r}",
    "put the row together again from the file that was exported",
    "A column that was sorted alone gives every decision to another work.",
)
