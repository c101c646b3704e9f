"""The entries of a corpus as a list to read, by group."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.study import Study
from corpus.printing.escape import markdown, web_address
from corpus.publishing.appendix.pool_table import TableChoice, chosen_rows
from corpus.publishing.figures.frame import NOT_GIVEN


def paper_list(corpus: Study) -> str:
    """Return all entries as Markdown: a heading and definition for each group, a line with its tags for each entry."""
    book, spec = corpus.codebook, corpus.codebook.pool
    by_key = {work.key: work for work in works(corpus)}
    group = spec.by_role("group")
    position = spec.position(group.name) if group else 0
    lines = [f"# {markdown(spec.title)}", ""]
    rows = chosen_rows(corpus, TableChoice())
    for term, held in groupby(rows, key=lambda row: row[position] if group else ""):
        found = [by_key["-".join(corpus.pool.key_of(row))] for row in held]
        if group and group.type == "term":
            terms = [book.vocabulary_of(group).term(value) for value in group.values(term)]
            heading = ", ".join(t.label for t in terms) or NOT_GIVEN
            lines += [f"## {markdown(heading)} ({len(found)})", ""]
            lines += [*(markdown(t.definition) for t in terms), ""] if terms else []
        lines += _lines(found, corpus)
        lines.append("")
    return "\n".join(lines)


def _lines(found: Iterable[CitedWork], corpus: Study) -> Iterable[str]:
    group = corpus.codebook.pool.by_role("group")
    for work in found:
        address = web_address(work.urls[0]) if work.urls else ""
        title = f"[{markdown(work.title)}]({address})" if address else markdown(work.title)
        names = markdown(work.authors[0].family) if work.authors else ""
        more = " et al." if len(work.authors) > 1 else ""
        year = "" if work.year in work.venue else work.year
        where = ", ".join(part for part in (names + more, markdown(work.venue), year) if part)
        said = "".join(f" {part.removesuffix('.')}." for part in (where, markdown(work.summary)) if part)
        tags = [_tag(corpus, axis, terms) for axis, terms in work.tags.items() if not group or axis != group.name]
        yield f"- **{title}**.{said}"
        yield f"  <sub>{' · '.join([f'`{work.key}`', *filter(None, tags)])}</sub>"


def _tag(corpus: Study, axis: str, terms: tuple[str, ...]) -> str:
    column, vocabulary = corpus.codebook.axis(axis)
    labels = ", ".join(vocabulary.term(term).label for term in terms)
    return f"{markdown(column.label)}: {markdown(labels)}" if labels else ""
