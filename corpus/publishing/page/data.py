"""The corpus as the page's script reads it: tables of cells, facets over them, BibTeX by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec, Term, Vocabulary
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.escape import terminal
from corpus.publishing.page.bibtex import short_bibtex
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import Facet, facet_id, facets, left_out

#: Column types whose cells the script may show as links.
_LINKED = frozenset({"arxiv", "doi", "url", "text"})

#: Between the levels of a label that is a path; the script divides it there.
PATH_MARK = " › "
#: What else separates levels in the labels that people write.
_PATH_SEPARATORS = ("/", ">", "::", "\\")

#: What stands before an identifier in its address, by column type; the script has the same.
_RESOLVERS = {"arxiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}


def page_data(
    study: Study, bibtex: Mapping[str, str], printed: Collection[str] = ()
) -> dict[str, Any]:
    """Return everything that the script needs, as plain values.

    Parameters
    ----------
    study : Study
        The pool and the tables that refer to it.
    bibtex : mapping of str to str
        Key of an entry -> its BibTeX; empty where there is none to copy.
    printed : collection of str
        Tables that the page shows as :func:`corpus.publishing.page.sections.shown_table` does. The
        script reads their rows there.
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
    written = {name: bibtex[name] for name in study.pool.names() if name in bibtex}
    return {
        "entry": book.corpus.get("entry", "entry"),
        "entries": book.corpus.get("entries", "entries"),
        "tables": [_table(table, book, printed) for table in tables],
        "vocabularies": {name: _vocabulary(vocabulary) for name, vocabulary in vocabularies},
        "facets": [_facet(facet, tables) for facet in facets(book)],
        "crosstabs": crosstabs,
        "bibtex": short_bibtex(written, _texts(study.pool, tables)),
    }


def referring(study: Study, target: TableSpec) -> list[Table]:
    """Return the tables with a column that refers to `target`, in declared order."""
    tables = study.tables.values()
    return [table for table in tables if table.spec.reference_to(target) is not None]


def _table(table: Table, book: Codebook, printed: Collection[str]) -> dict[str, Any]:
    spec = table.spec
    found: dict[str, Any] = {
        "name": spec.name,
        "title": spec.title,
        "role": spec.role,
        "columns": [_column(column) for column in spec.columns],
    }
    if spec.name not in printed or not _has_clear_labels(spec, book):
        found["rows"] = _rows(table, book)
    return found


def _has_clear_labels(spec: TableSpec, book: Codebook) -> bool:
    """Return whether the labels in the cells of a table tell which terms are meant."""
    for _, _, vocabulary in book.term_columns(spec):
        labels = {term.label for term in vocabulary.terms}
        if len(labels) < len(vocabulary.terms):
            return False
        for label in labels:
            if not label or "," in label or terminal(label) != label:
                return False
    return True


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


def _texts(pool: Table, tables: list[Table]) -> dict[str, list[str]]:
    """Return the cells of each entry as the script has them, the bibliography after the pool.

    Terms are empty here: the script has them as lists.
    """
    found: dict[str, list[str]] = {}
    for name, row in pool.named_rows():
        found[name] = _row_texts(pool.spec, row)
    for table in tables:
        reference = table.spec.reference_to(pool.spec)
        if table.spec.role != "bibliography" or reference is None:
            continue
        first: dict[str, Row] = {}
        for name, row in zip(table.column(reference.name), table.rows, strict=True):
            first.setdefault(name, row)
        for name in found.keys() & first.keys():
            row = first[name]
            found[name] += _row_texts(table.spec, row)
        break
    return found


def _row_texts(spec: TableSpec, row: Row) -> list[str]:
    texts: list[str] = []
    for column, cell in zip(spec.columns, row, strict=True):
        text = terminal(cell)
        if column.type == "term":
            text = ""
        texts.append(text)
    return texts


def _column(column: Column) -> dict[str, Any]:
    declared = {
        "role": column.role,
        "vocabulary": column.vocabulary,
        "references": column.references,
        "axis": column.axis,
    }
    always = {"name": column.name, "label": column.label, "type": column.type}
    return always | {name: value for name, value in declared.items() if value}


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
    if column.type in ("url", "text") and " ; ".join(shown) == text:
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
