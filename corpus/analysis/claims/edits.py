"""Edits of single rows, as the margin of a claim and the scenarios apply them; a corpus is never changed in place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.model.study import Study
from corpus.model.table import Row, Table


class Edit(NamedTuple):
    """One row added (`before` empty), removed (`after` empty) or changed.

    Rows are whole: every cell in header order.
    """

    table: str
    before: Row | None
    after: Row | None

    @property
    def kind(self) -> str:
        """``add``, ``remove`` or ``change``."""
        return "add" if self.before is None else "remove" if self.after is None else "change"


def apply_edits(corpus: Study, edits: Iterable[Edit]) -> Study:
    """Return the corpus with the edits made; each `before` is taken out once."""
    by_table: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_table[edit.table].append(edit)
    tables = dict(corpus.tables)
    for name, own in by_table.items():
        tables[name] = _edited(tables[name], own)
    return corpus.with_tables(tables)


def _edited(table: Table, edits: list[Edit]) -> Table:
    rows: list[Row | None] = list(table.rows)
    for edit in edits:
        if edit.before is None:
            rows.append(edit.after)
        else:
            rows[rows.index(edit.before)] = edit.after
    return table.with_rows([row for row in rows if row is not None])


def changed_row(table: Table, row: Row, cells: Mapping[str, str]) -> Row:
    """Return the row with some cells set, given by column name."""
    new = list(row)
    for name, cell in cells.items():
        new[table.spec.position(name)] = cell
    return tuple(new)


def describe(edits: Sequence[Edit], tables: Mapping[str, Table]) -> str:
    """Say edits in a line, alike ones together.

    Returns
    -------
    str
        Such as ``change 12 rows of pool (category: rl_method -> benchmark)``.
    """
    groups: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Edit]] = {}
    for edit in edits:
        groups.setdefault((edit.kind, edit.table, _new_cells(edit, tables[edit.table])), []).append(edit)
    return "; ".join(_said(kind, tables[name], cells, some) for (kind, name, cells), some in groups.items())


def _new_cells(edit: Edit, table: Table) -> tuple[tuple[str, str], ...]:
    """Return the cells that an edit writes: those of an added row without its key, those that change."""
    if edit.after is None:
        return ()
    spec, blank = table.spec, ("",) * len(table.spec.columns)
    pairs = zip(spec.header, edit.before or blank, edit.after, strict=True)
    return tuple((name, new) for name, old, new in pairs if old != new and (edit.before or name not in spec.key))


def _said(kind: str, table: Table, cells: tuple[tuple[str, str], ...], edits: Sequence[Edit]) -> str:
    """Say one group of edits that write the same cells."""
    words = []
    for name, new in cells:
        position = table.spec.position(name)
        old = {edit.before[position] for edit in edits if edit.before}
        before = f"{old.pop() or 'empty'} -> " if len(old) == 1 else "-> " if old else ""
        words.append(f"{name}: {before}{new or 'empty'}")
    keys = ["/".join(table.key_of(edit.before)) for edit in edits if edit.before]
    rows = f"{len(edits)} rows" if len(edits) > 1 else "1 row"
    if keys and len(keys) <= 3:
        rows = ("rows " if len(keys) > 1 else "row ") + ", ".join(keys)
    preposition = {"add": "to", "remove": "from", "change": "of"}[kind]
    return f"{kind} {rows} {preposition} {table.spec.name}" + (f" ({', '.join(words)})" if words else "")
