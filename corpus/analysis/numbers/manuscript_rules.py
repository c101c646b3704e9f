"""What can be wrong with the numbers in a manuscript."""

from __future__ import annotations

from corpus.model.finding import ERROR, WARNING, Rule

CONTRADICTS = Rule(
    "M101",
    ERROR,
    "Number contradicts the corpus",
    "{value}: the corpus has {right}, not {written}",
    "write {macro}; it counts {how}",
    "A number that was typed by hand stayed when the data moved.",
)
BY_HAND = Rule(
    "M102",
    WARNING,
    "Number typed by hand",
    "{value}: right today, but it will not follow the data",
    "write {macro}; it counts {how}",
    "A macro or a marker is renewed by `corpus render`; a typed number is found only by reading.",
)
