"""BibTeX files, and the ACL Anthology, which gives one for each of its papers.

Pybtex reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from pybtex.database import Entry, Person, PybtexError
from pybtex.database.input.bibtex import Parser
from pylatexenc.latex2text import LatexNodes2Text

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.candidate import Candidate, clean, exact_date, person
from corpus.curation.lookup.string_macros import StringMacros
from corpus.curation.lookup.transport import Opener, Service, fetch
from corpus.model.finding import CorpusError
from corpus.model.identifiers import find_arxiv, find_doi

ANTHOLOGY = Service("ACL Anthology", frozenset({"aclanthology.org"}))
MAX_CHARACTERS = 5_000_000
#: No entry of the real world nests braces deeper; a parser that recurses would fail on thousands.
MAX_DEPTH = 50
_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*(?P<brace>[{(])")
_BRACE = re.compile(r"[{})]")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}[ \t]*=\s*[{\"]")
_DEPTH = {"{": 1, "}": -1, ")": 0}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def from_anthology(identifier: str, opener: Opener | None = None) -> Candidate:
    """Ask the ACL Anthology for the BibTeX entry of a paper, by its identifier."""
    url = f"https://aclanthology.org/{quote(identifier)}.bib"
    found = parse_bibtex(fetch(url, ANTHOLOGY, "text/plain", opener), ANTHOLOGY.name)
    if len(found) != 1:
        problem = f"it holds {len(found)} entries"
        finding = rules.BAD_ANSWER.at(identifier, service=ANTHOLOGY.name, problem=problem)
        raise CorpusError([finding])
    return found[0]._replace(url=f"https://aclanthology.org/{identifier}/", source=ANTHOLOGY.name)


def parse_bibtex(data: bytes, shown: str) -> list[Candidate]:
    """Read every entry of a BibTeX file.

    Parameters
    ----------
    data : bytes
        The file.
    shown : str
        Its name in findings.

    Raises
    ------
    CorpusError
        Where the file is too large or too deep, or an entry cannot be read (C710, with the line).
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error counts from behind a byte order mark, in what it was given.
        line = error.object.count(b"\n", 0, error.start) + 1
        raise _bad(shown, "this is not UTF-8", line) from None
    _guard(text, shown)
    parser = Parser(encoding="utf-8")
    parser.macros = StringMacros()
    try:
        entries = parser.parse_string(text).entries
    except PybtexError as error:
        raise _bad(shown, clean(str(error), 200), getattr(error, "lineno", None) or 0) from None
    for line, words in stray_fields(text):
        problem = f"{clean(words, 60)!r} is outside every entry; check its @ and braces"
        raise _bad(shown, problem, line)
    if not entries:
        raise _bad(shown, "there is no entry in it")
    return [_candidate(entry, shown) for entry in entries.values()]


def stray_fields(text: str, before: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the line and the first words of every stretch between entries that holds a field.

    A lost ``@`` or brace leaves such text behind; BibTeX itself takes it for a remark and drops it
    silently. `before` is the number of lines before the text.

    Examples
    --------
    >>> list(stray_fields('@misc{a, title={A}}\\n\\nmisc{b, title={B}}'))
    [(3, 'title={')]
    """
    at = counted = 0
    line = before + 1
    while True:
        head = _HEAD.search(text, at)
        end = len(text)
        if head:
            end = head.start()
        field = _stray_field(text, at, end)
        if field:
            line += text.count("\n", counted, field.start())
            counted = field.start()
            yield line, " ".join(field.group().split())
        if head is None:
            return
        at = _end(text, head)


def first_entry_end(text: str) -> int:
    """Return where the first entry of a text ends: behind its closing brace, or at the end."""
    head = _HEAD.search(text)
    if head is None:
        return len(text)
    return _end(text, head)


def _stray_field(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first field between entries that is not on a line of remarks."""
    for field in _FIELD.finditer(text, start, end):
        start_of_line = text.rfind("\n", 0, field.start()) + 1
        before = text[start_of_line : field.start()]
        if not before.lstrip().startswith("%"):
            return field
    return None


def _end(text: str, head: re.Match[str]) -> int:
    """Where an entry ends: behind the brace that closes it, or at the end of the text."""
    # BibTeX knows @misc{...} and @misc(...); a bracket closes the latter outside all braces.
    closing, depth = ")", 0
    if head["brace"] == "{":
        closing, depth = "}", 1
    for brace in _BRACE.finditer(text, head.end()):
        depth += _DEPTH[brace.group()]
        if depth <= 0 and brace.group() == closing:
            return brace.end()
    return len(text)


def _guard(text: str, shown: str) -> None:
    """Refuse what is too large or nested too deeply, before a parser sees it."""
    if len(text) > MAX_CHARACTERS:
        raise _bad(shown, f"it has more than {MAX_CHARACTERS // 1_000_000} million characters")
    depth = 0
    for brace in _BRACE.finditer(text):
        depth += _DEPTH[brace.group()]
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, brace.start()) + 1
            raise _bad(shown, f"braces are nested more than {MAX_DEPTH} deep", line)


def _bad(shown: str, problem: str, line: int = 0) -> CorpusError:
    return CorpusError([rules.BAD_BIBTEX.at(shown, line, problem=problem)])


def _candidate(entry: Entry, shown: str) -> Candidate:
    fields = {str(name).lower(): str(value) for name, value in entry.fields.items()}
    title = _text(fields.get("title", ""))
    if not title:
        raise _bad(shown, f"entry {clean(str(entry.key), 60)!r} has no title")
    doi = find_doi(fields.get("doi", "")) or ""
    people = []
    for person_ in entry.persons.get("author", ()):
        name = _name(person_)
        # "and others" ends a list that goes on.
        if name and name != "others":
            people.append(name)
    arxiv = _arxiv(fields)
    url = clean(fields.get("url", ""))
    if not url.startswith(("https://", "http://")):
        url = _address(doi, arxiv)
    date = _date(fields)
    evidence = ""
    if date:
        evidence = "BibTeX entry"
    venue = _venue(fields)
    if not venue and arxiv:
        venue = "arXiv"
    return Candidate(
        source="BibTeX",
        title=title,
        authors=tuple(people),
        year=date[:4],
        venue=venue,
        arxiv=arxiv,
        doi=doi,
        url=url,
        first_public=date,
        evidence=evidence,
    )


def _arxiv(fields: Mapping[str, str]) -> str:
    for name in ("eprint", "url", "doi", "journal"):
        found = find_arxiv(fields.get(name, ""))
        if found:
            return found
    return ""


def _address(doi: str, arxiv: str) -> str:
    """Return the address that an identifier has."""
    if doi:
        return f"https://doi.org/{doi}"
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    return ""


def _venue(fields: Mapping[str, str]) -> str:
    for name in ("booktitle", "journal", "howpublished", "institution"):
        if fields.get(name):
            return _text(fields[name])
    return ""


def _text(latex: str) -> str:
    """Turn LaTeX into plain text."""
    return clean(LatexNodes2Text(math_mode="verbatim").latex_to_text(latex))


def _name(name: Person) -> str:
    family = " ".join([*name.prelast_names, *name.last_names, *name.lineage_names])
    given = " ".join([*name.first_names, *name.middle_names])
    return person(_text(family), _text(given))


def _date(fields: Mapping[str, str]) -> str:
    """Return the date as exact as ``date``, or ``year`` and ``month``, give it."""
    # What follows, such as the end of a range, is left out.
    match = re.match(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?", fields.get("date", ""))
    if match:
        return exact_date([int(part) for part in match[0].split("-")])
    year = re.fullmatch(r"\{?([0-9]{4})\}?", fields.get("year", "").strip())
    if not year:
        return ""
    numbers = [int(year[1])]
    month = fields.get("month", "").strip("{} ").lower()
    if month[:3] in _MONTHS:
        numbers.append(_MONTHS.index(month[:3]) + 1)
    elif re.fullmatch(r"[0-9]{1,2}", month):
        numbers.append(int(month))
    return exact_date(numbers)
