"""The corpus as the page's script reads it: tables of cells, facets over them, the timeline."""

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.analysis.bibliography.works import works
from corpus.analysis.claims.named import grounds
from corpus.model.codebook import Column, Vocabulary
from corpus.model.dates import (
    BEFORE,
    UNDATED,
    PartialDate,
    month_name,
    month_number,
    months_between,
    place,
)
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import terminal
from corpus.publishing.export.bibliography import bibtex_entry
from corpus.publishing.export.cells import filled
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import facet_id, facets, left_out, page_settings, shown_tables


def page_data(study: Study) -> dict[str, Any]:
    """Return everything that the script needs of the pool and the tables that refer to it."""
    book = study.codebook
    names = [book.pool.name, *(spec.name for spec in shown_tables(book))]
    hidden = left_out(book)
    # Evidence about no entry is shown as well, but filters nothing.
    for table in (*study.by_role("evidence"), *study.by_role("audit")):
        if table.spec.name not in (*names, *hidden):
            names.append(table.spec.name)
    tables = list(map(study.tables.__getitem__, names))
    # The page has to stay small: only what some column of these tables needs.
    needed: set[str] = set()
    for table in tables:
        needed.update(column.vocabulary for column in table.spec.columns)
    crosstabs = [
        {"id": crosstab.id, "rows": facet_id(crosstab.rows), "columns": facet_id(crosstab.columns)}
        for crosstab in book.crosstabs
    ]
    offered = [
        {
            "id": name,
            "table": names.index(spec.name),
            "column": spec.position(column.name),
            "label": column.label,
            "vocabulary": column.vocabulary,
        }
        for name, (spec, column) in facets(book).items()
    ]
    impossible = [
        {
            "cells": {facet_id(axis): terms for axis, terms in rule.cells.items()},
            "reason": rule.reason,
        }
        for rule in book.impossible
    ]
    questions = [
        {"table": ground.table, "question": ground.question, "where": ground.cell}
        for ground in grounds(study)
    ]
    cited = works(study)
    public = [work.public for work in cited]
    return {
        **months(public, book.corpus["cutoff"], page_settings(book).months),
        "entry": book.corpus["entry"],
        "entries": book.corpus["entries"],
        "tables": list(map(_page_table, tables)),
        "vocabularies": {
            v.id: _page_vocabulary(v) for v in book.vocabularies.values() if v.id in needed
        },
        "facets": offered,
        "crosstabs": crosstabs,
        "impossible": impossible,
        "questions": questions,
        "nearMisses": list(_near_misses(study)),
        "bibtex": {work.key: bibtex_entry(work) for work in cited},
    }


def _near_misses(study: Study) -> Iterator[dict[str, Any]]:
    """Yield each excluded record that a broader rule would keep, with the terms it would carry."""
    axes = study.codebook.pool.axis_names
    for table in study.by_role("near_misses"):
        for log in study.by_role("exclusions"):
            reference = table.spec.reference_to(log.spec)
            title = log.spec.by_role("title")
            if reference is None or title is None:
                continue
            titles = dict(zip(log.names(), log.column(title.name), strict=True))
            for record in table.records():
                terms = {}
                for column in table.spec.term_columns:
                    if column.role in axes:
                        terms[facet_id(column.role)] = column.values(record[column.name])
                shown = terminal(titles.get(record[reference.name], ""))
                yield {"table": f"table-{log.spec.name}", "title": shown, "terms": terms}


def _page_table(table: Table) -> dict[str, Any]:
    spec = table.spec
    columns = []
    for column in spec.columns:
        described = {
            "role": column.role,
            "vocabulary": column.vocabulary,
            "references": column.references,
            "axis": column.axis,
        }
        always = {"name": column.name, "label": column.label, "type": column.type}
        columns.append(always | filled(described))
    rows = [list(map(_cell, spec.columns, row)) for row in table.rows]
    about = {"name": spec.name, "title": spec.title, "role": spec.role}
    return {**about, "columns": columns, "rows": rows}


def _cell(column: Column, cell: str) -> Any:
    """Return a cell as the script shows it: a text, a list of terms, or a text with its links."""
    if column.type == "term":
        return list(map(terminal, column.values(cell)))
    text = terminal(cell)
    found = links(cell, column.type)
    return {"text": text, "links": found} if found else text


def _page_vocabulary(vocabulary: Vocabulary) -> dict[str, Any]:
    terms = [[term.id, term.label, term.definition] for term in vocabulary.terms]
    return {"title": vocabulary.title, "notApplicable": vocabulary.not_applicable, "terms": terms}


def months(
    public: Sequence[PartialDate | None], cutoff: str, number: int
) -> dict[str, Sequence[str]]:
    """Put every entry into a bar of the timeline, by the month in which it was first public.

    ``bars`` are in order: a month (``2025-08``), ``before-2024-12`` for everything older than the
    first month, or ``undated``. ``barOf`` and ``dates`` have one text for each entry; a date is as
    exact as it is known, empty where it is not.

    Parameters
    ----------
    public : sequence of PartialDate or None
        When each entry was first public.
    cutoff : str
        Its month is the last bar, unless an entry is younger; may be empty.
    number : int
        How many months have a bar each; fewer where all entries are younger.

    Examples
    --------
    >>> from corpus.model.dates import parse_date
    >>> dates = [parse_date("2024-03"), parse_date("1999"), None, parse_date("2024-01-31")]
    >>> found = months(dates, "2024-04-02", 3)
    >>> found["bars"]
    ['before-2024-02', '2024-02', '2024-03', '2024-04', 'undated']
    >>> found["barOf"]
    ['2024-03', 'before-2024-02', 'undated', 'before-2024-02']
    >>> found["dates"]
    ['2024-03', '1999', '', '2024-01-31']
    """
    dates = [date.text if date else "" for date in public]
    known = sorted(date.month for date in public if date and date.month)
    if not known:
        return {"bars": [], "barOf": [UNDATED] * len(dates), "dates": dates}
    last = max(known[-1], cutoff[: len("YYYY-MM")])
    first = max(month_name(month_number(last) - number + 1), known[0])
    before = f"before-{first}"
    bar_of = []
    for date in public:
        bar = UNDATED
        if date and place(date.text, first, last) == BEFORE:
            bar = before
        elif date and date.month:
            # A year names no bar, wherever it lies.
            bar = date.month
        bar_of.append(bar)
    bars = [before, *months_between(first, last), UNDATED]
    shown = [bar for bar in bars if bar not in (before, UNDATED) or bar in bar_of]
    return {"bars": shown, "barOf": bar_of, "dates": dates}
