"""A table kept as Parquet in place of its CSV file, as `corpus export parquet` writes it.

Cells are turned back into the text that the CSV file would hold, so every rule and every number
stays the same. Line numbers are those that the rows would have there.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError, Rule
from corpus.model.table import MAX_CELL, Row, Table
from corpus.tables.arrays import coded_cells
from corpus.tables.fast.codes import count_combinations, with_texts
from corpus.tables.terms import has_undeclared, long_cell_finding, with_terms

BAD_PARQUET = Rule(
    "C122",
    "the file cannot be read as this table: {problem}",
    "write it with `corpus export parquet`, or keep the table as CSV",
    title="Not a Parquet file of this table",
    reason="A Parquet file may replace a table's CSV file if it has the declared columns.",
)


_BATCH = 1 << 18  # rows at a time
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
    key = spec.key[0]
    wanted = with_terms(columns, spec)
    seen: dict[str, set[str]] = {name: set() for name in wanted}
    cells: Counter[Row] = Counter()
    chunks = []
    for batch in _batches(path, spec, (key, *wanted), path):
        texts = _text_columns(batch, spec, (key, *wanted))
        chunks += texts[key].chunks
        coded = {name: coded_cells(texts[name]) for name in wanted}
        for name, (found, _) in coded.items():
            seen[name].update(found)
        if columns:
            values = [coded[name][0] for name in columns]
            codes = [coded[name][1] for name in columns]
            cells.update(with_texts(count_combinations(codes, list(map(len, values))), values))
        else:
            cells[()] += len(batch)
    keys = pa.chunked_array(chunks, pa.string())
    if has_undeclared(seen, spec, book) or pc.count_distinct(keys).as_py() < len(keys):
        return None
    return dict(cells)


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
    tables = [_text_columns(batch, spec, spec.header) for batch in batches]
    if not tables:
        return pa.table({name: pa.array([], pa.string()) for name in spec.header})
    columns = pa.concat_tables(tables)
    findings = []
    for name in spec.header:
        lengths = pc.utf8_length(columns[name])
        for position in pc.indices_nonzero(pc.greater(lengths, MAX_CELL)).to_pylist():
            start = str(columns[name][position])[:80]
            length = lengths[position].as_py()
            findings.append(long_cell_finding(shown, position + 2, name, start, length))
    if findings:
        raise CorpusError(findings)
    return columns


def read_parquet(file: Any, spec: TableSpec, shown: str) -> Table:
    """Read a whole table as rows; parameters and errors as for :func:`read_parquet_columns`."""
    table = read_parquet_columns(file, spec, shown)
    columns = [column.to_pylist() for column in table.columns]
    rows = list(zip(*columns, strict=True))
    return Table(spec, shown, rows, list(range(2, len(rows) + 2)))


def _batches(file: Any, spec: TableSpec, names: tuple[str, ...], shown: str) -> Iterator[Any]:
    """Yield the file's rows as tables, columns as they are stored; CorpusError (C122) as above."""
    wanted = list(map(spec.column, dict.fromkeys(names)))
    try:
        reader = parquet.ParquetFile(file)
        stored = reader.schema_arrow.names
        missing = [column.name for column in wanted if column.name not in stored]
        if missing:
            problem = "the column is missing"
            raise CorpusError([BAD_PARQUET.at(shown, 0, name, problem=problem) for name in missing])
        read = [column.name for column in wanted]
        for column in wanted:
            if column.type == "date" and _precision_column(column) in stored:
                read.append(_precision_column(column))
        for batch in reader.iter_batches(_BATCH, columns=read):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        problem = str(error).split("\n")[0]
        raise CorpusError([BAD_PARQUET.at(shown, problem=problem)]) from None


def _text_columns(table: Any, spec: TableSpec, names: tuple[str, ...]) -> Any:
    return pa.table({name: _column_text(table, spec.column(name)) for name in names})


def _column_text(table: Any, column: Column) -> Any:
    """Return a column as the text of its CSV cells; null is an empty cell."""
    values = table[column.name]
    if pa.types.is_dictionary(values.type):
        values = pc.cast(values, pa.string())
    if pa.types.is_list(values.type) or pa.types.is_large_list(values.type):
        values = pc.binary_join(values, column.separator or "; ")
    elif pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        values = _dates(table, column, values)
    elif pa.types.is_floating(values.type):
        values = _shortest_numbers(values)
    if values.type != pa.string():
        values = pc.cast(values, pa.string())
    if values.null_count:
        values = pc.fill_null(values, "")  # only here: it makes a scalar, which imports pandas
    return values


def _precision_column(column: Column) -> str:
    return f"{column.name}_precision"


def _dates(table: Any, column: Column, values: Any) -> Any:
    """Return dates as exact as their second column tells; to the day where there is none."""
    days = values.to_pylist()
    precisions = ["day"] * len(days)
    if _precision_column(column) in table.column_names:
        precisions = table[_precision_column(column)].to_pylist()
    texts: list[str | None] = []
    for day, precision in zip(days, precisions, strict=True):
        if day is None:
            texts.append(None)
        else:
            texts.append(day.strftime(_DATE_FORMS.get(precision, "%Y-%m-%d")))
    return pa.chunked_array([texts], pa.string())


def _shortest_numbers(values: Any) -> Any:
    """Return numbers as the shortest text that is read as the same number, whole ones in digits."""
    if pa.types.is_float16(values.type):
        values = pc.cast(values, pa.float32())  # half numbers have no text of their own
    texts = pc.cast(values, pa.string()).to_pylist()
    for place, value in enumerate(values.to_pylist()):
        # `corpus check` names what is not finite: no cell of a number is written like this.
        if value is not None and math.isfinite(value) and value == int(value):
            texts[place] = str(int(value))
    return pa.chunked_array([texts], pa.string())
