"""What can be wrong with the searches of a corpus."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

SEARCH_MISTAKE = Rule(
    "S101",
    ERROR,
    "Mistake in the searches",
    "{place}: {problem}",
    "correct the file; docs/searching.md has every key",
    "It cannot be repeated.",
)
QUERY_SYNTAX = Rule(
    "S102",
    ERROR,
    "Query that its source would read otherwise",
    "{search}: {problem}",
    "write the query in the form that {source} has, or ask another source",
    "Sources drop what they do not understand, and the log would name a search that never ran.",
)
FOREIGN_STATE = Rule(
    "S103",
    ERROR,
    "Interrupted search is another one",
    "{search} was interrupted, and its query, dates or limit changed since",
    "start anew with --restart, which drops what was retrieved so far",
    "Pages of two queries must not be in one row of the log.",
)
GAVE_UP = Rule(
    "S104",
    ERROR,
    "Service refuses for too long",
    "{source} still answers with status {status} after {tries} tries",
    "run the command again later: it goes on where it stopped",
    "It must be left alone for a while.",
)
