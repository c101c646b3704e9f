"""An Atom feed of what is new."""

from functools import partial
from operator import itemgetter
from uuid import NAMESPACE_URL, uuid5

from corpus.analysis.bibliography.works import works
from corpus.analysis.history.added import added_days
from corpus.model.identifiers import arxiv_page, doi_page
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.publication import day_of, deposit, last_day

#: The date of what has none; a feed requires one.
_UNKNOWN = "1970-01-01"


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
        arxiv, doi = work.arxiv and arxiv_page(work.arxiv), work.doi and doi_page(work.doi)
        address = web_address(work.address or doi or arxiv)
        told = (work.title or work.key, names, address, work.keywords, work.summary)
        items.append((days[work.key] or day_of(work) or _UNKNOWN, work.key, told))
    for table in study.by_role("candidates"):
        for row in table.placed():
            found = Work.of_row(table, row.row)
            title, address = found.title or row.key, web_address(found.address)
            item = (title, found.authors, address, ("to be decided",), found.abstract)
            items.append((row.by_role.get("date") or _UNKNOWN, row.key, item))
    items.sort(key=itemgetter(0, 1), reverse=True)
    template = environment("html", "corpus.publishing.export").get_template("feed.atom.j2")
    return template.render(
        line=one_line,
        title=about["title"] or name,
        subtitle=about["description"],
        identifier=partial(uuid5, NAMESPACE_URL),
        place=f"{about['homepage']}#{name}/",
        updated=max([last_day(study), *[day for day, _, _ in items]]) or _UNKNOWN,
        creators=deposit(study.codebook).creators,
        homepage=web_address(about["homepage"]),
        rights=about["license"],
        items=items,
    )
