"""Sentences with code and links in them, for a terminal and for Markdown; how they name a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from corpus.curation.changes.changes import Changes
from corpus.model.identifiers import arxiv_page, doi_page, find_arxiv, find_doi, split_addresses
from corpus.model.study import Study
from corpus.model.table import Entry
from corpus.printing.escape import markdown, terminal, web_address
from corpus.printing.grid import cut

#: So many authors are named before the others are counted.
_NAMED = 3
#: Only such a text becomes a code span: nothing in it could end the span or mean anything outside,
#: and no space is at an edge or beside another one, where a span does not show it.
_SAFE_CODE = re.compile(r"[A-Za-z0-9_.,/=+-]+(?: [A-Za-z0-9_.,/=+-]+)*", re.ASCII)


class SentencePart(NamedTuple):
    """A part of a sentence: plain text, `code`, or a link where it has an `address`."""

    text: str
    code: bool = False
    address: str = ""


Sentence = tuple[SentencePart, ...]


def sentence(*parts: str | SentencePart) -> Sentence:
    """Return a sentence; strings become plain text."""
    found: list[SentencePart] = []
    for part in parts:
        if isinstance(part, str):
            found.append(SentencePart(part))
        else:
            found.append(part)
    return tuple(found)


def code(text: str) -> SentencePart:
    """Return a key, command or column that Markdown shows as code."""
    return SentencePart(text, code=True)


def plain_text(parts: Iterable[SentencePart]) -> str:
    """Write a sentence without markup; a link is its address. The sink escapes the result."""
    return "".join(part.address or part.text for part in parts)


def markdown_text(parts: Iterable[SentencePart]) -> str:
    """Write a sentence as Markdown: code and links work, everything else is escaped.

    Examples
    --------
    >>> print(markdown_text(sentence("run ", code("corpus build"), " for *all*")))
    run `corpus build` for \\*all\\*
    >>> print(markdown_text(sentence("from ", code("Peat "), " to ", code("Peat"))))
    from "Peat " to `Peat`
    """
    written = []
    for part in parts:
        if part.address:
            written.append(_markdown_link(part))
        elif part.code and _SAFE_CODE.fullmatch(part.text):
            written.append(f"`{part.text}`")
        elif part.code and part.text != part.text.strip():
            written.append(f'"{markdown(part.text)}"')
        else:
            written.append(markdown(part.text))
    return "".join(written)


def _markdown_link(part: SentencePart) -> str:
    address = web_address(part.address)
    if not address:
        return markdown(part.text)
    # An address in a link is not a mention, but a reader of the source may take it for one.
    target = address.replace("@", "%40").replace("::", "%3A%3A")
    return f"[{markdown(part.text)}]({target})"


def shortened(before: str, after: str, length: int) -> tuple[str, str]:
    """Return two values that differ, long ones cut so that the first difference is seen.

    Examples
    --------
    >>> shortened("a" * 90 + "b", "a" * 90 + "c", 20)
    ('…aaaaaaaab', '…aaaaaaaac')
    >>> shortened("a ", "a", 20)
    ('"a "', '"a"')
    """
    # Tables in Markdown and HTML show line breaks and tabs as spaces, and no space at an edge.
    old, new = terminal(before), terminal(after)
    if old != old.strip() or new != new.strip():
        old, new = f'"{old}"', f'"{new}"'
    if max(len(old), len(new)) > length:
        start = max(0, common_start(old, new) - 8)
        if start:
            old, new = "…" + old[start:], "…" + new[start:]
    return cut(old, length) or "empty", cut(new, length) or "empty"


def common_start(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many characters, or other items, two sequences begin with in common."""
    for position, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return position
    return min(len(old), len(new))


class Citation(NamedTuple):
    """What a maintainer needs to recognise a paper.

    Attributes
    ----------
    title, authors, year : str
        Empty where the corpus does not have them.
    link : SentencePart or None
        The paper on arXiv, by its DOI, or where its url column leads.
    tags : tuple of (str, str)
        Column and cell of each axis.
    """

    title: str
    authors: str
    year: str
    link: SentencePart | None
    tags: tuple[tuple[str, str], ...]

    def parts(self) -> Iterator[str | SentencePart]:
        """Yield the title with authors, year and link in brackets."""
        yield f"“{self.title}”"
        inside: list[str | SentencePart] = []
        for part in (self.authors, self.year, self.link):
            if part:
                inside.append(part)
        separator = " ("
        for item in inside:
            yield separator
            yield item
            separator = ", "
        if inside:
            yield ")"


def citations(changes: Changes, before: Study, after: Study) -> dict[str, Citation]:
    """Return the citation of each pool entry that differs, by its key."""
    found = {}
    pool = after.codebook.pool.name
    for row in changes.rows:
        if row.table != pool:
            continue
        for study in (after, before):
            if study.codebook.pool.name in study.tables and row.key in study.entries:
                found[row.key] = _citation(study, study.entries[row.key])
                break
    return found


def _citation(study: Study, entry: Entry) -> Citation:
    # A bibliography has the authors and the DOI where the pool has not.
    authors, doi = entry.by_role("authors"), entry.by_role("doi")
    for table in study.by_role("bibliography"):
        record = table.by_key().get((entry.key,))
        if record is None:
            continue
        described = Entry(table.spec, record)
        authors = authors or described.by_role("authors")
        doi = doi or described.by_role("doi")
    tags = []
    for column, cell in entry.cells():
        if column.axis and cell:
            tags.append((column.name, cell))
    return Citation(
        entry.by_role("title"),
        _shortened(authors or entry.by_role("first_author")),
        entry.by_role("year"),
        _link(entry.by_role("arxiv"), doi, entry.by_role("url")),
        tuple(tags),
    )


def _shortened(authors: str) -> str:
    names = [name.strip() for name in authors.split(";") if name.strip()]
    if len(names) <= _NAMED:
        return "; ".join(names)
    return f"{names[0]} and {len(names) - 1} others"


def _link(arxiv: str, doi: str, url: str) -> SentencePart | None:
    """Return the surest link; its text tells where it leads, not what a cell claims."""
    known_arxiv, known_doi = find_arxiv(arxiv), find_doi(doi)
    if known_arxiv:
        return _checked(f"arXiv:{known_arxiv}", arxiv_page(known_arxiv))
    if known_doi:
        return _checked(f"DOI {known_doi}", doi_page(known_doi))
    address = split_addresses(url)[0]
    try:
        host = urlsplit(address).netloc
    except ValueError:
        return None
    return _checked(host.removeprefix("www."), address)


def _checked(text: str, address: str) -> SentencePart | None:
    safe = web_address(address)
    if not safe:
        return None
    return SentencePart(text, address=safe)
