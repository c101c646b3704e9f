"""The tables as CSV files that describe themselves: a Data Package of Frictionless."""

import re
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.publishing.export.cells import filled, referenced_key
from corpus.publishing.export.publication import LICENSES, sha256
from corpus.tables.writing.writer import canonical_text

DESCRIPTOR = "datapackage.json"
_PROFILE = "https://datapackage.org/profiles/2.0/"
#: What the descriptor has as the codebook declares it.
_ABOUT = ("title", "description", "homepage", "version")
_DIALECT = {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}
_TYPES = {"year": "year", "integer": "integer", "number": "number"}
_PATTERNS = {
    "key": r"[A-Za-z0-9][A-Za-z0-9._-]*",
    "arxiv": r"[0-9]{4}\.[0-9]{4,5}|[a-z-]+(\.[A-Z]{2})?/[0-9]{7}",
    "doi": r"10\.[0-9]{4,9}/\S+",
    "url": r"https?://\S+( ; https?://\S+)*",
    "date": r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?",
}


def data_package(study: Study) -> dict[str, bytes]:
    """Return the tables in canonical form under their own names, and the descriptor."""
    found = {}
    for table in study.tables.values():
        found[table.spec.file] = canonical_text(table.rows, table.spec).encode()
    described = descriptor(study)
    for resource in described["resources"]:
        content = found[resource["path"]]
        resource["bytes"] = len(content)
        resource["hash"] = f"sha256:{sha256(content)}"
    return {**found, DESCRIPTOR: json_text(described).encode()}


def descriptor(study: Study) -> dict[str, Any]:
    """Return the descriptor; its paths are relative to the folder of the codebook.

    It follows from the codebook alone, so that an edit of a table leaves the committed one as it
    is. A package that is exported has sizes and checksums of its tables as well.

    ``missingValues`` is empty, so that a term such as ``NA`` is a value. Only columns that may be
    empty declare that an empty cell is missing.
    """
    book = study.codebook
    named = book.corpus["license"]
    described = filled({"name": named, "path": LICENSES.get(named)})
    resources = []
    for table in study.tables.values():
        spec = table.spec
        resource = {
            "name": _resource_name(spec.name),
            "path": spec.file,
            "type": "table",
            "title": spec.title,
            "description": spec.definition,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "dialect": _DIALECT,
            "schema": _table_schema(book, spec),
        }
        resources.append(filled(resource))
    return filled(
        {
            "$schema": f"{_PROFILE}datapackage.json",
            "name": (book.corpus["id"] or "corpus").lower(),
            **{name: book.corpus[name] for name in _ABOUT},
            "licenses": list(filter(None, [described])),
            "resources": resources,
        }
    )


def _resource_name(table: str) -> str:
    # The specification allows no underscore.
    return table.replace("_", "-")


def _table_schema(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    schema = {
        "$schema": f"{_PROFILE}tableschema.json",
        "fields": [_field(book, column) for column in spec.columns],
        "missingValues": [],
        "primaryKey": list(spec.key),
    }
    foreign = []
    for column in spec.columns:
        if key := referenced_key(book, column):
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
        # Table Schema has no lists of values.
        one = f"({'|'.join(map(re.escape, book.terms_of(column)))})"
        constraints["pattern"] = f"{one}({re.escape(column.separator)}{one})*"
    elif column.type == "term":
        labels = book.vocabulary_of(column).labels
        field["categories"] = [{"value": term, "label": labels[term]} for term in labels]
        constraints["enum"] = list(labels)
    elif column.type in _PATTERNS and not column.separator:
        constraints["pattern"] = _PATTERNS[column.type]
    elif column.required and field["type"] == "string":
        constraints["minLength"] = 1
    if constraints:
        field["constraints"] = constraints
    return field
