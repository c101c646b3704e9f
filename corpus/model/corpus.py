"""A corpus in memory: its codebook and its tables, every cell a string, every row with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from corpus.model.codebook import Codebook, TableSpec

Row = tuple[str, ...]


class Table(NamedTuple):
    """The rows of one file as they stand in it.

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
        """Return all cells of one column; UsageProblem where there is none."""
        position = self.spec.position(name)
        return [row[position] for row in self.rows]

    def records(self) -> Iterator[dict[str, str]]:
        """Yield each row as a mapping of column to cell."""
        header = self.spec.header
        for row in self.rows:
            yield dict(zip(header, row, strict=True))

    def key_of(self, row: Row) -> Row:
        """Return the key cells of a row."""
        return tuple(row[self.spec.position(name)] for name in self.spec.key)

    def by_key(self) -> dict[Row, Row]:
        """Return the rows by their key cells; the last one where a key is doubled."""
        positions = [self.spec.position(name) for name in self.spec.key]
        return {tuple(row[position] for position in positions): row for row in self.rows}


class Source(NamedTuple):
    """The file behind a document: its path as the user knows it, and its text, in which findings find their line."""

    file: str
    text: str = ""


class Study(NamedTuple):
    """Codebook, tables by name, and the other declared files (claims, protocol) as decoded TOML.

    `sources` holds the file of each document under the same name.
    """

    codebook: Codebook
    tables: Mapping[str, Table]
    root: str
    documents: Mapping[str, Mapping[str, Any]] = {}
    sources: Mapping[str, Source] = {}

    @property
    def pool(self) -> Table:
        """The table that the corpus is about."""
        return self.tables[self.codebook.pool.name]

    def by_role(self, role: str) -> list[Table]:
        """Return the loaded tables with a role, in declared order."""
        return [self.tables[spec.name] for spec in self.codebook.by_role(role) if spec.name in self.tables]
