"""What can be wrong with the sheet of a second reader and with its plan."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

PLAN_MISTAKE = Rule(
    "A101",
    ERROR,
    "Mistake in the plan of an audit",
    "{place}: {problem}",
    "draw again: corpus audit plan",
    "The plan shows that the rows of a sheet were drawn and not chosen.",
)
NOT_DRAWN = Rule(
    "A102",
    ERROR,
    "Sheet and plan have other rows",
    "entry {key!r} {problem}",
    "restore the rows as they were drawn",
    "Of rows that were added or left out by hand, nothing follows about the entries that nobody "
    "read.",
)
NO_QUOTATION = Rule(
    "A103",
    ERROR,
    "Tag without a quotation",
    "{field} has a tag and {quote} is empty",
    "copy the words that the tag rests on, or leave the tag empty",
    "A quotation shows which words a reader judged by.",
)
NOT_IN_TEXT = Rule(
    "A104",
    ERROR,
    "Quotation is not in the text",
    "{quote} is not in {text} word for word",
    "copy the words from the text; only white space may differ",
    "A quotation that is not in the text was made up or changed.",
)
NO_TEXT = Rule(
    "A105",
    ERROR,
    "Text to check a quotation against is missing",
    "there is no readable text {text}",
    "put the text of the work into that file",
    "Without the text nothing shows that the quoted words are in it.",
)
UNKNOWN_FIELD = Rule(
    "A106",
    ERROR,
    "Settled field that was not audited",
    "{field!r} is not among the audited columns: {known}",
    "name audited columns, separated by '; '",
    "A settled field is not counted as a wrong tag.",
)
