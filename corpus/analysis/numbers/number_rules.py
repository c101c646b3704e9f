"""What can be wrong with published numbers: their names, and their uses in a manuscript."""

from corpus.model.finding import WARNING, Rule

SAME_NAME = Rule(
    "N101",
    "{value} names two numbers: {first}; and {second}",
    "rename one of the terms, columns or tables in the codebook, or the claim",
    title="Two numbers with one name",
    reason="A macro for two numbers prints the wrong one somewhere.",
)
NO_NAME = Rule(
    "N102",
    "no character of {value} can be part of a LaTeX name; it counts {how}",
    "give the term an identifier with Latin letters or digits",
    title="Number without a name",
    reason="LaTeX names have the letters A to Z only.",
)
CONTRADICTS = Rule(
    "M101",
    "{value}: the corpus has {right}, not {written}",
    "write {macro}; it counts {how}",
    title="Number contradicts the corpus",
    reason="The number did not follow a change of the data.",
)
BY_HAND = Rule(
    "M102",
    "{value}: right today, but it will not follow the data",
    "write {macro}; it counts {how}",
    WARNING,
    title="Number typed by hand",
    reason="`corpus render` renews a macro or a marker; a typed number is found only by reading.",
)
NOT_JUDGED = Rule(
    "M103",
    "{value}: a number beside a word of the corpus, but what it counts is not clear{nearest}",
    "check it by hand, or name what it counts in the words of the codebook",
    WARNING,
    title="Number not judged",
    reason="Passed over in silence, it would look like a number that was checked.",
)
UNKNOWN_NAME = Rule(
    "R121",
    "no number, table or list is called {value}",
    "{advice}; reports/numbers.md lists all numbers",
    title="Unknown name in a marker",
    reason="The text would stay as it is forever.",
)
OPEN_MARKER = Rule(
    "R122",
    "the marker for {value} has no end",
    "write {end} where the generated text is to end",
    title="Marker without an end",
    reason="The rest of the file would be replaced.",
)
STALE_MARKER = Rule(
    "R123",
    "{name} is now {now}",
    "run `corpus render {file}`",
    title="Marked text is stale",
    reason="The text no longer follows from the data.",
)
HTML_LINE = Rule(
    "R124",
    "the marker of {value} begins a line, so that Markdown reads the rest of the line as HTML",
    "let a word come before the marker, or put it on a line of its own",
    WARNING,
    title="Marker at the beginning of a line of Markdown",
    reason="GitHub ends the paragraph there, and prints links and bold type literally.",
)
NEAR_MARKER = Rule(
    "R125",
    "{value} looks like a marker and is not one",
    "write corpus: NAME in small letters, and {end} at its end",
    WARNING,
    title="Nearly a marker",
    reason="Its text would never be renewed, and nothing would tell.",
)
