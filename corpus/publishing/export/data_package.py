"""Frictionless Data Package 2: the tables as they are, and datapackage.json that describes them to any tool."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import is_list
from corpus.publishing.export.json import json_bytes
from corpus.tables.writer import canonical_text

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
LICENSES = {
    "CC0-1.0": ("CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "ODC-BY-1.0": ("Open Data Commons Attribution 1.0", "https://opendatacommons.org/licenses/by/1-0/"),
    "MIT": ("MIT License", "https://opensource.org/license/mit"),
}


def files(corpus: Study) -> dict[str, bytes]:
    """Return the package: the tables in canonical form under their own names, and the descriptor."""
    found = {table.spec.file: table_bytes(table) for table in corpus.tables.values()}
    return {**found, DESCRIPTOR: json_bytes(descriptor(corpus))}


def table_bytes(table: Table) -> bytes:
    """Return a table as the package holds it."""
    return canonical_text(table.rows, table.spec).encode()


def descriptor(corpus: Study) -> dict[str, Any]:
    """Return the descriptor; its paths are relative to the folder of the codebook.

    ``missingValues`` is empty, so that a term such as ``NA`` is a value; only columns that may be empty say that an
    empty cell is missing.
    """
    about = corpus.codebook.corpus
    name, url = LICENSES.get(about.get("license", ""), ("", ""))
    licence = {"name": about.get("license", ""), "title": name, "path": url}
    return _filled(
        {
            "$schema": f"{_PROFILE}datapackage.json",
            "name": about.get("id", "corpus").lower(),
            "title": about.get("title", ""),
            "description": about.get("description", ""),
            "homepage": about.get("homepage", ""),
            "version": about.get("version", ""),
            "licenses": [_filled(licence)] if licence["name"] else [],
            "resources": [_resource(corpus.codebook, table) for table in corpus.tables.values()],
        }
    )


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", [], {})}


def _resource(book: Codebook, table: Table) -> dict[str, Any]:
    content = table_bytes(table)
    return _filled(
        {
            "name": table.spec.name.replace("_", "-"),
            "path": table.spec.file,
            "type": "table",
            "title": table.spec.title,
            "description": table.spec.definition,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True},
            "bytes": len(content),
            "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
            "schema": table_schema(book, table.spec),
        }
    )


def table_schema(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    """Return the Table Schema of one table."""
    foreign = [
        {
            "fields": [column.name],
            "reference": {
                "resource": column.references.replace("_", "-"),
                "fields": list(book.tables[column.references].key),
            },
        }
        for column in spec.columns
        if column.type == "ref" and not is_list(column) and len(book.tables[column.references].key) == 1
    ]
    schema: dict[str, Any] = {
        "$schema": f"{_PROFILE}tableschema.json",
        "fields": [_field(book, column) for column in spec.columns],
        "missingValues": [],
        "primaryKey": list(spec.key),
    }
    return {**schema, "foreignKeys": foreign} if foreign else schema


def _field(book: Codebook, column: Column) -> dict[str, Any]:
    constraints: dict[str, Any] = {"required": True} if column.required else {}
    field: dict[str, Any] = {
        "name": column.name,
        "type": _TYPES.get(column.type, "string"),
        "title": column.label,
        "description": column.definition,
    }
    if column.type == "term":
        terms = book.vocabulary_of(column).terms
        if column.separator:
            one = "(" + "|".join(re.escape(term.id) for term in terms) + ")"
            constraints["pattern"] = f"{one}({re.escape(column.separator)}{one})*"
        else:
            constraints["enum"] = [term.id for term in terms]
            field["categories"] = [{"value": term.id, "label": term.label} for term in terms]
    elif column.type in _PATTERNS and not column.separator:
        constraints["pattern"] = _PATTERNS[column.type]
    elif column.required and field["type"] == "string":
        constraints["minLength"] = 1
    if not column.required:
        field["missingValues"] = [""]
    return {**field, "constraints": constraints} if constraints else field
