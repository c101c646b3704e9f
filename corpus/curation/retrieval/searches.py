"""The searches of a corpus, and how the query of one is written for each source.

They are in `searches.toml`, a document that the codebook declares.

The form of a query: words and "phrases" joined by AND, OR and NOT, with parentheses; NOT stands
before what must not occur. What a source cannot express is refused, never dropped.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Rule, UsageProblem
from corpus.model.study import Study

SEARCH_MISTAKE = Rule(
    "S101",
    "{place}: {problem}",
    "correct the file; `corpus docs searching` has every key",
    title="Mistake in the searches",
    reason="It cannot be repeated.",
)
QUERY_SYNTAX = Rule(
    "S102",
    "{search}: {problem}",
    "write the query as {source} takes it, or ask another source",
    title="Query that its source would read otherwise",
    reason="Sources drop what they do not understand, and the log would name a search "
    "that never ran.",
)


#: Name under which the codebook's [documents] declares the file.
DOCUMENT = "searches"
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: So many records a search retrieves at most, where it sets no limit.
MOST = 2_000

_TOKEN = re.compile(r'(?P<phrase>"[^"]*")|(?P<bracket>[()])|(?P<word>[^\s()"]+)')
_OPERATORS = ("AND", "OR", "NOT")
#: Quotation marks of word processors: sources take them for letters, and the phrase would be lost.
_OTHER_QUOTATION_MARKS = re.compile("[“”„‟«»″]")
#: A sign that some sources take for an operator, where no word has it.
_SIGN = re.compile(r"^[+-]|\|")


class QueryProblem(ValueError):
    """Raised with what is wrong with a query, in words."""


def tokens(query: str) -> list[str]:
    """Split a query into words, phrases in quotation marks, operators and parentheses.

    Raises
    ------
    QueryProblem
        Where quotation marks, parentheses or operators do not fit together.

    Examples
    --------
    >>> tokens('"soil moisture" AND (sensor OR probe)')
    ['"soil moisture"', 'AND', '(', 'sensor', 'OR', 'probe', ')']
    """
    other = _OTHER_QUOTATION_MARKS.search(query)
    if other:
        raise QueryProblem(f'write the quotation mark {other.group()} as "')
    if query.count('"') % 2:
        raise QueryProblem("a quotation mark is not closed")
    found = []
    # Each quotation mark has its other one, so the pattern takes every character.
    for match in _TOKEN.finditer(query):
        part, word = match[0], match["word"] or ""
        if match["phrase"]:
            phrase = part.strip('"').strip()
            if not phrase:
                raise QueryProblem("a phrase is empty")
            part = f'"{phrase}"'
        elif word not in _OPERATORS and word.upper() in _OPERATORS:
            raise QueryProblem(f"write the operator {word!r} in capitals")
        elif _SIGN.search(word):
            raise QueryProblem(f"write AND, OR or NOT for the sign in {word!r}")
        found.append(part)
    if not found:
        raise QueryProblem("it is empty")
    _check_order(found)
    return found


def _check_order(found: list[str]) -> None:
    """Refuse an operator without a term beside it, and unbalanced parentheses."""
    depth = 0
    for before, part in pairwise(["its start", *found, "its end"]):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == before == "NOT":
            raise QueryProblem("NOT has another NOT before it")
        if before in ("its start", "(", *_OPERATORS) and part in ("AND", "OR", ")", "its end"):
            raise QueryProblem(f"a term is missing between {before} and {part}")
        if depth < 0:
            raise QueryProblem("a closing parenthesis has no opening one")
    if depth:
        raise QueryProblem("a parenthesis is not closed")


def _arxiv(found: list[str]) -> str:
    """Write a query for arXiv: each term in all fields; ANDNOT for NOT."""
    parts: list[str] = []
    for before, part in pairwise(["", *found]):
        is_term = part not in ("(", ")", *_OPERATORS)
        if part == "NOT":
            if before != "AND":
                raise QueryProblem("arXiv takes NOT only after AND")
            parts[-1] = "ANDNOT"
            continue
        # Without an operator between them, two terms mean AND in every source.
        if before not in ("", "(", *_OPERATORS) and (is_term or part == "("):
            parts.append("AND")
        parts.append(f"all:{part}" if is_term else part)
    return " ".join(parts)


def _query_text(found: list[str], operators: Mapping[str, str]) -> str:
    """Write a query as it is, with the operators of a source."""
    text = ""
    # Nothing is between a parenthesis, or the sign for NOT, and what it belongs to.
    is_glued = True
    for part in found:
        if not is_glued and part != ")":
            text += " "
        written = operators.get(part, part)
        text += written
        is_glued = written in ("(", "-")
    return text


def _plain(found: list[str], source: str, lacking: Collection[str]) -> str:
    """Write words and operators as they are, or raise QueryProblem for what a source lacks."""
    for part in found:
        if part in lacking or part[0] in lacking:
            called = _CALLED.get(part[0], f"operator {part}")
            raise QueryProblem(f"{source} has no {called}")
    return " ".join(found)


_CALLED = {'"': "phrases", "(": "parentheses", ")": "parentheses"}
_words = partial(_plain, source="this source ranks by words and", lacking=(*_CALLED, *_OPERATORS))


def _dblp(found: list[str]) -> str:
    """Write a query for DBLP: words, and | between alternatives; it has neither phrase nor NOT."""
    text = _plain(found, "DBLP", (*_CALLED, "NOT"))
    return text.replace(" OR ", "|").replace(" AND ", " ")


#: Source -> how a query is written for it.
WRITERS: Mapping[str, Callable[[list[str]], str]] = {
    "arxiv": _arxiv,
    "openalex": partial(_query_text, operators={}),
    "semanticscholar": partial(_query_text, operators={"AND": "+", "OR": "|", "NOT": "-"}),
    "dblp": _dblp,
    "crossref": _words,
    "openreview": _words,
}

#: The source of a search that asks what the entries cite, and what cites them.
CITATIONS = "citations"
#: Sources whose interface takes no dates.
UNDATED = ("openreview", "dblp", CITATIONS)


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


class Search(NamedTuple):
    """One search.

    Attributes
    ----------
    id : str
        Its name: lower-case letters, digits, hyphens.
    source : str
        A source with an interface, or the name of a database whose export is read with ``--from``.
    query : str
        As the protocol has it; empty for citations.
    first, last : str
        Days that bound when a work was first public, as YYYY-MM-DD; empty for none.
    most : int
        So many records are retrieved at most.
    of : str
        Whose citations are followed: ``pool``.
    """

    id: str
    source: str
    query: str = ""
    first: str = ""
    last: str = ""
    most: int = MOST
    of: str = ""

    @property
    def has_interface(self) -> bool:
        """Whether the source can be asked by a program."""
        return self.source in (*WRITERS, CITATIONS)


def read_searches(study: Study) -> dict[str, Search]:
    """Return the declared searches by their name.

    Raises
    ------
    CorpusError
        With every mistake (S101) and every query that its source would read otherwise (S102).
    UsageProblem
        Where the codebook declares no searches.
    """
    if DOCUMENT not in study.documents:
        raise UsageProblem(
            "the codebook declares no searches; `corpus init --living .` in the folder of the "
            "corpus adds searches.toml and the tables that it fills"
        )
    source = study.sources[DOCUMENT]
    document = Section(study.documents[DOCUMENT], (), [], source.file, SEARCH_MISTAKE)
    searches = read_search_list(document)
    if document.findings:
        raise CorpusError(with_lines(document.findings, source.text))
    return searches


def read_search_list(document: Section) -> dict[str, Search]:
    """Read a searches file; mistakes are in the findings of the section."""
    if document.raw("format") != 1:
        document.mistake("format", "must be 1")
    searches: dict[str, Search] = {}
    for section in document.sections("searches"):
        search = _search(section)
        if search.id in searches:
            section.mistake("id", f"duplicate id {search.id!r}")
        searches[search.id] = search
    document.finish()
    return searches


def _search(section: Section) -> Search:
    days = {"first": _day(section, "from"), "last": _day(section, "to")}
    search = section.record(Search, **days)
    if not _IDENTIFIER.fullmatch(search.id):
        section.mistake("id", "must be lower-case letters, digits and hyphens")
    if search.first and search.last and search.first > search.last:
        section.mistake("to", "is before `from`")
    if search.source in UNDATED and (search.first or search.last):
        section.mistake("from", f"{search.source} takes no dates; leave `from` and `to` out")
    if not 1 <= search.most <= 100_000:
        section.mistake("most", "must be from 1 to 100,000")
    is_chase = search.source == CITATIONS
    if bool(search.query) == is_chase:
        problem = "citations have none; leave it out" if is_chase else "is missing"
        section.mistake("query", problem)
    if search.of != ("pool" if is_chase else ""):
        section.mistake("of", 'must be "pool" for citations, and is left out elsewhere')
    if search.source in WRITERS and search.query:
        try:
            query_for(search.source, search.query)
        except QueryProblem as problem:
            finding = QUERY_SYNTAX.at(
                section.file,
                column=f"{section.place}.query",
                value=search.query,
                search=search.id,
                problem=str(problem),
                source=search.source,
            )
            section.findings.append(finding)
    return search


def _day(section: Section, key: str) -> str:
    text = section.scalar(key, "")
    try:
        date.fromisoformat(text or "2000-01-01")
    except ValueError:
        section.mistake(key, "must be a day, as YYYY-MM-DD")
        return ""
    return text
