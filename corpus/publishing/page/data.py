"""The corpus as the page's script reads it: tables of cells, the facets over them, and BibTeX by key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import terminal
from corpus.publishing.page.links import links

#: Names in the address of a view that mean something else than an axis.
RESERVED = frozenset({"q", "key", "sort", "month", "excluded", "stage"})
#: Column types whose cells the script may show as links.
_LINKED = frozenset({"arxiv", "doi", "url", "text"})


def page_data(corpus: Study, bibtex: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that the script needs, as plain values.

    Parameters
    ----------
    corpus : Study
        The pool and the tables that refer to it.
    bibtex : mapping of str to str
        Key of an entry -> its BibTeX; empty where there is none to copy.
    """
    book = corpus.codebook
    tables = [corpus.pool, *referring(corpus, book.pool)]
    return {
        "entry": book.corpus.get("entry", "entry"),
        "entries": book.corpus.get("entries", "entries"),
        "tables": [_table(table) for table in tables],
        "vocabularies": {name: _vocabulary(vocabulary) for name, vocabulary in book.vocabularies.items()},
        "facets": _facets(book, [table.spec for table in tables]),
        "crosstabs": [{"id": c.id, "rows": facet_id(c.rows), "columns": facet_id(c.columns)} for c in book.crosstabs],
        "bibtex": {key: bibtex[key] for key in _keys(corpus) if key in bibtex},
    }


def referring(corpus: Study, target: TableSpec) -> list[Table]:
    """Return the tables with a column that refers to `target`, in declared order."""
    return [table for table in corpus.tables.values() if table.spec.reference_to(target) is not None]


def facet_id(axis: str) -> str:
    """Return the name of an axis in the address of a view."""
    return f"axis.{axis}" if axis in RESERVED else axis


def script_json(value: object) -> Markup:
    """Write a value as JSON that can stand inside a script element: no sign of HTML is left in it.

    Examples
    --------
    >>> print(script_json("</script><!-- & "))
    "\\u003c/script\\u003e\\u003c!-- \\u0026 "
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 — every sign that HTML could read is escaped above


def _keys(corpus: Study) -> list[str]:
    column = corpus.codebook.pool.by_role("key")
    return corpus.pool.column(column.name if column else corpus.codebook.pool.key[0])


def _table(table: Table) -> dict[str, Any]:
    spec = table.spec
    return {
        "name": spec.name,
        "title": spec.title,
        "role": spec.role,
        "columns": [_column(column) for column in spec.columns],
        "rows": [[_cell(column, cell) for column, cell in zip(spec.columns, row, strict=True)] for row in table.rows],
    }


def _column(column: Column) -> dict[str, Any]:
    kept = {"name": column.name, "label": column.label, "type": column.type}
    more = {"role": column.role, "vocabulary": column.vocabulary, "references": column.references, "axis": column.axis}
    return kept | {name: value for name, value in more.items() if value}


def _cell(column: Column, cell: str) -> Any:
    """Return a cell as text; a list of terms for a term column; text with its addresses where it is a link."""
    if column.type == "term":
        return [terminal(value) for value in column.values(cell)]
    found = links(cell, column.type) if column.type in _LINKED else []
    return {"text": terminal(cell), "links": found} if found else terminal(cell)


def _vocabulary(vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "title": vocabulary.title,
        "absent": vocabulary.not_applicable,
        "terms": [[term.id, term.label, term.definition] for term in vocabulary.terms],
    }


def _facets(book: Codebook, specs: list[TableSpec]) -> list[dict[str, Any]]:
    """Return the filters: the axes of the pool, then the judgements that tables of evidence add to them."""
    pool, *others = specs
    found = [_facet(facet_id(column.name), 0, pool.position(column.name), column) for column in pool.axes]
    covered = {column.vocabulary for column in pool.axes}
    for number, spec in enumerate(others, 1):
        if spec.role != "evidence":
            continue
        for position, column, vocabulary in book.term_columns(spec):
            if vocabulary.id not in covered:
                found.append(_facet(f"{spec.name}.{column.name}", number, position, column))
    return found


def _facet(name: str, table: int, column: int, declared: Column) -> dict[str, Any]:
    return {
        "id": name,
        "table": table,
        "column": column,
        "label": declared.label,
        "vocabulary": declared.vocabulary,
    }
