"""The corpus as the page's script reads it: tables of cells, facets over them, BibTeX by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec, Term, Vocabulary
from corpus.model.identifiers import ADDRESS_JOINT, arxiv_page, doi_page
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import terminal
from corpus.publishing.export.cells import filled
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import Facet, facet_id, facets, left_out

#: Column types whose cells the script may show as links.
_LINKED = frozenset({"arxiv", "doi", "url", "text"})

#: Between the levels of a label that is a path; the script divides it there.
PATH_MARK = " › "
#: What else separates levels in the labels that people write.
_PATH_SEPARATORS = ("/", ">", "::", "\\")

#: What stands before an identifier in its address, by column type; the script has the same.
_RESOLVERS = {"arxiv": arxiv_page(""), "doi": doi_page("")}


def page_data(study: Study, bibtex: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that the script needs, as plain values.

    Parameters
    ----------
    study : Study
        The pool and the tables that refer to it.
    bibtex : mapping of str to str
        Key of an entry -> its BibTeX; empty where there is none to copy.
    """
    book = study.codebook
    tables = [study.pool]
    for table in referring(study, book.pool):
        if table.spec.name not in left_out(book):
            tables.append(table)
    # The page has to stay small: only what some column of these tables needs.
    needed: set[str] = set()
    for table in tables:
        needed.update(column.vocabulary for column in table.spec.columns)
    vocabularies = [(name, book.vocabularies[name]) for name in book.vocabularies if name in needed]
    crosstabs: list[dict[str, str]] = []
    for crosstab in book.crosstabs:
        rows, columns = facet_id(crosstab.rows), facet_id(crosstab.columns)
        crosstabs.append({"id": crosstab.id, "rows": rows, "columns": columns})
    return {
        "entry": book.corpus.get("entry", "entry"),
        "entries": book.corpus.get("entries", "entries"),
        "tables": [_table(table, book) for table in tables],
        "vocabularies": {name: _vocabulary(vocabulary) for name, vocabulary in vocabularies},
        "facets": [_facet(facet, tables) for facet in facets(book)],
        "crosstabs": crosstabs,
        "bibtex": {name: bibtex[name] for name in study.pool.names() if name in bibtex},
    }


def referring(study: Study, target: TableSpec) -> list[Table]:
    """Return the tables with a column that refers to `target`, in declared order."""
    tables = study.tables.values()
    return [table for table in tables if table.spec.reference_to(target) is not None]


def _table(table: Table, book: Codebook) -> dict[str, Any]:
    spec = table.spec
    return {
        "name": spec.name,
        "title": spec.title,
        "role": spec.role,
        "columns": [_column(column) for column in spec.columns],
        "rows": _rows(table, book),
    }


def _rows(table: Table, book: Codebook) -> list[list[Any]]:
    columns = table.spec.columns
    positions: list[dict[str, int]] = []
    for column in columns:
        terms: tuple[str, ...] = ()
        if column.type == "term":
            terms = book.vocabulary_of(column).ids
        positions.append({term: number for number, term in enumerate(terms)})
    rows: list[list[Any]] = []
    for row in table.rows:
        cells = zip(columns, row, positions, strict=True)
        rows.append([_cell(column, cell, known) for column, cell, known in cells])
    return rows


def _column(column: Column) -> dict[str, Any]:
    declared = {
        "role": column.role,
        "vocabulary": column.vocabulary,
        "references": column.references,
        "axis": column.axis,
    }
    always = {"name": column.name, "label": column.label, "type": column.type}
    return always | filled(declared)


def _cell(column: Column, cell: str, positions: Mapping[str, int]) -> Any:
    """Return a cell in few bytes; the script makes texts, links and terms of it.

    Terms are their positions in the vocabulary, one alone without a list. A cell with a link is a
    dict: ``id`` for an identifier whose address follows from the type of the column, ``addresses``
    for addresses and nothing else, ``text`` and ``links`` for anything else.
    """
    if column.type == "term":
        terms = [positions.get(value, terminal(value)) for value in column.values(cell)]
        return terms[0] if len(terms) == 1 else terms
    text = terminal(cell)
    found = links(cell, column.type) if column.type in _LINKED else []
    if not found:
        return text
    shown = [address for address, _ in found]
    if column.type in _RESOLVERS and shown == [_RESOLVERS[column.type] + text]:
        return {"id": text}
    if column.type in ("url", "text") and ADDRESS_JOINT.join(shown) == text:
        return {"addresses": shown}
    return {"text": text, "links": found}


def _vocabulary(vocabulary: Vocabulary) -> dict[str, Any]:
    terms: list[list[str]] = []
    for term in vocabulary.terms:
        shown = [term.id, term.label, term.definition]
        path = _path(term, vocabulary)
        if path != term.label:
            shown.append(path)
        terms.append(shown)
    return {"title": vocabulary.title, "notApplicable": vocabulary.not_applicable, "terms": terms}


def _path(term: Term, vocabulary: Vocabulary) -> str:
    """Return a label that is a path of groups with the mark that the script divides paths at.

    Only the groups tell that ``soil/clay`` is below ``soil``: ``input/output`` is below nothing.
    """
    outer = {group.label for group in vocabulary.groups if term.id in group.terms}
    for separator in _PATH_SEPARATORS:
        parts = [part.strip() for part in term.label.split(separator)]
        if len(parts) > 1 and all(parts) and parts[0] in outer:
            return PATH_MARK.join(parts)
    return term.label


def _facet(facet: Facet, tables: list[Table]) -> dict[str, Any]:
    names = [table.spec.name for table in tables]
    return {
        "id": facet.id,
        "table": names.index(facet.table.name),
        "column": facet.table.position(facet.column.name),
        "label": facet.column.label,
        "vocabulary": facet.column.vocabulary,
    }
