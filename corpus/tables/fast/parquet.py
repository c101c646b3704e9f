"""A table kept as Parquet beside the codebook, in place of its CSV file: as `corpus export parquet` writes it.

Cells are turned back into the text that the CSV file would hold, so every rule and every number stays the same. Line
numbers are those that the rows would have there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row, Table
from corpus.tables import table_rules as rules
from corpus.tables.fast.arrow import Keys, combinations, dictionary, unique
from corpus.tables.terms import undeclared

_BATCH = 1 << 18  # rows at a time
_CODED = [pa.dictionary(pa.int32(), pa.string(), ordered) for ordered in (False, True)]
_DATE_FORMS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def parquet_tally(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    """Count rows by their cells in `columns`, reading only what is counted; None where a tag or a key is wrong.

    Raises
    ------
    CorpusError
        C122 where the file is no Parquet file of this table.
    """
    spec = book.pool
    terms = tuple(column.name for _, column, _ in book.term_columns(spec))
    wanted = tuple(dict.fromkeys([*columns, *terms]))
    cells: Counter[Row] = Counter()
    keys = Keys(spec)
    seen: dict[str, set[str]] = {name: set() for name in terms}
    for batch in _batches(path, spec, (*spec.key, *wanted), path):
        keys.add(_texts(batch, spec, spec.key))
        coded = {name: _coded(batch, spec.column(name)) for name in wanted}
        for name in terms:
            seen[name].update(dictionary(coded[name]))
        cells.update(combinations([coded[name] for name in columns]))
    wrong = any(undeclared(seen[c.name], c, vocabulary) for _, c, vocabulary in book.term_columns(spec))
    if wrong:
        return None
    again = (_texts(batch, spec, spec.key) for batch in _batches(path, spec, spec.key, path))
    return dict(cells) if keys.rising or unique(again, spec.key) else None


def read_parquet_columns(path: str, spec: TableSpec, shown: str) -> Any:
    """Read a whole table as an Arrow table of strings; CorpusError (C122, C123) where it cannot be read."""
    batches = [_texts(batch, spec, spec.header) for batch in _batches(path, spec, spec.header, shown)]
    if not batches:
        return pa.table({name: pa.array([], pa.string()) for name in spec.header})
    columns = pa.concat_tables(batches)
    findings = []
    for name in spec.header:
        lengths = pc.utf8_length(columns[name])
        for position in pc.indices_nonzero(pc.greater(lengths, MAX_CELL)).to_pylist():
            length, limit, value = f"{lengths[position]:,}", f"{MAX_CELL:,}", str(columns[name][position])[:80]
            findings.append(rules.CELL_TOO_LONG.at(shown, position + 2, name, value, length=length, limit=limit))
    if findings:
        raise CorpusError(findings)
    return columns


def read_parquet(path: str, spec: TableSpec, shown: str) -> Table:
    """Read a whole table as rows; CorpusError (C122) where it cannot be read."""
    columns = read_parquet_columns(path, spec, shown)
    rows = list(zip(*(column.to_pylist() for column in columns.columns), strict=True))
    return Table(spec, shown, rows, list(range(2, len(rows) + 2)))


def _batches(path: str, spec: TableSpec, names: tuple[str, ...], shown: str) -> Iterator[Any]:
    """Yield the file's rows as tables with these columns as they are stored; CorpusError (C122) as above."""
    wanted = [spec.column(name) for name in dict.fromkeys(names)]
    try:
        file = parquet.ParquetFile(path)
        have = file.schema_arrow.names
        missing = [column.name for column in wanted if column.name not in have]
        if missing:
            raise CorpusError(
                [rules.BAD_PARQUET.at(shown, 0, name, problem="the column is missing") for name in missing]
            )
        dates = [f"{column.name}_precision" for column in wanted if column.type == "date"]
        read = [column.name for column in wanted] + [name for name in dates if name in have]
        for batch in file.iter_batches(_BATCH, columns=read):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise CorpusError([rules.BAD_PARQUET.at(shown, problem=str(error).split("\n")[0])]) from None


def _coded(table: Any, column: Column) -> Any:
    """Return a column as dictionary codes: those of the file where it holds such, without a look at each cell."""
    values = table[column.name]
    if values.type in _CODED and not values.null_count:
        return values
    return pc.dictionary_encode(_text(table, column))


def _texts(table: Any, spec: TableSpec, names: tuple[str, ...]) -> Any:
    return pa.table({name: _text(table, spec.column(name)) for name in names})


def _text(table: Any, column: Column) -> Any:
    """Return a column as the text of its CSV cells; null is an empty cell."""
    values = table[column.name]
    if pa.types.is_dictionary(values.type):
        values = pc.cast(values, pa.string())
    if pa.types.is_list(values.type) or pa.types.is_large_list(values.type):
        values = pc.binary_join(values, column.separator or "; ")
    elif pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        values = _dates(table, column, values)
    elif pa.types.is_floating(values.type):
        values = pa.chunked_array([[_number(v) for v in values.to_pylist()]], pa.string())
    texts = values if values.type == pa.string() else pc.cast(values, pa.string())
    return pc.fill_null(texts, "") if texts.null_count else texts  # a scalar would import pandas


def _dates(table: Any, column: Column, values: Any) -> Any:
    """Dates are as exact as their second column says."""
    precisions = f"{column.name}_precision"
    exact = table[precisions].to_pylist() if precisions in table.column_names else ["day"] * len(values)
    texts = [
        None if day is None else day.strftime(_DATE_FORMS.get(precision, "%Y-%m-%d"))
        for day, precision in zip(values.to_pylist(), exact, strict=True)
    ]
    return pa.chunked_array([texts], pa.string())


def _number(value: float | None) -> str | None:
    if value is None:
        return None
    if not math.isfinite(value):  # `corpus check` names it: no cell of a number is written like this
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:g}"
