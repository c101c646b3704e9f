"""The codebook as plain values, for formats that carry their own description."""

from __future__ import annotations

from typing import Any

from corpus.model.codebook import Codebook, TableSpec


def describe_table(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    """Return a table's columns and the vocabularies that they use, as JSON values."""
    used = {column.vocabulary for column in spec.columns if column.type == "term"}
    return {
        "name": spec.name,
        "title": spec.title,
        "definition": spec.definition,
        "role": spec.role,
        "key": list(spec.key),
        "columns": [column._asdict() for column in spec.columns],
        "vocabularies": {name: _vocabulary(book, name) for name in book.vocabularies if name in used},
    }


def describe(book: Codebook) -> dict[str, Any]:
    """Return the whole codebook as JSON values."""
    tables = {name: describe_table(book, spec) for name, spec in book.tables.items()}
    for table in tables.values():
        del table["vocabularies"]
    return {"tables": tables, "vocabularies": {name: _vocabulary(book, name) for name in book.vocabularies}}


def _vocabulary(book: Codebook, name: str) -> dict[str, Any]:
    vocabulary = book.vocabularies[name]
    return {
        "title": vocabulary.title,
        "definition": vocabulary.definition,
        "not_applicable": vocabulary.not_applicable,
        "terms": [term._asdict() for term in vocabulary.terms],
        "groups": [{**group._asdict(), "terms": list(group.terms)} for group in vocabulary.groups],
    }
