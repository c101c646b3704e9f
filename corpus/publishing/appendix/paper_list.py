"""The entries of a corpus as a list to read, by group."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.appendix.pool_table import TableChoice, grouped_rows


def paper_list(study: Study) -> str:
    """Return all entries as Markdown.

    Each group has a heading and its definition, each entry a line with its tags below.
    """
    spec = study.codebook.pool
    by_key = {work.key: work for work in works(study)}
    groups = []
    for heading, rows in grouped_rows(study, TableChoice(full=True)):
        listed = []
        for work in (by_key[key] for key in spec.names_of(rows)):
            listed.append((work, _published(work), list(_tags(work, study))))
        groups.append((heading, list(_definitions(rows[0], study)), listed))
    template = environment("md", "corpus.publishing.appendix").get_template("papers.md.j2")
    made = template.render(title=spec.title, groups=groups, safe=web_address)
    return made.rstrip("\n") + "\n"


def _definitions(row: Row, study: Study) -> Iterator[str]:
    """Yield what the terms of the group of a row mean."""
    spec = study.codebook.pool
    group = spec.by_role("group")
    if group is not None and group.type == "term":
        vocabulary = study.codebook.vocabulary_of(group)
        for value in group.values(row[spec.position(group.name)]):
            yield vocabulary.term(value).definition


def _published(work: CitedWork) -> str:
    """Return who published a work where and when."""
    who = ""
    if work.authors:
        who = work.authors[0].family
    if len(work.authors) > 1:
        who += " et al."
    return ", ".join(filter(None, (who, work.venue, work.year_beside_venue)))


def _tags(work: CitedWork, study: Study) -> Iterator[tuple[str, str]]:
    """Yield the label and the terms of each axis; the group is the heading above."""
    for axis, terms in work.tags.items():
        column, vocabulary = study.codebook.axis(axis)
        if terms and column.role != "group":
            yield column.label, ", ".join(vocabulary.labels[term] for term in terms)
