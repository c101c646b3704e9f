"""What can be wrong with the searches of a corpus."""

from corpus.model.finding import Rule

SEARCH_MISTAKE = Rule(
    "S101",
    "{place}: {problem}",
    "correct the file; docs/searching.md has every key",
    title="Mistake in the searches",
    reason="It cannot be repeated.",
)
QUERY_SYNTAX = Rule(
    "S102",
    "{search}: {problem}",
    "write the query in the form that {source} has, or ask another source",
    title="Query that its source would read otherwise",
    reason="Sources drop what they do not understand, and the log would name a search "
    "that never ran.",
)
FOREIGN_STATE = Rule(
    "S103",
    "{search} was interrupted, and its query, dates or limit changed since",
    "start anew with --restart, which drops what was retrieved so far",
    title="Interrupted search is another one",
    reason="Pages of two queries must not be in one row of the log.",
)
GAVE_UP = Rule(
    "S104",
    "{source} still answers with status {status} after {tries} tries",
    "run the command again later: it goes on where it stopped",
    title="Service refuses for too long",
    reason="It must be left alone for a while.",
)
