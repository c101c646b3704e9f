"""The entries of a corpus as a list to read, by group."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import markdown, web_address
from corpus.publishing.appendix.pool_table import TableChoice, grouped_rows


def paper_list(study: Study) -> str:
    """Return all entries as Markdown.

    Each group has a heading and its definition, each entry a line with its tags below.
    """
    spec = study.codebook.pool
    by_key = {work.key: work for work in works(study)}
    lines = [f"# {markdown(spec.title)}", ""]
    for heading, rows in grouped_rows(study, TableChoice(full=True)):
        if heading:
            lines += [f"## {markdown(heading)} ({len(rows)})", "", *_definitions(rows[0], study)]
        for key in spec.names_of(rows):
            lines += _entry(by_key[key], study)
        lines.append("")
    return "\n".join(lines)


def _definitions(row: Row, study: Study) -> Iterator[str]:
    """Yield what the terms of the group of a row mean."""
    spec = study.codebook.pool
    group = spec.by_role("group")
    if group is None or group.type != "term" or not row[spec.position(group.name)]:
        return
    vocabulary = study.codebook.vocabulary_of(group)
    for value in group.values(row[spec.position(group.name)]):
        yield markdown(vocabulary.term(value).definition)
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
