"""The rows of one file in memory: every cell a string, every row with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from corpus.model.codebook import TableSpec, Texts

Row = tuple[str, ...]
#: Table name -> all its new rows; other tables stay as they are.
Rows = dict[str, list[Row]]

# How large a file may be that people send; a larger one is refused with a finding at once.

#: Characters of one cell. The longest abstracts have some 5,000; what is longer is a file in the
#: wrong place.
MAX_CELL = 100_000
#: Columns of one table. SQLite takes no more (SQLITE_MAX_COLUMN), and no table of a survey has a
#: tenth of them.
MAX_COLUMNS = 2_000


def picked(row: Row, positions: Iterable[int]) -> Row:
    """Return the cells of a row at some positions.

    Examples
    --------
    >>> picked(("fen", "2026", "wet"), [2, 0])
    ('wet', 'fen')
    """
    return tuple(row[position] for position in positions)


def row_picker(positions: Sequence[int]) -> Callable[[Sequence[str]], Row]:
    """Return a function that picks cells as :func:`picked` does, faster for many rows.

    Examples
    --------
    >>> row_picker([1])(["fen", "wet"])
    ('wet',)
    """
    if len(positions) > 1:
        return itemgetter(*positions)
    if not positions:
        return lambda _: ()
    # `itemgetter` would return the one cell and no tuple.
    only = positions[0]
    return lambda row: (row[only],)


class Table(NamedTuple):
    """The rows of one file, as they are written there.

    Attributes
    ----------
    spec : TableSpec
        The declaration.
    file : str
        Path as the user knows it.
    rows : list of tuple of str
        Cells in header order.
    lines : list of int
        1-based physical line on which each row starts; embedded line breaks are counted.
    text : str
        The file's text, for checks of its canonical form; empty for tables made in memory.
    """

    spec: TableSpec
    file: str
    rows: list[Row]
    lines: list[int]
    text: str = ""

    def column(self, name: str) -> list[str]:
        """Return all cells of one column.

        Raises
        ------
        UsageProblem
            Where the table has no such column.
        """
        position = self.spec.position(name)
        return [row[position] for row in self.rows]

    def role_column(self, role: str) -> list[str]:
        """Return all cells of the column with a role; empty ones where no column has it."""
        column = self.spec.by_role(role)
        if column is None:
            return [""] * len(self.rows)
        return self.column(column.name)

    def by_role_cells(self) -> Iterator[dict[str, str]]:
        """Yield each row as :meth:`corpus.model.codebook.TableSpec.by_role_cells` has it."""
        return map(self.spec.by_role_cells, self.rows)

    def records(self) -> Iterator[dict[str, str]]:
        """Yield each row as a mapping of column to cell."""
        header = self.spec.header
        for row in self.rows:
            yield dict(zip(header, row, strict=True))

    def key_of(self, row: Row) -> Row:
        """Return the key cells of a row."""
        return picked(row, self.spec.key_positions)

    def keys(self) -> list[Row]:
        """Return the key cells of every row."""
        return list(map(row_picker(self.spec.key_positions), self.rows))

    def by_key(self) -> dict[Row, Row]:
        """Return the rows by their key cells; the last one where a key is a duplicate."""
        return dict(zip(self.keys(), self.rows, strict=True))

    def names(self) -> Iterator[str]:
        """Yield the name of each row; see :meth:`corpus.model.codebook.TableSpec.names_of`."""
        return self.spec.names_of(self.rows)

    def named_rows(self) -> Iterator[tuple[str, Row]]:
        """Yield each row with its name."""
        return zip(self.names(), self.rows, strict=True)

    def located_rows(self) -> Iterator[tuple[Row, int]]:
        """Yield each row with its line."""
        return zip(self.rows, self.lines, strict=True)

    def placed(self) -> Iterator[LocatedRow]:
        """Yield each row with its table and line."""
        for row, line in self.located_rows():
            yield LocatedRow(self, row, line)

    def with_rows(self, rows: list[Row]) -> Table:
        """Return the table with other rows; their lines and the file's text are no longer known."""
        return self._replace(rows=rows, lines=[0] * len(rows), text="")

    def kept(self, wanted: Iterable[bool]) -> Table:
        """Return the table with the wanted rows only, each with its line in the file."""
        rows = []
        lines = []
        for row, line, keep in zip(self.rows, self.lines, wanted, strict=True):
            if keep:
                rows.append(row)
                lines.append(line)
        return self._replace(rows=rows, lines=lines, text="")


class LocatedRow(NamedTuple):
    """One row of a table, such as an entry of the pool.

    Attributes
    ----------
    table : Table
        Where it is.
    row : tuple of str
        Its cells in header order.
    line : int
        1-based line in the file; 0 where the row was made in memory.
    """

    table: Table
    row: Row
    line: int

    @property
    def key(self) -> str:
        """What the row is called; an entry by its key."""
        return self.table.spec.name_of(self.row)

    @property
    def cells(self) -> dict[str, str]:
        """The cells by column."""
        return dict(zip(self.table.spec.header, self.row, strict=True))

    def cell(self, column: str) -> str:
        """Return the cell of a column; UsageProblem where the table has no such column."""
        return self.row[self.table.spec.position(column)]

    def terms(self, axis: str) -> Texts:
        """Return the terms in a column: none of an empty cell, several of a multi-valued one."""
        position = self.table.spec.position(axis)
        return self.table.spec.columns[position].values(self.row[position])

    def other_tags(self, tags: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
        """Yield each column, the row's cell and another reader's, where their terms differ.

        An empty cell of the other reader is none; the order of several terms does not matter.
        """
        for name, cell in tags.items():
            if cell and set(self.table.spec.column(name).values(cell)) != set(self.terms(name)):
                yield name, self.cell(name), cell

    @property
    def title(self) -> str:
        """The title; empty where the table has none."""
        return self.by_role.get("title", "")

    @property
    def identifier(self) -> str:
        """The cell of the role identifier; empty where the table has none."""
        return self.by_role.get("identifier", "")

    @property
    def by_role(self) -> dict[str, str]:
        """The cells by role; see :meth:`corpus.model.codebook.TableSpec.by_role_cells`."""
        return self.table.spec.by_role_cells(self.row)

    @property
    def is_excluded(self) -> bool:
        """Whether the record is in an exclusion log."""
        return self.table.spec.role == "exclusions"
