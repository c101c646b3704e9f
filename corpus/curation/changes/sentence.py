"""Sentences with code and links in them, for a terminal and for Markdown; how they name a paper."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from corpus.curation.changes.changes import Changes
from corpus.model.identifiers import arxiv_page, doi_page, find_arxiv, find_doi, split_addresses
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.model.work import Work
from corpus.printing.escape import markdown, terminal, web_address
from corpus.printing.grid import cut

#: So many authors are named before the others are counted.
_NAMED = 3
#: Only such a text becomes a code span: nothing in it could end the span or mean anything outside,
#: and no space is at an edge or beside another one, where a span does not show it.
_SAFE_CODE = re.compile(r"[A-Za-z0-9_.,/=+-]+(?: [A-Za-z0-9_.,/=+-]+)*", re.ASCII)


class Marked(NamedTuple):
    """A part of a sentence that is not plain text: a link where it has an `address`, else code."""

    text: str
    address: str = ""


#: A key, command or column that Markdown shows as code.
code = Marked

Part = str | Marked
Sentence = tuple[Part, ...]


def plain_text(parts: Iterable[Part]) -> str:
    """Write a sentence without markup; a link is its address. The sink escapes the result."""
    written = []
    for part in parts:
        written.append(part if isinstance(part, str) else part.address or part.text)
    return "".join(written)


def markdown_text(parts: Iterable[Part]) -> str:
    """Write a sentence as Markdown: code and links work, everything else is escaped.

    Examples
    --------
    >>> print(markdown_text(["run ", code("corpus build"), " for *all*"]))
    run `corpus build` for \\*all\\*
    >>> print(markdown_text(["from ", code("Peat "), " to ", code("Peat")]))
    from "Peat " to `Peat`
    """
    return "".join(map(_markdown_part, parts))


def _markdown_part(part: Part) -> str:
    if isinstance(part, str):
        return markdown(part)
    written = markdown(part.text)
    if part.address:
        address = web_address(part.address)
        if not address:
            return written
        # An address in a link is not a mention, but a reader of the source may take it for one.
        target = address.replace("@", "%40").replace("::", "%3A%3A")
        return f"[{written}]({target})"
    if _SAFE_CODE.fullmatch(part.text):
        return f"`{part.text}`"
    if part.text != part.text.strip():
        return f'"{written}"'
    return written


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
    """What a maintainer needs to recognise a paper; what the corpus does not have is left out.

    Attributes
    ----------
    title : str
        As it is in the pool.
    about : tuple
        Authors and year as texts; a link to the paper on arXiv, by its DOI, or where its url column
        leads.
    tags : tuple of (str, str)
        Column and cell of each axis.
    """

    title: str = ""
    about: Sentence = ()
    tags: tuple[tuple[str, str], ...] = ()


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


def _citation(study: Study, entry: LocatedRow) -> Citation:
    cells = entry.by_role
    # A bibliography has the authors and the DOI where the pool has not.
    for table in study.by_role("bibliography"):
        record = table.by_key().get((entry.key,))
        if record is not None:
            described = table.spec.by_role_cells(record)
            for role in ("authors", "doi"):
                cells[role] = cells.get(role) or described.get(role, "")
    work = Work.of(cells)
    authors = "; ".join(work.authors)
    if len(work.authors) > _NAMED:
        authors = f"{work.authors[0]} and {len(work.authors) - 1} others"
    tags = [(name, entry.cell(name)) for name in entry.table.spec.axis_names if entry.cell(name)]
    about = tuple(part for part in (authors, work.year, _link(work)) if part)
    return Citation(work.title, about, tuple(tags))


def _link(work: Work) -> Marked | None:
    """Return the surest link; its text tells where it leads, not what a cell claims."""
    arxiv, doi = find_arxiv(work.arxiv), find_doi(work.doi)
    if arxiv:
        text, address = f"arXiv:{arxiv}", arxiv_page(arxiv)
    elif doi:
        text, address = f"DOI {doi}", doi_page(doi)
    else:
        address = split_addresses(work.url)[0]
        try:
            text = urlsplit(address).netloc.removeprefix("www.")
        except ValueError:
            return None
    safe = web_address(address)
    if not safe:
        return None
    return Marked(text, safe)
