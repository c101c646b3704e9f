"""What can go wrong between a service and a candidate row."""

from corpus.model.finding import Rule

UNREACHABLE = Rule(
    "C701",
    "{service} cannot be reached: {problem}",
    "check the connection, or give the cells by hand: corpus add --set title=... --set ...",
    title="Service cannot be reached",
    reason="Metadata can be entered by hand.",
)
REFUSED_ADDRESS = Rule(
    "C702",
    "{service} redirects to {value}, which is not among the hosts that metadata is read from",
    "open the address yourself and give the cells by hand",
    title="Redirected to another host",
    reason="Metadata is read over https from a fixed list of hosts.",
)
TOO_LARGE = Rule(
    "C703",
    "{service} sends more than {limit}",
    "give the cells by hand",
    title="Answer too large",
    reason="An answer without limit could fill the memory.",
)
TOO_SLOW = Rule(
    "C704",
    "{service} did not finish within {limit} s",
    "try again later, or give the cells by hand",
    title="Answer too slow",
    reason="A slow answer must not hang the command.",
)
UNKNOWN_WORK = Rule(
    "C705",
    "{service} has no work {value}",
    "check the identifier for a typing error",
    title="Unknown work",
    reason="The service answered, and has no such record.",
)
SERVICE_ERROR = Rule(
    "C706",
    "{service} answers with status {status}",
    "try again later, or give the cells by hand",
    title="Service answers with an error",
    reason="It is overloaded, refuses programs, or has changed.",
)
BAD_ANSWER = Rule(
    "C707",
    "the answer of {service} cannot be understood: {problem}",
    "give the cells by hand",
    title="Invalid answer",
    reason="Nothing is guessed from a damaged or hostile answer.",
)
WITHDRAWN = Rule(
    "C708",
    "arXiv reports that {value} was withdrawn: {problem}",
    "log it with `corpus exclude`; to retain it all the same, give the cells by hand",
    title="Withdrawn work",
    reason="Somebody has to look at the reason before a withdrawn work enters a pool.",
)
NOT_RECOGNISED = Rule(
    "C709",
    "{value} is not an arXiv id, DOI, OpenReview or ACL Anthology address",
    "give one of these, a BibTeX file with --bibtex, or the cells with --set",
    title="Not an identifier",
    reason="Only these services are asked for metadata.",
)
BAD_BIBTEX = Rule(
    "C710",
    "{problem}",
    "fix the entry, or give the cells by hand",
    title="Invalid BibTeX",
    reason="Nothing is guessed from a damaged entry.",
)
