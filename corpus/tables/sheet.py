"""A table by columns, with its lines: from the strict reader's rows, or by Arrow if large."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from corpus.model.codebook import TableSpec
from corpus.model.table import Table
from corpus.tables.arrow_values import strings
from corpus.tables.location import is_parquet, parquet_file
from corpus.tables.reader import read_table

if TYPE_CHECKING:
    import pandas as pd

#: From this size on, Arrow's reader is faster (measured: about 20,000 rows of this pool).
ARROW_BYTES = 9_000_000


class ColumnarTable:
    """One table, columnar.

    Attributes
    ----------
    spec : TableSpec
        The declaration.
    file : str
        Path as the user knows it.
    columns : pyarrow.Table
        Strings, one column each; no nulls, an empty cell is an empty string.
    size : int or None
        Bytes of the CSV file; None where the table is kept as Parquet, which has no canonical form.
    table : Table or None
        The table by rows, where it was read so.
    """

    def __init__(
        self,
        spec: TableSpec,
        file: str,
        columns: Any,
        size: int | None,
        lines: Sequence[int] | None,
        table: Table | None = None,
    ) -> None:
        self.spec = spec
        self.file = file
        self.columns = columns
        self.size = size
        self.table = table
        self._lines = lines

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.columns.num_rows)

    @property
    def frame(self) -> pd.DataFrame:
        """The columns as a pandas frame of Arrow-backed strings; index: row position, from 0."""
        import pandas as pd

        as_arrow = {pa.string(): pd.StringDtype("pyarrow")}
        frame: pd.DataFrame = self.columns.to_pandas(types_mapper=as_arrow.get)
        return frame

    def line(self, position: int) -> int:
        """Return the physical line on which a row starts; line breaks inside cells are counted."""
        if self._lines is None:
            self._lines = _lines(self.columns)
        return int(self._lines[position])

    def cell(self, name: str, position: int) -> str:
        """Return one cell."""
        return str(self.columns[name][position].as_py())

    def key(self, position: int) -> str:
        """Return a row's key, its parts joined by a comma."""
        return ", ".join(self.cell(name, position) for name in self.spec.key)


def sheet_of(table: Table) -> ColumnarTable:
    """Return a table in memory by columns."""
    header = table.spec.header
    columns = pa.table({name: strings(table.column(name)) for name in header})
    size = len(table.text.encode())
    return ColumnarTable(table.spec, table.file, columns, size, table.lines, table)


def read_sheet(path: str, spec: TableSpec, shown: str) -> ColumnarTable:
    """Read a table strictly; CorpusError as :func:`corpus.tables.reader.read_table`."""
    if is_parquet(path):
        from corpus.tables.fast.parquet import read_parquet_columns  # imports pyarrow.parquet

        shown = parquet_file(shown)
        columns = read_parquet_columns(parquet_file(path), spec, shown)
        return ColumnarTable(spec, shown, columns, None, None)
    size = os.path.getsize(path) if os.path.isfile(path) else 0
    if size >= ARROW_BYTES:
        from corpus.tables.fast.arrow import arrow_columns  # imports numpy

        columns = arrow_columns(path, spec, spec.header)
        if columns is not None:
            return ColumnarTable(spec, shown, columns, size, None)
    return sheet_of(read_table(path, spec, shown))


def _lines(columns: Any) -> Any:
    """Return the line on which each row starts, after the header.

    That is one line for each row before it, and one for each line break inside a cell of those.
    """
    import numpy as np
    import pyarrow.compute as pc

    breaks = np.zeros(columns.num_rows, np.int64)
    for column in columns.columns:
        breaks += pc.count_substring(column, "\n").to_numpy()
    # A row's own breaks are below the line on which it starts.
    breaks_above = np.cumsum(breaks) - breaks
    return np.arange(columns.num_rows) + 2 + breaks_above
