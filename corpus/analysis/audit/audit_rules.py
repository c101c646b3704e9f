"""What can be wrong with the sheet of a second reader and with its plan."""

from corpus.model.finding import Rule

PLAN_MISTAKE = Rule(
    "A101",
    "{place}: {problem}",
    "draw again: corpus audit plan",
    title="Mistake in the plan of an audit",
    reason="The plan shows that the rows of a sheet were drawn and not chosen.",
)
NOT_DRAWN = Rule(
    "A102",
    "entry {key!r} {problem}",
    "restore the rows as they were drawn",
    title="Sheet and plan have other rows",
    reason="Of rows that were added or left out by hand, nothing follows about the "
    "entries that nobody read.",
)
NO_QUOTATION = Rule(
    "A103",
    "{field} has a tag and {quote} is empty",
    "copy the words that the tag rests on, or leave the tag empty",
    title="Tag without a quotation",
    reason="A quotation shows which words a reader judged by.",
)
NOT_IN_TEXT = Rule(
    "A104",
    "{quote} is not in {text} word for word",
    "copy the words from the text; only white space may differ",
    title="Quotation is not in the text",
    reason="A quotation that is not in the text was made up or changed.",
)
NO_TEXT = Rule(
    "A105",
    "there is no readable text {text}",
    "put the text of the work into that file",
    title="Text to check a quotation against is missing",
    reason="Without the text nothing shows that the quoted words are in it.",
)
UNKNOWN_FIELD = Rule(
    "A106",
    "{field!r} is not among the audited columns: {known}",
    "name audited columns, separated by '; '",
    title="Settled field that was not audited",
    reason="A settled field is not counted as a wrong tag.",
)
