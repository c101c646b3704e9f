"""Croissant 1.1, the description of data sets for machine learning: JSON-LD beside Parquet files.

Parquet rather than CSV, because the reference reader guesses the types of CSV columns: identifiers
would become numbers and the term ``NA`` would be lost.
"""

from __future__ import annotations

from typing import Any

from corpus.model.codebook import Codebook, Column, TableSpec, Vocabulary
from corpus.model.study import Study
from corpus.publishing.export.cells import filled, is_list, referenced_key
from corpus.publishing.export.datasets.publication import deposit, last_day, license_of, sha256
from corpus.publishing.export.tables.json import json_bytes
from corpus.publishing.export.tables.parquet import arrow_table, parquet_bytes

DESCRIPTOR = "croissant.json"
_TYPES = {
    "year": "sc:Integer",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "date": "sc:Date",
    "url": "sc:URL",
}
#: What a context must map to the Croissant namespace, all of it, used or not: validators compare.
_CROISSANT_NAMES = (
    *("arrayShape", "citeAs", "column", "containedIn", "extract", "field", "fileObject"),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath"),
    *("key", "md5", "parentField", "path", "recordSet", "equivalentProperty", "references"),
    *("regex", "repeated", "replace", "samplingRate", "separator", "source", "subField"),
    "transform",
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
    **{name: f"cr:{name}" for name in _CROISSANT_NAMES},
}
_TERM_FIELDS = ("term", "label", "definition")


def files(study: Study) -> dict[str, bytes]:
    """Return one Parquet file per table, and ``croissant.json``, which describes them.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    found = {f"{name}.parquet": plain_parquet(study, name) for name in study.tables}
    return {**found, DESCRIPTOR: json_bytes(_descriptor(study, found))}


def plain_parquet(study: Study, name: str) -> bytes:
    """Return a table as Parquet with terms as plain strings, which every reader takes."""
    return parquet_bytes(arrow_table(study, study.tables[name], dictionaries=False))


def _descriptor(study: Study, content: dict[str, bytes]) -> dict[str, Any]:
    book = study.codebook
    about = book.corpus
    named = license_of(book)
    published = last_day(study)
    known = {
        "description": about.get("description", ""),
        "license": named.url or named.id,
        "url": about.get("homepage", ""),
        "citeAs": about.get("cite", ""),
        "datePublished": published.isoformat() if published else "",
        "version": about.get("version", ""),
        "creator": [{"@type": "sc:Organization", "name": name} for name in deposit(book).creators],
    }
    record_sets = [_terms(vocabulary) for vocabulary in book.vocabularies.values()]
    record_sets += [_record_set(book, table.spec) for table in study.tables.values()]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": about.get("id", "corpus"),
        **filled(known),
        "distribution": [_file(name, data) for name, data in content.items()],
        "recordSet": record_sets,
    }


def _file(name: str, data: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256(data),
    }


def _terms(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return a vocabulary as an enumeration, its records in the description itself."""
    name = f"vocabulary/{vocabulary.id}"
    ids = [f"{name}/{field}" for field in _TERM_FIELDS]
    records = []
    for term in vocabulary.terms:
        values = (term.id, term.label, term.definition)
        records.append(dict(zip(ids, values, strict=True)))
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": vocabulary.definition or vocabulary.title,
        "dataType": "sc:Enumeration",
        "key": {"@id": f"{name}/term"},
        "field": [
            {"@type": "cr:Field", "@id": id_, "name": id_, "dataType": "sc:Text"} for id_ in ids
        ],
        "data": records,
    }


def _record_set(book: Codebook, spec: TableSpec) -> dict[str, Any]:
    fields = []
    for column in spec.columns:
        fields.append(_field(book, spec, column))
        if column.type == "date":  # the Parquet file has a second column for it
            name = f"{column.name}_precision"
            precision = column._replace(name=name, type="text", definition="year, month or day")
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
        "source": {
            "fileObject": {"@id": f"{spec.name}.parquet"},
            "extract": {"column": column.name},
        },
    }
    key = referenced_key(book, column)
    if is_list(column):
        field["isArray"] = True
        field["arrayShape"] = "-1"
    elif column.type == "term":
        field["references"] = {"field": {"@id": f"vocabulary/{column.vocabulary}/term"}}
    elif key:
        field["references"] = {"field": {"@id": f"{column.references}/{key}"}}
    return field
