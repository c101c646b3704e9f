"""The corpus as the page's script reads it: tables of cells, facets over them, BibTeX by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import terminal
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import left_out

#: Names in the address of a view that mean something else than an axis.
RESERVED = frozenset({"q", "key", "sort", "month", "excluded", "stage"})

#: Column types whose cells the script may show as links.
_LINKED = frozenset({"arxiv", "doi", "url", "text"})


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
    needed = {column.vocabulary for table in tables for column in table.spec.columns}
    vocabularies = [(name, book.vocabularies[name]) for name in book.vocabularies if name in needed]
    crosstabs: list[dict[str, str]] = []
    for crosstab in book.crosstabs:
        rows, columns = facet_id(crosstab.rows), facet_id(crosstab.columns)
        crosstabs.append({"id": crosstab.id, "rows": rows, "columns": columns})
    names = study.pool.names()
    return {
        "entry": book.corpus.get("entry", "entry"),
        "entries": book.corpus.get("entries", "entries"),
        "tables": [_table(table) for table in tables],
        "vocabularies": {name: _vocabulary(vocabulary) for name, vocabulary in vocabularies},
        "facets": list(_facets(book, [table.spec for table in tables])),
        "crosstabs": crosstabs,
        "bibtex": {name: bibtex[name] for name in names if name in bibtex},
    }


def referring(study: Study, target: TableSpec) -> list[Table]:
    """Return the tables with a column that refers to `target`, in declared order."""
    tables = study.tables.values()
    return [table for table in tables if table.spec.reference_to(target) is not None]


def facet_id(axis: str) -> str:
    """Return the name of an axis in the address of a view."""
    return f"axis.{axis}" if axis in RESERVED else axis


def _table(table: Table) -> dict[str, Any]:
    spec = table.spec
    rows: list[list[Any]] = []
    for row in table.rows:
        rows.append([_cell(column, cell) for column, cell in zip(spec.columns, row, strict=True)])
    return {
        "name": spec.name,
        "title": spec.title,
        "role": spec.role,
        "columns": [_column(column) for column in spec.columns],
        "rows": rows,
    }


def _column(column: Column) -> dict[str, Any]:
    declared = {
        "role": column.role,
        "vocabulary": column.vocabulary,
        "references": column.references,
        "axis": column.axis,
    }
    always = {"name": column.name, "label": column.label, "type": column.type}
    return always | {name: value for name, value in declared.items() if value}


def _cell(column: Column, cell: str) -> Any:
    """Return a cell as text; terms as a list; addresses alone, or with text, where it is a link."""
    if column.type == "term":
        return [terminal(value) for value in column.values(cell)]
    text = terminal(cell)
    found = links(cell, column.type) if column.type in _LINKED else []
    if not found:
        return text
    shown = [address for address, _ in found]
    if column.type in ("url", "text") and " ; ".join(shown) == text:
        # The script makes text and links of them; most cells of a pool with a link are such.
        return {"addresses": shown}
    return {"text": text, "links": found}


def _vocabulary(vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "title": vocabulary.title,
        "notApplicable": vocabulary.not_applicable,
        "terms": [[term.id, term.label, term.definition] for term in vocabulary.terms],
    }


def _facets(book: Codebook, specs: list[TableSpec]) -> Iterator[dict[str, Any]]:
    """Yield the filters: the axes of the pool, then what tables of evidence add to them."""
    pool, *others = specs
    for column in pool.axes:
        yield _facet(facet_id(column.name), 0, pool.position(column.name), column)
    covered = {column.vocabulary for column in pool.axes}
    for number, spec in enumerate(others, 1):
        if spec.role != "evidence":
            continue
        for position, column, vocabulary in book.term_columns(spec):
            if vocabulary.id not in covered:
                yield _facet(f"{spec.name}.{column.name}", number, position, column)


def _facet(name: str, table: int, column: int, declared: Column) -> dict[str, Any]:
    return {
        "id": name,
        "table": table,
        "column": column,
        "label": declared.label,
        "vocabulary": declared.vocabulary,
    }
