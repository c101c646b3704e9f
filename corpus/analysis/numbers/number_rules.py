"""What can be wrong with the names of published numbers."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

SAME_NAME = Rule(
    "N101",
    ERROR,
    "Two numbers of one name",
    "{value} names two numbers: {first}; and {second}",
    "rename one of the terms, columns or tables in the codebook, or the claim; a name keeps letters and spelled digits",
    "A macro that stands for two numbers prints the wrong one somewhere.",
)
NO_NAME = Rule(
    "N102",
    ERROR,
    "Number without a name",
    "nothing in {value} can be part of a LaTeX name; it counts {how}",
    "give the term an identifier with Latin letters or digits",
    "LaTeX names consist of the letters A to Z; signs that Unicode gives no name cannot be spelled with them.",
)
