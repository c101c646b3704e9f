"""One paper of the pool: its key, its cells by column, its terms by axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from corpus.model.codebook import Column, TableSpec
from corpus.model.table import Row


class Entry(NamedTuple):
    """One row of the pool.

    Attributes
    ----------
    spec : TableSpec
        The declaration of the pool.
    row : tuple of str
        Its cells in header order.
    line : int
        1-based line in the file; 0 where the entry was made in memory.

    Examples
    --------
    >>> column = Column("id", "key", "Key", "", "", True, "", "", "", False)
    >>> spec = TableSpec("pool", "pool.csv", "Pool", "", "pool", ("id",), (column,))
    >>> Entry(spec, ("fen-2026",), 2).key
    'fen-2026'
    """

    spec: TableSpec
    row: Row
    line: int = 0

    @property
    def key(self) -> str:
        """The key; the pool has one key column, which the codebook's parser makes sure of."""
        return self.row[self.spec.position(self.spec.key[0])]

    def cell(self, column: str) -> str:
        """Return the cell of a column; UsageProblem where the pool has no such column."""
        return self.row[self.spec.position(column)]

    def terms(self, axis: str) -> tuple[str, ...]:
        """Return the terms in a column: none of an empty cell, several of a multi-valued one."""
        position = self.spec.position(axis)
        return self.spec.columns[position].values(self.row[position])

    def by_role(self, role: str) -> str:
        """Return the cell of the column with a role, such as title; empty without one."""
        column = self.spec.by_role(role)
        return self.cell(column.name) if column else ""

    def cells(self) -> Iterator[tuple[Column, str]]:
        """Yield every column with its cell, in header order."""
        yield from zip(self.spec.columns, self.row, strict=True)

    def as_dict(self) -> dict[str, str]:
        """Return the cells by column name."""
        return dict(zip(self.spec.header, self.row, strict=True))
