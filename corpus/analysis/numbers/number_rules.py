"""What can be wrong with published numbers: their names, and their uses in a manuscript."""

from corpus.model.finding import WARNING, Rule

SAME_NAME = Rule(
    "N101",
    "{value} names two numbers: {first}; and {second}",
    "rename one of the terms, columns or tables in the codebook, or the claim",
)
NO_NAME = Rule(
    "N102",
    "no character of {value} can be part of a LaTeX name; it counts {how}",
    "give the term an identifier with Latin letters or digits",
)
CONTRADICTS = Rule(
    "M101", "{value}: the corpus has {right}, not {written}", "write {macro}; it counts {how}"
)
BY_HAND = Rule(
    "M102",
    "{value}: right today, but it will not follow the data",
    "write {macro}; it counts {how}",
    WARNING,
)
NOT_JUDGED = Rule(
    "M103",
    "{value}: a number beside a word of the corpus, but what it counts is not clear{nearest}",
    "check it by hand, or name what it counts in the words of the codebook",
    WARNING,
)
UNKNOWN_NAME = Rule(
    "R121",
    "no number, table or list is called {value}",
    "{advice}; reports/numbers.md lists all numbers",
)
OPEN_MARKER = Rule(
    "R122", "the marker for {value} has no end", "write {end} where the generated text is to end"
)
STALE_MARKER = Rule("R123", "{name} is now {now}", "run `corpus render {file}`")
