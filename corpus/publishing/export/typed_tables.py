"""Typed rows for any program: the whole corpus as JSON, one table as Parquet, its schema."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.json_document import as_plain, json_text
from corpus.publishing.export.cells import Value, is_list, typed_records, typed_rows

# pyarrow is imported where it is used: other exports import this module and may not need it.

PRECISIONS = ("year", "month", "day")


def whole_json(study: Study) -> str:
    """Return one JSON document: ``corpus``, ``codebook``, ``documents``, ``tables``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    book = study.codebook
    content = {
        "corpus": dict(book.corpus),
        "codebook": as_plain({"tables": book.tables, "vocabularies": book.vocabularies}),
        "documents": dict(study.documents),
        "tables": {name: list(typed_records(table)) for name, table in study.tables.items()},
    }
    return json_text(content)


def pandera_schema(study: Study, table: Table) -> str:
    """Return the pandera schema of a table as YAML, for :func:`corpus.read_schema`."""
    # Importing pandera takes a second, which the other formats do not need.
    from corpus.tables.schema_file import schema_text

    return schema_text(table.spec, study.codebook)


def parquet(study: Study, table: Table, dictionaries: bool = True) -> bytes:
    """Return a table as a Parquet file; see :func:`arrow_table` for the types."""
    import pyarrow as pa
    from pyarrow import parquet as parquet_files

    sink = pa.BufferOutputStream()
    made = arrow_table(study, table, dictionaries)
    parquet_files.write_table(made, sink, compression="zstd", store_schema=True)
    return bytes(sink.getvalue().to_pybytes())


def arrow_table(study: Study, table: Table, dictionaries: bool = True) -> Any:
    """Return a table as an Arrow table.

    Parameters
    ----------
    study : Study
        Its codebook gives the types and the metadata.
    table : Table
        One of its tables.
    dictionaries : bool
        Whether terms are dictionaries over the declared vocabulary, rather than plain strings.

    Returns
    -------
    pyarrow.Table
        Years and integers as int64, numbers as float64, cells of several values as list<string>,
        dates as date32 (the first day that they may mean) with a second column ``NAME_precision``
        (year, month, day), all others as string. The metadata of the schema has ``corpus`` and
        ``codebook`` as JSON, that of a field its ``label`` and ``definition``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    import pyarrow as pa

    book = study.codebook
    rows = typed_rows(table)
    fields = []
    arrays = []
    # Not by zip(*rows): a table without rows has its columns all the same.
    for position, column in enumerate(table.spec.columns):
        values = [row[position] for row in rows]
        meaning = {"label": column.label, "definition": column.definition, "role": column.role}
        for name, array in _arrays(column, book, values, dictionaries):
            nullable = not column.required or array.null_count > 0
            fields.append(pa.field(name, array.type, nullable, meaning))
            arrays.append(array)
    used = {column.vocabulary: book.vocabulary_of(column) for column in table.spec.term_columns}
    described = as_plain({**table.spec._asdict(), "vocabularies": used})
    about = {
        "corpus": json.dumps(dict(book.corpus), ensure_ascii=False),
        "codebook": json.dumps(described, ensure_ascii=False),
    }
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, about))


def _arrays(
    column: Column, book: Codebook, values: list[Value], dictionaries: bool
) -> Iterator[tuple[str, Any]]:
    """Yield the Arrow columns, with their names, that one column of the corpus becomes."""
    import pyarrow as pa

    if column.type == "date":
        dates = [parse_date(str(value)) if value else None for value in values]
        yield column.name, pa.array([date and date.start for date in dates], pa.date32())
        precisions = [date and date.precision for date in dates]
        yield f"{column.name}_precision", _coded(precisions, PRECISIONS, dictionaries)
    elif is_list(column):
        yield column.name, pa.array(values, pa.list_(pa.string()))
    elif column.type == "term":
        yield column.name, _coded(values, book.terms_of(column), dictionaries)
    else:
        types = {"year": pa.int64(), "integer": pa.int64(), "number": pa.float64()}
        yield column.name, pa.array(values, types.get(column.type, pa.string()))


def _coded(values: Sequence[Any], declared: tuple[str, ...], dictionaries: bool) -> Any:
    """Return strings, or a dictionary of all declared values, used or not, in their order."""
    import pyarrow as pa
    from pyarrow import compute

    texts = pa.array(values, pa.string())
    if not dictionaries:
        return texts
    known = pa.array(declared, pa.string())
    return pa.DictionaryArray.from_arrays(compute.index_in(texts, known), known, ordered=True)
