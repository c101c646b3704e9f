"""What can be wrong with published numbers: their names, and their uses in a manuscript."""

from __future__ import annotations

from corpus.model.finding import ERROR, WARNING, Rule

SAME_NAME = Rule(
    "N101",
    ERROR,
    "Two numbers with one name",
    "{value} names two numbers: {first}; and {second}",
    "rename one of the terms, columns or tables in the codebook, or the claim",
    "A macro for two numbers prints the wrong one somewhere.",
)
NO_NAME = Rule(
    "N102",
    ERROR,
    "Number without a name",
    "no character of {value} can be part of a LaTeX name; it counts {how}",
    "give the term an identifier with Latin letters or digits",
    "LaTeX names have the letters A to Z only.",
)
CONTRADICTS = Rule(
    "M101",
    ERROR,
    "Number contradicts the corpus",
    "{value}: the corpus has {right}, not {written}",
    "write {macro}; it counts {how}",
    "The number did not follow a change of the data.",
)
BY_HAND = Rule(
    "M102",
    WARNING,
    "Number typed by hand",
    "{value}: right today, but it will not follow the data",
    "write {macro}; it counts {how}",
    "`corpus render` renews a macro or a marker; a typed number is found only by reading.",
)
NOT_JUDGED = Rule(
    "M103",
    WARNING,
    "Number not judged",
    "{value}: a number beside a word of the corpus, but what it counts is not clear{nearest}",
    "check it by hand, or name what it counts in the words of the codebook",
    "Passed over in silence, it would look like a number that was checked.",
)
UNKNOWN_NAME = Rule(
    "R121",
    ERROR,
    "Unknown name in a marker",
    "no number, table or list is called {value}",
    "{advice}; reports/numbers.md lists all numbers",
    "The text would stay as it is forever.",
)
OPEN_MARKER = Rule(
    "R122",
    ERROR,
    "Marker without an end",
    "the marker for {value} has no end",
    "write {end} where the generated text is to end",
    "The rest of the file would be replaced.",
)
STALE_MARKER = Rule(
    "R123",
    ERROR,
    "Marked text is stale",
    "{name} is now {now}",
    "run `corpus render {file}`",
    "The text no longer follows from the data.",
)
