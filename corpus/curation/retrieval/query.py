"""A query in the form that protocols write, and in the form of each source.

The form: words and "phrases" joined by AND, OR and NOT, with parentheses; NOT stands before what
must not occur. What a source cannot express is refused, never dropped.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(r'(?P<phrase>"[^"]*")|(?P<bracket>[()])|(?P<word>[^\s()"]+)')
_OPERATORS = ("AND", "OR", "NOT")
#: Quotation marks of word processors: sources take them for letters, and the phrase would be lost.
_OTHER_QUOTATION_MARKS = re.compile("[“”„‟«»″]")
#: A sign that some sources take for an operator, where no word has it.
_SIGN = re.compile(r"^[+-]|\|")


class QueryProblem(ValueError):
    """Raised with what is wrong with a query, in words."""


class QueryToken(NamedTuple):
    """A part of a query: `kind` is ``phrase``, ``word``, or its text: AND, OR, NOT, ( or )."""

    kind: str
    text: str


def tokens(query: str) -> list[QueryToken]:
    """Split a query into its parts.

    Raises
    ------
    QueryProblem
        Where quotation marks, parentheses or operators do not fit together.

    Examples
    --------
    >>> [token.text for token in tokens('"soil moisture" AND (sensor OR probe)')]
    ['soil moisture', 'AND', '(', 'sensor', 'OR', 'probe', ')']
    """
    other = _OTHER_QUOTATION_MARKS.search(query)
    if other:
        raise QueryProblem(f'write the quotation mark {other.group()} as "')
    if query.count('"') % 2:
        raise QueryProblem("a quotation mark is not closed")
    found = list(_split(query))
    if not found:
        raise QueryProblem("it is empty")
    _check_order(found)
    return found


def _split(query: str) -> Iterator[QueryToken]:
    # Each quotation mark has its other one, so the pattern takes every character.
    for match in _TOKEN.finditer(query):
        if match["phrase"]:
            phrase = match["phrase"].strip('"').strip()
            if not phrase:
                raise QueryProblem("a phrase is empty")
            yield QueryToken("phrase", phrase)
        elif match["bracket"] or match["word"] in _OPERATORS:
            yield QueryToken(match[0], match[0])
        elif match["word"].upper() in _OPERATORS:
            raise QueryProblem(f"write the operator {match['word']!r} in capitals")
        elif _SIGN.search(match["word"]):
            raise QueryProblem(f"write AND, OR or NOT for the sign in {match['word']!r}")
        else:
            yield QueryToken("word", match["word"])


def _check_order(found: list[QueryToken]) -> None:
    """Refuse an operator without a term beside it, and unbalanced parentheses."""
    # A query is what is between two parentheses, so that one rule is enough for its ends.
    start, end = QueryToken("(", "its start"), QueryToken(")", "its end")
    depth = 1
    for before, token in pairwise([start, *found, end]):
        depth += {"(": 1, ")": -1}.get(token.kind, 0)
        if token.kind == before.kind == "NOT":
            raise QueryProblem("NOT has another NOT before it")
        if before.kind in ("(", *_OPERATORS) and token.kind in ("AND", "OR", ")"):
            raise QueryProblem(f"something is missing before {token.text}")
        if not depth and token is not end:
            raise QueryProblem("a closing parenthesis has no opening one")
    if depth:
        raise QueryProblem("a parenthesis is not closed")


def _arxiv(found: list[QueryToken]) -> str:
    """Write a query for arXiv: each term in all fields; ANDNOT for NOT."""
    parts = []
    for place, token in enumerate(found):
        if token.kind == "phrase":
            parts.append(f'all:"{token.text}"')
        elif token.kind == "word":
            parts.append(f"all:{token.text}")
        elif token.kind == "NOT":
            if place == 0 or found[place - 1].kind != "AND":
                raise QueryProblem("arXiv takes NOT only after AND")
            parts[-1] = "ANDNOT"
            continue
        else:
            parts.append(token.text)
        if place + 1 < len(found) and _are_neighbours(token, found[place + 1]):
            parts.append("AND")
    return " ".join(parts)


def _are_neighbours(token: QueryToken, after: QueryToken) -> bool:
    """Whether no operator is between two terms; it means AND in every source."""
    if token.kind not in ("word", "phrase", ")"):
        return False
    return after.kind in ("word", "phrase", "(", "NOT")


def _query_text(found: list[QueryToken], operators: Mapping[str, str]) -> str:
    """Write a query as it is, with the operators of a source."""
    text = ""
    # Nothing is between a parenthesis, or the sign for NOT, and what it belongs to.
    is_glued = True
    for token in found:
        part = operators.get(token.kind, token.text)
        if token.kind == "phrase":
            part = f'"{part}"'
        if not is_glued and token.kind != ")":
            text += " "
        text += part
        is_glued = part in ("(", "-")
    return text


def _plain(found: list[QueryToken], source: str, lacking: Collection[str]) -> str:
    """Write words and operators as they are, or raise QueryProblem for what a source lacks."""
    for token in found:
        if token.kind in lacking:
            called = _CALLED.get(token.kind, f"operator {token.text}")
            raise QueryProblem(f"{source} has no {called}")
    return " ".join(token.text for token in found)


_CALLED = {"phrase": "phrases", "(": "parentheses", ")": "parentheses"}
_words = partial(_plain, source="this source ranks by words and", lacking=(*_CALLED, *_OPERATORS))


def _dblp(found: list[QueryToken]) -> str:
    """Write a query for DBLP: words, and | between alternatives; it has neither phrase nor NOT."""
    text = _plain(found, "DBLP", (*_CALLED, "NOT"))
    return text.replace(" OR ", "|").replace(" AND ", " ")


#: Source -> how a query is written for it.
WRITERS: Mapping[str, Callable[[list[QueryToken]], str]] = {
    "arxiv": _arxiv,
    "openalex": partial(_query_text, operators={}),
    "semanticscholar": partial(_query_text, operators={"AND": "+", "OR": "|", "NOT": "-"}),
    "dblp": _dblp,
    "crossref": _words,
    "openreview": _words,
}

#: Sources whose interface takes no dates.
UNDATED = ("openreview", "dblp")


def query_for(source: str, query: str) -> str:
    """Return a query in the form of a source.

    Raises
    ------
    QueryProblem
        Where it is not well formed, or the source cannot express it.

    Examples
    --------
    >>> query_for("semanticscholar", '"soil moisture" AND NOT (probe OR drone)')
    '"soil moisture" + -(probe | drone)'
    >>> query_for("arxiv", "peat AND NOT drone")
    'all:peat ANDNOT all:drone'
    """
    return WRITERS[source](tokens(query))
