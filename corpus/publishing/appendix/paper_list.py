"""The entries of a corpus as a list to read, by group."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.codebook import Codebook, Column
from corpus.model.entry import Entry
from corpus.model.study import Study
from corpus.printing.escape import markdown, web_address
from corpus.publishing.appendix.pool_table import TableChoice, chosen_rows, group_heading


def paper_list(study: Study) -> str:
    """Return all entries as Markdown.

    Each group has a heading and its definition, each entry a line with its tags below.
    """
    book = study.codebook
    spec = book.pool
    by_key = {work.key: work for work in works(study)}
    group = spec.by_role("group")
    entries = [Entry(spec, row) for row in chosen_rows(study, TableChoice())]
    lines = [f"# {markdown(spec.title)}", ""]
    # The rows are sorted by group, so that the members of one follow each other.
    for cell, members in groupby(entries, key=lambda entry: entry.by_role("group")):
        found = [by_key[entry.key] for entry in members]
        if group and group.type == "term":
            lines += _heading(cell, group, book, len(found))
        for work in found:
            lines += _entry(work, study)
        lines.append("")
    return "\n".join(lines)


def _heading(cell: str, group: Column, book: Codebook, entries: int) -> Iterator[str]:
    vocabulary = book.vocabulary_of(group)
    terms = [vocabulary.term(value) for value in group.values(cell)]
    yield f"## {markdown(group_heading(group, cell, book))} ({entries})"
    yield ""
    if terms:
        yield from (markdown(term.definition) for term in terms)
        yield ""


def _entry(work: CitedWork, study: Study) -> Iterator[str]:
    address = web_address(work.address)
    title = markdown(work.title)
    if address:
        title = f"[{title}]({address})"
    sentences = [f" {part.removesuffix('.')}." for part in _sentences(work) if part]
    yield f"- **{title}**.{''.join(sentences)}"
    notes = [f"`{work.key}`", *_tags(work, study)]
    yield f"  <sub>{' · '.join(notes)}</sub>"


def _sentences(work: CitedWork) -> Iterator[str]:
    """Yield who published a work where and when, then its summary."""
    who = markdown(work.authors[0].family) if work.authors else ""
    if len(work.authors) > 1:
        who += " et al."
    parts = (who, markdown(work.venue), work.year_beside_venue)
    yield ", ".join(part for part in parts if part)
    yield markdown(work.summary)


def _tags(work: CitedWork, study: Study) -> Iterator[str]:
    """Yield the terms of each axis; the group is the heading above."""
    group = study.codebook.pool.by_role("group")
    for axis, terms in work.tags.items():
        if not terms or (group and axis == group.name):
            continue
        column, vocabulary = study.codebook.axis(axis)
        labels = [vocabulary.labels[term] for term in terms]
        yield f"{markdown(column.label)}: {markdown(', '.join(labels))}"
