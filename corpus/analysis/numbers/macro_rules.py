"""What can be wrong with a file that is kept current between markers."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

UNKNOWN_NAME = Rule(
    "R121",
    ERROR,
    "Unknown name in a marker",
    "nothing is called {value}",
    "{advice}; reports/numbers.md lists all numbers",
    "A marker that names nothing would keep an old number for ever.",
)
OPEN_MARKER = Rule(
    "R122",
    ERROR,
    "Marker without an end",
    "the marker for {value} is never closed",
    "write {end} where the generated text is to end",
    "Without its end the rest of the file would be replaced.",
)
STALE_MARKER = Rule(
    "R123",
    ERROR,
    "Marked text is stale",
    "{name} is now {now}",
    "run `corpus render {file}`",
    "The text between the markers no longer follows from the data.",
)
