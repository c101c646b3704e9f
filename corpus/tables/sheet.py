"""A table by columns, with its lines: from the strict reader's rows, or by Arrow if large."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import Finding, Rule
from corpus.model.table import Table
from corpus.tables.arrays import coded_cells, strings
from corpus.tables.reader import read_table

#: From this size on, Arrow's reader is faster (measured: about 20,000 rows of this pool).
ARROW_BYTES = 9_000_000
#: Bytes of a block: each call of the parser costs a millisecond (measured: a megabyte takes a
#: quarter longer, as do 16).
_BLOCK = 1 << 22
#: A smaller file is read by one thread while pandera is imported; a second one would take more time
#: from the import than it saves, since they wait for the interpreter's lock (measured).
_BESIDE = 1 << 27
_PARSED = 2 * _BLOCK  # a block and the rest of its last row are parsed in one piece


@dataclass(eq=False)
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
    lines : sequence of int or None
        The line on which each row starts, once somebody has asked for one.
    table : Table or None
        The table by rows, where it was read so.
    """

    spec: TableSpec
    file: str
    columns: Any
    lines: Sequence[int] | None = None
    table: Table | None = None
    _codes: dict[str, tuple[list[str], Any]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.columns.num_rows)

    @cached_property
    def positions(self) -> dict[str, int]:
        """The first position of each key; none of a composite key: nothing refers to it."""
        found: dict[str, int] = {}
        if len(self.spec.key) == 1:
            for position, key in enumerate(self.cells(self.spec.key[0])):
                found.setdefault(key, position)
        return found

    def line(self, position: int) -> int:
        """Return the physical line on which a row starts; line breaks inside cells are counted."""
        if self.lines is None:
            self.lines = _lines(self.columns)
        return int(self.lines[position])

    def cell(self, name: str, position: int) -> str:
        """Return one cell."""
        return str(self.columns[name][position].as_py())

    def cells(self, name: str) -> list[str]:
        """Return the cells of a column."""
        found: list[str] = self.columns[name].to_pylist()
        return found

    def rows(self, *columns: Column | None) -> Iterator[tuple[str, ...]]:
        """Yield the cells of some columns row by row; nothing where the table lacks one of them."""
        cells = [self.cells(column.name) for column in columns if column is not None]
        if len(cells) == len(columns):
            yield from zip(*cells, strict=True)

    def by_rows(self) -> Table:
        """Return the table by rows; without its text, where it was read by columns."""
        if self.table is not None:
            return self.table
        rows = list(self.rows(*self.spec.columns))
        return Table(self.spec, self.file, rows, list(map(self.line, range(len(rows)))))

    def coded(self, name: str) -> tuple[list[str], Any]:
        """Return what :func:`coded_cells` does of a column; those of terms are asked for often."""
        if name not in self._codes:
            self._codes[name] = coded_cells(self.columns[name])
        return self._codes[name]

    def where(self, mask: Any) -> list[int]:
        """Return the positions of the rows that a mask has."""
        # Many releases of Arrow crash when they look for the rows of a mask without any.
        if not len(self):
            return []
        found: list[int] = pc.indices_nonzero(mask).to_pylist()
        return found

    @property
    def url_columns(self) -> list[str]:
        """The columns of addresses."""
        return [column.name for column in self.spec.columns if column.type == "url"]

    def finding(
        self, rule: Rule, position: int, column: str, value: str | None = None, **places: Any
    ) -> Finding:
        """Return a finding of a rule about a cell of a row, or about another value in its place."""
        if value is None:
            value = self.cell(column, position)
        return rule.at(self.file, self.line(position), column, value, **places)

    def key(self, position: int) -> str:
        """Return a row's key, its parts joined by a comma."""
        return ", ".join(self.cell(name, position) for name in self.spec.key)


#: Tables by their names.
Sheets = Mapping[str, ColumnarTable]


def sheet_of(table: Table) -> ColumnarTable:
    """Return a table in memory by columns."""
    header = table.spec.header
    columns = pa.table({name: strings(table.column(name)) for name in header})
    return ColumnarTable(table.spec, table.file, columns, table.lines, table)


def read_sheet(path: str, spec: TableSpec, shown: str) -> ColumnarTable:
    """Read a table strictly; CorpusError as :func:`corpus.tables.reader.read_table`."""
    size = os.path.getsize(path) if os.path.isfile(path) else 0
    if size >= ARROW_BYTES:
        columns = arrow_columns(path, spec, spec.header)
        if columns is not None:
            return ColumnarTable(spec, shown, columns)
    return sheet_of(read_table(path, spec, shown))


def arrow_columns(path: str, spec: TableSpec, names: tuple[str, ...]) -> Any:
    """Return some columns of a file as an Arrow table of strings; None where it is not plain.

    Arrow's CSV reader is lenient, so its result is taken only where everything about the file is
    plain: valid encoding, line ends and quoting, the exact header, no blank line. In any other case
    the strict reader reads the file again and reports what is wrong.
    """
    # A table of usual size needs none of these.
    from pyarrow import csv

    from corpus.tables.fast.blocks import PADDING, NotPlain, check_block, of_blocks

    # What Arrow uses by default gives memory back and gets it again so often that the system takes
    # a fifth of a check of a million rows (measured); jemalloc takes a third of that.
    if "jemalloc" in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
        # After a tenth of a second in place of one: an eighth less memory, in the same time.
        pa.jemalloc_set_decay_ms(100)
    convert = csv.ConvertOptions(
        include_columns=list(names),
        column_types=dict.fromkeys(spec.header, pa.string()),
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
        check_utf8=False,
    )
    # Blocks are parsed side by side already.
    read = csv.ReadOptions(use_threads=False, column_names=list(spec.header), block_size=_PARSED)

    def table(data: bytes) -> Any:
        _, _, has_breaks = check_block(data, with_commas=False)
        # The parser is twice as fast where it knows of no line break inside a cell.
        parse = csv.ParseOptions(newlines_in_values=has_breaks, ignore_empty_lines=False)
        rows = pa.py_buffer(data)[:-PADDING]
        return csv.read_csv(pa.BufferReader(rows), read, parse, convert)

    try:
        workers = 1 if os.path.getsize(path) < _BESIDE else 2
        return pa.concat_tables(list(of_blocks(path, spec, table, _BLOCK, workers)))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None


def _lines(columns: Any) -> Any:
    """Return the line on which each row starts, after the header.

    That is one line for each row before it, and one for each line break inside a cell of those.
    """
    breaks = np.zeros(columns.num_rows, np.int64)
    for column in columns.columns:
        breaks += pc.count_substring(column, "\n").to_numpy()
    # A row's own breaks are below the line on which it starts.
    breaks_above = np.cumsum(breaks) - breaks
    return np.arange(columns.num_rows) + 2 + breaks_above
