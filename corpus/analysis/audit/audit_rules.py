"""What can be wrong with the sheet of a second reader and with its plan."""

from corpus.model.finding import Rule

PLAN_MISTAKE = Rule("A101", "{place}: {problem}", "draw again: corpus audit plan")
NOT_DRAWN = Rule("A102", "entry {key!r} {problem}", "restore the rows as they were drawn")
NO_QUOTATION = Rule(
    "A103",
    "{field} has a tag and {quote} is empty",
    "copy the words that the tag rests on, or leave the tag empty",
)
NOT_IN_TEXT = Rule(
    "A104",
    "{quote} is not in {text} word for word",
    "copy the words from the text; only white space may differ",
)
NO_TEXT = Rule(
    "A105", "there is no readable text {text}", "put the text of the work into that file"
)
UNKNOWN_FIELD = Rule(
    "A106",
    "{field!r} is not among the audited columns: {known}",
    "name audited columns, separated by '; '",
)
