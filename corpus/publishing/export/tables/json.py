"""JSON of the whole corpus, and JSON Lines of one table: typed rows for any program."""

from __future__ import annotations

import json
from typing import Any

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.json_document import json_text
from corpus.publishing.export.cells import typed_records


def export(study: Study) -> bytes:
    """Return one JSON document: ``corpus``, ``codebook``, ``documents``, ``tables``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    documents = {name: dict(document) for name, document in study.documents.items()}
    tables = {name: list(typed_records(table)) for name, table in study.tables.items()}
    content = {
        "corpus": dict(study.codebook.corpus),
        "codebook": _codebook(study.codebook),
        "documents": documents,
        "tables": tables,
    }
    return json_bytes(content)


def export_table(study: Study, table: Table) -> bytes:  # noqa: ARG001 — all table formats share it
    """Return a table as JSON Lines: one object per row, for streams and document stores.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    lines = [json.dumps(record, ensure_ascii=False) for record in typed_records(table)]
    return "".join(f"{line}\n" for line in lines).encode()


def json_bytes(content: Any) -> bytes:
    """Return a JSON document as a file; see :func:`corpus.printing.json_document.json_text`."""
    return json_text(content).encode()


def describe_table(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    """Return a table's columns and the vocabularies that they use, as JSON values."""
    used = {column.vocabulary for column in spec.term_columns}
    # In the order of the codebook, whatever that of the columns is.
    vocabularies = {name: _vocabulary(book, name) for name in book.vocabularies if name in used}
    return {**_table(spec), "vocabularies": vocabularies}


def _codebook(book: Codebook) -> dict[str, Any]:
    return {
        "tables": {name: _table(spec) for name, spec in book.tables.items()},
        "vocabularies": {name: _vocabulary(book, name) for name in book.vocabularies},
    }


def _table(spec: TableSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "title": spec.title,
        "definition": spec.definition,
        "role": spec.role,
        "key": list(spec.key),
        "columns": [column._asdict() for column in spec.columns],
    }


def _vocabulary(book: Codebook, name: str) -> dict[str, Any]:
    vocabulary = book.vocabularies[name]
    groups = [{**group._asdict(), "terms": list(group.terms)} for group in vocabulary.groups]
    return {
        "title": vocabulary.title,
        "definition": vocabulary.definition,
        "not_applicable": vocabulary.not_applicable,
        "terms": [term._asdict() for term in vocabulary.terms],
        "groups": groups,
    }
