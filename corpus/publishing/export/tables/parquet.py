"""Parquet of one table, for pandas, R, DuckDB and Arrow, with the codebook in the metadata."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import Value, is_list, typed_rows
from corpus.publishing.export.tables.json import describe_table

# pyarrow is imported where it is used: other exports import this module and may not need it.

PRECISIONS = ("year", "month", "day")


def export_table(study: Study, table: Table) -> bytes:
    """Return a table as a Parquet file; see :func:`arrow_table` for the types."""
    return parquet_bytes(arrow_table(study, table))


def parquet_bytes(table: Any) -> bytes:
    """Write an Arrow table as Parquet."""
    import pyarrow as pa
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd", store_schema=True)
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
    about = {
        "corpus": json.dumps(dict(book.corpus), ensure_ascii=False),
        "codebook": json.dumps(describe_table(book, table.spec), ensure_ascii=False),
    }
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, about))


def _arrays(
    column: Column, book: Codebook, values: list[Value], dictionaries: bool
) -> list[tuple[str, Any]]:
    """Return the Arrow columns, with their names, that one column of the corpus becomes."""
    import pyarrow as pa

    if column.type == "date":
        return _date_arrays(column, values, dictionaries)
    types = {"year": pa.int64(), "integer": pa.int64(), "number": pa.float64()}
    if is_list(column):
        array = pa.array(values, pa.list_(pa.string()))
    elif column.type == "term" and dictionaries:
        array = _dictionary(values, book.vocabulary_of(column).ids)
    else:
        array = pa.array(values, types.get(column.type, pa.string()))
    return [(column.name, array)]


def _date_arrays(column: Column, values: list[Value], dictionaries: bool) -> list[tuple[str, Any]]:
    import pyarrow as pa

    days = []
    precisions = []
    for value in values:
        date = parse_date(value) if isinstance(value, str) else None
        days.append(date and date.start)
        precisions.append(date and date.precision)
    starts = pa.array(days, pa.date32())
    if dictionaries:
        precision = _dictionary(precisions, PRECISIONS)
    else:
        precision = pa.array(precisions, pa.string())
    return [(column.name, starts), (f"{column.name}_precision", precision)]


def _dictionary(values: Sequence[Any], declared: tuple[str, ...]) -> Any:
    """Return a dictionary array over all declared values, used or not, in their order."""
    import pyarrow as pa

    codes: dict[str | None, int | None] = {None: None}
    for code, value in enumerate(declared):
        codes[value] = code
    indices = pa.array([codes[value] for value in values], pa.int32())
    terms = pa.array(declared, pa.string())
    return pa.DictionaryArray.from_arrays(indices, terms, ordered=True)
