"""What templates write: a list of the entries in Markdown or as an Atom feed."""

import re
from collections import Counter
from functools import partial
from operator import itemgetter
from uuid import NAMESPACE_URL, uuid5

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.analysis.history.added import added_days
from corpus.model.codebook import Term
from corpus.model.identifiers import arxiv_page, doi_page
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.publication import day_of, deposit, last_day, license_of

_PACKAGE = "corpus.publishing.export"
_DOT_END = (".", "!", "?")
#: The date of what has none; a feed requires one.
_UNKNOWN = "1970-01-01"


def awesome(study: Study) -> str:
    """Return a Markdown list, grouped by the column of role ``group``, else by the first axis.

    Terms are in the order of the codebook, entries in that of the pool; one with several terms is
    below each of them. Groups without entries are left out. `corpus init` reads such a list.
    """
    about, pool = study.codebook.corpus, study.codebook.pool
    column = pool.by_role("group")
    if column is None or column.type != "term":
        column = next(iter(pool.axes), None)
    terms: tuple[Term, ...] = ()
    rest = "Entries"
    if column is not None:
        terms, rest = study.codebook.vocabulary_of(column).terms, "Without a group"
    listed: dict[str, list[CitedWork]] = {}
    for work in works(study):
        carried: tuple[str, ...] = ()
        if column is not None:
            carried = study.entries[work.key].terms(column.name)
        for name in carried or ("",):
            listed.setdefault(name, []).append(work)
    anchors: Counter[str] = Counter()
    sections = []
    for term in (*terms, Term("", rest, "", "")):
        if term.id not in listed:
            continue
        title = one_line(term.label or term.id)
        # As GitHub makes them: other marks go, each space becomes a hyphen, hyphens are not joined.
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        anchors[anchor] += 1
        if anchors[anchor] > 1:  # a repeated one has a number
            anchor = f"{anchor}-{anchors[anchor] - 1}"
        sections.append((title, anchor, term.definition, listed[term.id]))
    template = environment("md", _PACKAGE).get_template("awesome.md.j2")
    return template.render(
        title=about["title"] or about["id"] or "corpus",
        description=about["description"],
        homepage=web_address(about["homepage"]),
        sections=sections,
        line=one_line,
        address=_address,
        about=about_work,
    )


def about_work(work: CitedWork) -> str:
    """Return authors, venue and year of a work as a sentence; empty where none is known."""
    # An incomplete list of authors must not look like a complete one.
    by = ", ".join(name.family for name in work.authors[:3])
    if by and (len(work.authors) > 3 or not work.complete):
        by = f"{work.authors[0].family} et al."
    about = one_line(", ".join(filter(None, (by, work.venue, work.year_beside_venue))))
    if about and not about.endswith(_DOT_END):
        about += "."
    return about


def _address(work: CitedWork) -> str:
    """Return where to read a work, safe in every output: its first address, its DOI, arXiv."""
    arxiv, doi = work.arxiv and arxiv_page(work.arxiv), work.doi and doi_page(work.doi)
    return web_address(work.address or doi or arxiv)


def atom(study: Study) -> str:
    """Return an Atom feed of what was added, newest first: entries, and works to be decided about.

    A work has the day on which it was added, see
    :func:`~corpus.analysis.history.added.added_days`, or that of its first publication where
    nothing tells that day. Its identifier is made of its key and the corpus, so an edit does not
    make it new.
    """
    about = study.codebook.corpus
    name = about["id"] or "corpus"
    days = added_days(study)
    items: list[tuple[str, str, tuple[object, ...]]] = []
    for work in works(study):
        names = [name.full_name for name in work.authors]
        told = (work.title or work.key, names, _address(work), work.keywords, work.summary)
        items.append((days[work.key] or day_of(work) or _UNKNOWN, work.key, told))
    for table in study.by_role("candidates"):
        for row in table.placed():
            found = Work.of_row(table, row.row)
            title, address = found.title or row.key, web_address(found.address)
            item = (title, found.authors, address, ("to be decided",), found.abstract)
            items.append((row.by_role.get("date") or _UNKNOWN, row.key, item))
    items.sort(key=itemgetter(0, 1), reverse=True)
    named = license_of(study.codebook)
    template = environment("html", _PACKAGE).get_template("feed.atom.j2")
    return template.render(
        line=one_line,
        title=about["title"] or name,
        subtitle=about["description"],
        identifier=partial(uuid5, NAMESPACE_URL),
        place=f"{about['homepage']}#{name}/",
        updated=max([last_day(study), *[day for day, _, _ in items]]) or _UNKNOWN,
        creators=deposit(study.codebook).creators,
        homepage=web_address(about["homepage"]),
        rights=named.name or named.id,
        items=items,
    )
