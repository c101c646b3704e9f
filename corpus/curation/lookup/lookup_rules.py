"""What can go wrong between a service and a candidate row."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

UNREACHABLE = Rule(
    "C701",
    ERROR,
    "Service cannot be reached",
    "{service} cannot be reached: {problem}",
    "check the connection, or give the cells by hand: corpus add --set title=... --set ...",
    "Metadata can be entered by hand.",
)
REFUSED_ADDRESS = Rule(
    "C702",
    ERROR,
    "Redirected to another host",
    "{service} redirects to {value}, which is not among the hosts that metadata is read from",
    "open the address yourself and give the cells by hand",
    "Metadata is read over https from a fixed list of hosts.",
)
TOO_LARGE = Rule(
    "C703",
    ERROR,
    "Answer too large",
    "{service} sends more than {limit}",
    "give the cells by hand",
    "An answer without limit could fill the memory.",
)
TOO_SLOW = Rule(
    "C704",
    ERROR,
    "Answer too slow",
    "{service} did not finish within {limit} s",
    "try again later, or give the cells by hand",
    "A slow answer must not hang the command.",
)
UNKNOWN_WORK = Rule(
    "C705",
    ERROR,
    "Unknown work",
    "{service} has no work {value}",
    "check the identifier for a typing error",
    "The service answered, and has no such record.",
)
SERVICE_ERROR = Rule(
    "C706",
    ERROR,
    "Service answers with an error",
    "{service} answers with status {status}",
    "try again later, or give the cells by hand",
    "It is overloaded, refuses programs, or has changed.",
)
BAD_ANSWER = Rule(
    "C707",
    ERROR,
    "Invalid answer",
    "the answer of {service} cannot be understood: {problem}",
    "give the cells by hand",
    "Nothing is guessed from a damaged or hostile answer.",
)
WITHDRAWN = Rule(
    "C708",
    ERROR,
    "Withdrawn work",
    "arXiv reports that {value} was withdrawn: {problem}",
    "log it with `corpus exclude`; to retain it all the same, give the cells by hand",
    "Somebody has to look at the reason before a withdrawn work enters a pool.",
)
NOT_RECOGNISED = Rule(
    "C709",
    ERROR,
    "Not an identifier",
    "{value} is not an arXiv id, DOI, OpenReview or ACL Anthology address",
    "give one of these, a BibTeX file with --bibtex, or the cells with --set",
    "Only these services are asked for metadata.",
)
BAD_BIBTEX = Rule(
    "C710",
    ERROR,
    "Invalid BibTeX",
    "{problem}",
    "fix the entry, or give the cells by hand",
    "Nothing is guessed from a damaged entry.",
)
