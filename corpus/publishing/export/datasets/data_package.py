"""Frictionless Data Package 2: the tables, and datapackage.json, which describes them."""

from __future__ import annotations

import re
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import filled, referenced_key
from corpus.publishing.export.datasets.publication import license_of, sha256
from corpus.publishing.export.tables.json import json_bytes
from corpus.tables.writing.writer import canonical_text

DESCRIPTOR = "datapackage.json"
_PROFILE = "https://datapackage.org/profiles/2.0/"
_TYPES = {"year": "year", "integer": "integer", "number": "number"}
_PATTERNS = {
    "key": r"[A-Za-z0-9][A-Za-z0-9._-]*",
    "arxiv": r"[0-9]{4}\.[0-9]{4,5}|[a-z-]+(\.[A-Z]{2})?/[0-9]{7}",
    "doi": r"10\.[0-9]{4,9}/\S+",
    "url": r"https?://\S+( ; https?://\S+)*",
    "date": r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?",
}


def files(study: Study) -> dict[str, bytes]:
    """Return the tables in canonical form under their own names, and the descriptor."""
    found = {table.spec.file: table_bytes(table) for table in study.tables.values()}
    described = descriptor(study)
    for resource in described["resources"]:
        content = found[resource["path"]]
        resource["bytes"] = len(content)
        resource["hash"] = f"sha256:{sha256(content)}"
    return {**found, DESCRIPTOR: json_bytes(described)}


def table_bytes(table: Table) -> bytes:
    """Return a table as the package holds it."""
    return canonical_text(table.rows, table.spec).encode()


def descriptor(study: Study) -> dict[str, Any]:
    """Return the descriptor; its paths are relative to the folder of the codebook.

    It follows from the codebook alone, so that an edit of a table leaves the committed one as it
    is. A package that is exported has sizes and checksums of its tables as well.

    ``missingValues`` is empty, so that a term such as ``NA`` is a value. Only columns that may be
    empty declare that an empty cell is missing.
    """
    book = study.codebook
    about = book.corpus
    licenses = []
    named = license_of(book)
    if named.id:
        described = {"name": named.id, "title": named.name, "path": named.url}
        licenses.append(filled(described))
    return filled(
        {
            "$schema": f"{_PROFILE}datapackage.json",
            "name": about.get("id", "corpus").lower(),
            "title": about.get("title", ""),
            "description": about.get("description", ""),
            "homepage": about.get("homepage", ""),
            "version": about.get("version", ""),
            "licenses": licenses,
            "resources": [_resource(book, table.spec) for table in study.tables.values()],
        }
    )


def _resource(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    return filled(
        {
            "name": _resource_name(spec.name),
            "path": spec.file,
            "type": "table",
            "title": spec.title,
            "description": spec.definition,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "dialect": {
                "delimiter": ",",
                "lineTerminator": "\n",
                "quoteChar": '"',
                "doubleQuote": True,
            },
            "schema": table_schema(book, spec),
        }
    )


def _resource_name(table: str) -> str:
    # The specification allows no underscore.
    return table.replace("_", "-")


def table_schema(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    """Return the Table Schema of one table."""
    schema: dict[str, Any] = {
        "$schema": f"{_PROFILE}tableschema.json",
        "fields": [_field(book, column) for column in spec.columns],
        "missingValues": [],
        "primaryKey": list(spec.key),
    }
    foreign = []
    for column in spec.columns:
        key = referenced_key(book, column)
        if key:
            target = {"resource": _resource_name(column.references), "fields": [key]}
            foreign.append({"fields": [column.name], "reference": target})
    if foreign:
        schema["foreignKeys"] = foreign
    return schema


def _field(book: Codebook, column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name,
        "type": _TYPES.get(column.type, "string"),
        "title": column.label,
        "description": column.definition,
    }
    constraints: dict[str, Any] = {}
    if column.required:
        constraints["required"] = True
    else:
        field["missingValues"] = [""]
    if column.type == "term" and column.separator:
        constraints["pattern"] = _several_terms(book, column)
    elif column.type == "term":
        terms = book.vocabulary_of(column).terms
        field["categories"] = [{"value": term.id, "label": term.label} for term in terms]
        constraints["enum"] = [term.id for term in terms]
    elif column.type in _PATTERNS and not column.separator:
        constraints["pattern"] = _PATTERNS[column.type]
    elif column.required and field["type"] == "string":
        constraints["minLength"] = 1
    if constraints:
        field["constraints"] = constraints
    return field


def _several_terms(book: Codebook, column: Column) -> str:
    """Return the pattern of a cell with several terms: Table Schema has no lists of values."""
    ids = [re.escape(identifier) for identifier in book.vocabulary_of(column).ids]
    one = f"({'|'.join(ids)})"
    return f"{one}({re.escape(column.separator)}{one})*"
