"""A table kept as Parquet in place of its CSV file, as `corpus export parquet` writes it.

Cells are turned back into the text that the CSV file would hold, so every rule and every number
stays the same. Line numbers are those that the rows would have there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row, Table
from corpus.tables import table_rules as rules
from corpus.tables.fast.arrow import BlockTally
from corpus.tables.row_findings import long_cell_finding

#: Rows read at a time.
_BATCH = 1 << 18
_CODED = [pa.dictionary(pa.int32(), pa.string(), ordered) for ordered in (False, True)]
_DATE_FORMS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def parquet_tally(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    """Count the pool's rows by their cells in `columns`, reading only what is counted.

    Returns
    -------
    dict of tuple of str to int, or None
        Cells -> number of rows; None where a term or a key is wrong.

    Raises
    ------
    CorpusError
        C122 where the file is not a Parquet file of this table.
    """
    spec = book.pool
    tally = BlockTally(book, columns)
    needed = (*spec.key, *tally.wanted)
    for batch in _batches(path, spec, needed, path):
        keys = _texts(batch, spec, spec.key)
        coded = {name: _coded(batch, spec.column(name)) for name in tally.wanted}
        tally.add(keys, coded)
    batches_again = _batches(path, spec, spec.key, path)
    keys_again = (_texts(batch, spec, spec.key) for batch in batches_again)
    return tally.counts(keys_again)


def read_parquet_columns(file: Any, spec: TableSpec, shown: str) -> Any:
    """Read a whole table as an Arrow table of strings.

    Parameters
    ----------
    file : str or pyarrow.NativeFile
        A path, or an open file or buffer.
    spec : TableSpec
        The declaration of the table.
    shown : str
        Path as it is written into findings.

    Raises
    ------
    CorpusError
        C122 where the file is not a Parquet file of this table, C123 where a cell is too long.
    """
    batches = _batches(file, spec, spec.header, shown)
    tables = [_texts(batch, spec, spec.header) for batch in batches]
    if not tables:
        return pa.table({name: pa.array([], pa.string()) for name in spec.header})
    columns = pa.concat_tables(tables)
    findings = []
    for name in spec.header:
        findings += _long_cell_findings(columns[name], name, shown)
    if findings:
        raise CorpusError(findings)
    return columns


def _long_cell_findings(cells: Any, name: str, shown: str) -> list[Finding]:
    """Find the cells of a column that are longer than `MAX_CELL` characters (C123)."""
    lengths = pc.utf8_length(cells)
    too_long = pc.indices_nonzero(pc.greater(lengths, MAX_CELL))
    findings = []
    for position in too_long.to_pylist():
        line = position + 2  # in the CSV file, below the header
        start = str(cells[position])[:80]
        length = lengths[position].as_py()
        findings.append(long_cell_finding(shown, line, name, start, length))
    return findings


def read_parquet(file: Any, spec: TableSpec, shown: str) -> Table:
    """Read a whole table as rows; parameters and errors as for :func:`read_parquet_columns`."""
    table = read_parquet_columns(file, spec, shown)
    columns = [column.to_pylist() for column in table.columns]
    rows = list(zip(*columns, strict=True))
    lines = list(range(2, len(rows) + 2))
    return Table(spec, shown, rows, lines)


def _batches(file: Any, spec: TableSpec, names: tuple[str, ...], shown: str) -> Iterator[Any]:
    """Yield the file's rows as tables, columns as they are stored; CorpusError (C122) as above."""
    wanted = [spec.column(name) for name in dict.fromkeys(names)]
    try:
        reader = parquet.ParquetFile(file)
        stored = reader.schema_arrow.names
        read = [column.name for column in wanted]
        missing = [name for name in read if name not in stored]
        if missing:
            problem = "the column is missing"
            raise CorpusError(
                [rules.BAD_PARQUET.at(shown, 0, name, problem=problem) for name in missing]
            )
        for column in wanted:
            precision = _precision_column(column)
            if column.type == "date" and precision in stored:
                read.append(precision)
        for batch in reader.iter_batches(_BATCH, columns=read):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        problem = str(error).split("\n")[0]
        raise CorpusError([rules.BAD_PARQUET.at(shown, problem=problem)]) from None


def _coded(table: Any, column: Column) -> Any:
    """Return a column as dictionary codes: those of the file where it has some, which is faster."""
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
    kind = values.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        values = pc.binary_join(values, column.separator or "; ")
    elif pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        values = _dates(table, column, values)
    elif pa.types.is_floating(kind):
        numbers = [_number(value) for value in values.to_pylist()]
        values = pa.chunked_array([numbers], pa.string())
    if values.type != pa.string():
        values = pc.cast(values, pa.string())
    if values.null_count:
        # Only where it is needed: it makes a scalar, which imports pandas.
        values = pc.fill_null(values, "")
    return values


def _precision_column(column: Column) -> str:
    return f"{column.name}_precision"


def _dates(table: Any, column: Column, values: Any) -> Any:
    """Return dates as exact as their second column tells; to the day where there is none."""
    days = values.to_pylist()
    precisions = ["day"] * len(days)
    beside = _precision_column(column)
    if beside in table.column_names:
        precisions = table[beside].to_pylist()
    texts: list[str | None] = []
    for day, precision in zip(days, precisions, strict=True):
        text = None
        if day is not None:
            form = _DATE_FORMS.get(precision, "%Y-%m-%d")
            text = day.strftime(form)
        texts.append(text)
    return pa.chunked_array([texts], pa.string())


def _number(value: float | None) -> str | None:
    if value is None:
        return None
    # `corpus check` names it: no cell of a number is written like this.
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return str(int(value))
    return f"{value:g}"
