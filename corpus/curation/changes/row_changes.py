"""Which rows differ between two states of a corpus, by key and not by line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple

from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table
from corpus.model.work import Work

ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"

#: Table -> old key -> new key.
Renamed = Mapping[str, Mapping[str, str]]


class CellChange(NamedTuple):
    """One cell of a row that both states have; a column that one of them lacks is empty there."""

    column: str
    before: str
    after: str


@dataclass(frozen=True)
class RowChange:
    """One row that differs.

    Attributes
    ----------
    table : str
        Name of the table.
    kind : str
        ``added``, ``removed``, ``changed`` or ``renamed`` (other cells may differ too).
    key, old_key : str
        Key cells joined by ``/``; `old_key` differs from `key` in a renamed row only.
    title : str
        The row's title, where its table has a column with that role.
    cells : tuple of CellChange
        Every filled cell of an added or removed row, else the cells that differ.
    file, line : str, int
        Where the row is now; empty and 0 for a removed row.
    """

    table: str
    kind: str
    key: str
    old_key: str
    title: str
    cells: tuple[CellChange, ...]
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class RowChanges:
    """The rows that differ, in the order of the tables, and the keys that were followed.

    Attributes
    ----------
    rows : list of RowChange
        A row that differs in a followed key alone is not among them.
    renamed : mapping of str to mapping
        Table -> old key -> new key.
    """

    rows: list[RowChange]
    renamed: Renamed

    def of(self, kind: str, table: str) -> list[RowChange]:
        """Return the changes of a kind in a table."""
        return [row for row in self.rows if (row.kind, row.table) == (kind, table)]

    def altered(self, *tables: str) -> list[RowChange]:
        """Return the rows that both states have, of some tables or of all."""
        changed = [row for row in self.rows if row.kind in (CHANGED, RENAMED)]
        return [row for row in changed if not tables or row.table in tables]


def compare_rows(before: Study, after: Study) -> RowChanges:
    """Compare two states of a corpus; a table that one of them lacks is empty there."""
    renamed: dict[str, dict[str, str]] = {}
    by_table: dict[str, list[RowChange]] = {}
    specs = {**before.codebook.tables, **after.codebook.tables}
    # Tables with titles, such as the pool, come first: a renamed key is recognised by the title,
    # and followed in the other tables.
    for name in sorted(specs, key=lambda name: specs[name].by_role("title") is None):
        nothing = Table(specs[name], "", [], [])
        older = before.tables.get(name, nothing)
        new = {_key(row): row for row in after.tables.get(name, nothing).placed()}
        old = {}
        references = renamed_references(older, renamed)
        for was in {_key(row): row for row in older.placed()}.values():
            now = _followed(was, new, references) if references else was
            old[_key(now)] = now
        renamed[name] = _renamed_keys(old, new)
        by_table[name] = list(_row_changes(old, new, renamed[name]))
    rows = [row for name in specs for row in by_table[name]]
    return RowChanges(rows, {name: keys for name, keys in renamed.items() if keys})


def with_renamed_keys(study: Study, renamed: Renamed) -> Study:
    """Return a study in which renamed rows have their new keys, and references to them as well."""
    tables = {}
    for name, table in study.tables.items():
        replaced = renamed_references(table, renamed)
        if name in renamed and len(table.spec.key) == 1:
            replaced[table.spec.key_positions[0]] = renamed[name]
        if replaced:
            table = table.with_rows([with_new_cells(row, replaced) for row in table.rows])
        tables[name] = table
    return study.with_tables(tables)


def _key(placed: LocatedRow) -> str:
    return "/".join(placed.table.key_of(placed.row))


def _followed(
    was: LocatedRow, new: Mapping[str, LocatedRow], references: Mapping[int, Mapping[str, str]]
) -> LocatedRow:
    """Return an older row with the new keys of what it refers to, where the new row has them."""
    followed = was._replace(row=with_new_cells(was.row, references))
    # The row that it became may have the new key or the old one.
    now = new.get(_key(followed)) or new.get(_key(was))
    cells = list(was.row)
    if now is None:
        return was
    for position in references:
        # A third value is a change of the cell like any other.
        if now.cells.get(was.table.spec.header[position]) == followed.row[position]:
            cells[position] = followed.row[position]
    return was._replace(row=tuple(cells))


def renamed_references(table: Table, renamed: Renamed) -> dict[int, Mapping[str, str]]:
    """Return the columns that refer to a table with renamed keys: position -> old -> new key."""
    found = {}
    for position, column in enumerate(table.spec.columns):
        if column.type == "ref" and renamed.get(column.references):
            found[position] = renamed[column.references]
    return found


def with_new_cells(row: Row, replaced: Mapping[int, Mapping[str, str]]) -> Row:
    """Return a row with other values in some columns: position -> old -> new value."""
    cells = list(row)
    for position, new_keys in replaced.items():
        cells[position] = new_keys.get(cells[position], cells[position])
    return tuple(cells)


def _renamed_keys(old: Mapping[str, LocatedRow], new: Mapping[str, LocatedRow]) -> dict[str, str]:
    """Pair removed with added rows that are one work under another key: old key -> new key."""
    removed = {key: Work.of_row(row.table, row.row) for key, row in old.items() if key not in new}
    added = {key: row for key, row in new.items() if key not in old}
    index = WorkIndex(removed)
    pairs: dict[str, str] = {}
    for key, row in added.items():
        # Without titles, rows with another key are other rows.
        if not removed or row.table.spec.by_role("title") is None:
            break
        found = index.find(Work.of_row(row.table, row.row))
        if found:
            pairs.setdefault(found, key)
    return pairs


def _row_changes(
    old: Mapping[str, LocatedRow], new: Mapping[str, LocatedRow], new_keys: Mapping[str, str]
) -> Iterator[RowChange]:
    """Yield the rows of a table that differ: those that are there now, then the removed ones."""
    old_keys = {new_key: old_key for old_key, new_key in new_keys.items()}
    for key, after in new.items():
        spec = after.table.spec
        before = old.get(old_keys.get(key, key))
        # Most rows are equal: that is told without looking at their cells.
        if before and before.row == after.row and before.table.spec.columns is spec.columns:
            if key not in old_keys:
                continue
        kind = ADDED if before is None else RENAMED if key in old_keys else CHANGED
        cells = differing_cells(before.cells if before else {}, after.cells)
        if kind == RENAMED:  # the key itself is shown apart from the cells
            cells = tuple(cell for cell in cells if cell.column not in spec.key)
        if cells or kind != CHANGED:
            names = (spec.name, kind, key, old_keys.get(key, key), after.title)
            yield RowChange(*names, cells, after.table.file, after.line)
    for key, before in old.items():
        if key not in new and key not in new_keys:
            cells = differing_cells(before.cells, {})
            yield RowChange(before.table.spec.name, REMOVED, key, key, before.title, cells)


def differing_cells(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[CellChange, ...]:
    """Return the cells that differ, in the order of the newer table; removed columns come last."""
    return tuple(starmap(CellChange, differing(old, new, "")))


def differing(
    old: Mapping[Any, Any], new: Mapping[Any, Any], missing: Any
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield what differs between two mappings: the name, the older and the newer value.

    Examples
    --------
    >>> list(differing({"fen": 1, "bog": 2}, {"mire": 3, "bog": 2}, 0))
    [('mire', 0, 3), ('fen', 1, 0)]
    """
    for name in {**new, **old}:
        was, now = old.get(name, missing), new.get(name, missing)
        if was != now:
            yield name, was, now
