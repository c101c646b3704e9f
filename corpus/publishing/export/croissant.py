"""Croissant 1.1, the description of data sets for machine learning: JSON-LD beside Parquet files.

Parquet rather than CSV, because the reference reader takes CSV with guessing: identifiers would become numbers and the
term ``NA`` would be lost.
"""

from __future__ import annotations

import hashlib
from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.publishing.export.cells import is_list
from corpus.publishing.export.data_package import LICENSES
from corpus.publishing.export.json import json_bytes
from corpus.publishing.export.parquet import arrow_table, parquet_bytes

DESCRIPTOR = "croissant.json"
_TYPES = {
    "year": "sc:Integer",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "date": "sc:Date",
    "url": "sc:URL",
}
_CR = (
    *("arrayShape", "citeAs", "column", "containedIn", "extract", "field", "fileObject", "fileProperty", "fileSet"),
    *("format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("equivalentProperty", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source"),
    *("subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _CR},
}


def files(corpus: Study) -> dict[str, bytes]:
    """Return one Parquet file a table and ``croissant.json`` that describes them.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    found = {f"{name}.parquet": plain_parquet(corpus, name) for name in corpus.tables}
    return {**found, DESCRIPTOR: json_bytes(_descriptor(corpus, found))}


def plain_parquet(corpus: Study, name: str) -> bytes:
    """Return a table as Parquet with terms as plain strings, which every reader of data sets takes."""
    return parquet_bytes(arrow_table(corpus, corpus.tables[name], dictionaries=False))


def _descriptor(corpus: Study, content: dict[str, bytes]) -> dict[str, Any]:
    book = corpus.codebook
    about = book.corpus
    licence = LICENSES.get(about.get("license", ""), ("", about.get("license", "")))[1]
    known = {
        "description": about.get("description", ""),
        "license": licence,
        "url": about.get("homepage", ""),
        "citeAs": about.get("cite", ""),
        "datePublished": about.get("cutoff", ""),
        "version": about.get("version", ""),
        "creator": [{"@type": "sc:Organization", "name": name} for name in creators(book)],
    }
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": about.get("id", "corpus"),
        **{name: value for name, value in known.items() if value},
        "distribution": [_file(name, data) for name, data in content.items()],
        "recordSet": [
            *(_terms(vocabulary) for vocabulary in book.vocabularies.values()),
            *(_record_set(book, table.spec) for table in corpus.tables.values()),
        ],
    }


def creators(book: Codebook) -> list[str]:
    """Return who made the corpus: the codebook's ``[deposit] creators``, or a name made of the corpus' own."""
    named = book.settings.get("deposit", {}).get("creators")
    return [str(name) for name in named] if named else [f"The {book.corpus.get('id', 'corpus')} maintainers"]


def _file(name: str, data: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _terms(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return a vocabulary as an enumeration whose records stand in the description itself."""
    name = f"vocabulary/{vocabulary.id}"
    fields = ("term", "label", "definition")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": vocabulary.definition or vocabulary.title,
        "dataType": "sc:Enumeration",
        "key": {"@id": f"{name}/term"},
        "field": [
            {"@type": "cr:Field", "@id": f"{name}/{field}", "name": f"{name}/{field}", "dataType": "sc:Text"}
            for field in fields
        ],
        "data": [
            dict(zip((f"{name}/{field}" for field in fields), (t.id, t.label, t.definition), strict=True))
            for t in vocabulary.terms
        ],
    }


def _record_set(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    fields = []
    for column in spec.columns:
        fields.append(_field(book, spec, column))
        if column.type == "date":
            precision = column._replace(name=f"{column.name}_precision", type="text", definition="year, month or day")
            fields.append(_field(book, spec, precision))
    return {
        "@type": "cr:RecordSet",
        "@id": spec.name,
        "name": spec.name,
        "description": spec.definition or spec.title,
        "key": [{"@id": f"{spec.name}/{name}"} for name in spec.key],
        "field": fields,
    }


def _field(book: Codebook, spec: TableSpec, column: Column) -> dict[str, Any]:
    name = f"{spec.name}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "description": column.definition,
        "dataType": _TYPES.get(column.type, "sc:Text"),
        "source": {"fileObject": {"@id": f"{spec.name}.parquet"}, "extract": {"column": column.name}},
    }
    if is_list(column):
        field |= {"isArray": True, "arrayShape": "-1"}
    elif column.type == "term":
        field["references"] = {"field": {"@id": f"vocabulary/{column.vocabulary}/term"}}
    elif column.type == "ref" and len(book.tables[column.references].key) == 1:
        field["references"] = {"field": {"@id": f"{column.references}/{book.tables[column.references].key[0]}"}}
    return field
