"""What differs between two states of a corpus, by key and not by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import WorkIndex, WorkView, title_of, work
from corpus.curation.changes.declared import DeclarationChange, declaration_changes
from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.model.table import Row, Table

#: Up to so many added entries are compared with each other.
FEW = 500
ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"

#: Table -> old key -> new key.
Renamed = dict[str, dict[str, str]]


class CellChange(NamedTuple):
    """One cell of a row that both states have; a column that one of them lacks is empty there."""

    column: str
    before: str
    after: str


class RowChange(NamedTuple):
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


class Move(NamedTuple):
    """A record that left the exclusion log for the pool (`promoted`) or the reverse (`excluded`).

    `staying` tells that it is still in the table that it came from, too.
    """

    kind: str
    record: str
    key: str
    title: str
    staying: bool


class Duplicate(NamedTuple):
    """An added entry that the pool may have already; `evidence` is an identifier or ``title``."""

    key: str
    other: str
    evidence: str


class TermChange(NamedTuple):
    """A term, column, table or vocabulary that the codebook declares anew or no longer."""

    what: str
    name: str
    added: bool


class Changes(NamedTuple):
    """Everything that differs between two states.

    Attributes
    ----------
    rows : tuple of RowChange
        In the order of the tables.
    moves : tuple of Move
        Between pool and exclusion log.
    duplicates : tuple of Duplicate
        Among the added entries.
    terms : tuple of TermChange
        What the codebook declares anew or no longer.
    follow : int
        Rows that differ only because they follow a renamed key; they are not among the rows.
    documents : tuple of str
        The documents that differ, and ``codebook`` where it does.
    declarations : tuple of DeclarationChange
        Every entry of codebook and documents that differs.
    """

    rows: tuple[RowChange, ...]
    moves: tuple[Move, ...]
    duplicates: tuple[Duplicate, ...]
    terms: tuple[TermChange, ...]
    follow: int
    documents: tuple[str, ...]
    declarations: tuple[DeclarationChange, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether the two states are the same."""
        return not (self.rows or self.terms or self.documents or self.declarations)


class _Placed(NamedTuple):
    """A row with its table and line."""

    table: Table
    row: Row
    line: int

    def record(self) -> dict[str, str]:
        """The cells by column."""
        return dict(zip(self.table.spec.header, self.row, strict=True))


def compare(before: Study, after: Study) -> Changes:
    """Compare two states of a corpus; a table that one of them lacks is empty there."""
    renamed: Renamed = {}
    rows: list[RowChange] = []
    follow = 0
    specs = {**before.codebook.tables, **after.codebook.tables}
    # Tables with titles, such as the pool, come first: a renamed key is recognised by the title,
    # and followed in the other tables.
    for name in sorted(specs, key=lambda name: specs[name].by_role("title") is None):
        old, followed = _followed_rows(before.tables.get(name), renamed)
        new = _rows(after.tables.get(name))
        old_keys = _renamed_keys(old, new)
        renamed[name] = {old_key: key for key, old_key in old_keys.items()}
        rows += _row_changes(name, old, new, old_keys)
        follow += followed
    order = list(specs)
    rows.sort(key=lambda row: order.index(row.table))
    return Changes(
        rows=tuple(rows),
        moves=tuple(_moves(rows, before, after)),
        duplicates=tuple(_duplicates(rows, after)),
        terms=tuple(_term_changes(before.codebook, after.codebook)),
        follow=follow,
        documents=tuple(sorted(_changed_documents(before, after))),
        declarations=tuple(declaration_changes(before, after)),
    )


def _rows(table: Table | None) -> dict[str, _Placed]:
    if table is None:
        return {}
    found = {}
    for row, line in zip(table.rows, table.lines, strict=True):
        found[_key(table, row)] = _Placed(table, row, line)
    return found


def _key(table: Table, row: Row) -> str:
    return "/".join(table.key_of(row))


def _followed_rows(table: Table | None, renamed: Renamed) -> tuple[dict[str, _Placed], int]:
    """Return the old rows by key with renamed references replaced, and how many have some."""
    if table is None:
        return {}, 0
    references = {}
    for position, column in enumerate(table.spec.columns):
        if column.type == "ref" and renamed.get(column.references):
            references[position] = renamed[column.references]
    if not references:
        return _rows(table), 0
    found = {}
    follow = 0
    for row, line in zip(table.rows, table.lines, strict=True):
        cells = list(row)
        for position, new_keys in references.items():
            cells[position] = new_keys.get(cells[position], cells[position])
        followed = tuple(cells)
        follow += followed != row
        found[_key(table, followed)] = _Placed(table, followed, line)
    return found, follow


def _renamed_keys(old: Mapping[str, _Placed], new: Mapping[str, _Placed]) -> dict[str, str]:
    """Pair added with removed rows that are one work under another key: new key -> old key."""
    removed = {key: row for key, row in old.items() if key not in new}
    added = {key: row for key, row in new.items() if key not in old}
    pairs: dict[str, str] = {}
    if not removed or not added:
        return pairs
    index = WorkIndex({key: _work(row) for key, row in removed.items()}, len(added))
    paired = set()
    for key, row in added.items():
        if row.table.spec.by_role("title") is None:
            break
        found = index.find(_work(row))
        if found is not None and found[0] not in paired:
            pairs[key] = found[0]
            paired.add(found[0])
    return pairs


def _work(placed: _Placed) -> WorkView:
    return work(placed.table, placed.row)


def _row_changes(
    table: str, old: Mapping[str, _Placed], new: Mapping[str, _Placed], old_keys: Mapping[str, str]
) -> Iterator[RowChange]:
    """Yield the rows of a table that differ: those that are there now, then the removed ones."""
    for key, after in new.items():
        old_key = old_keys.get(key, key)
        before = old.get(old_key)
        cells = _cell_changes(before, after)
        if before is None:
            kind = ADDED
        elif key in old_keys:
            kind = RENAMED
            # The key itself is shown apart from the cells.
            cells = tuple(cell for cell in cells if cell.column not in after.table.spec.key)
        elif cells:
            kind = CHANGED
        else:
            continue
        title = title_of(after.table, after.row)
        yield RowChange(table, kind, key, old_key, title, cells, after.table.file, after.line)
    gone = old.keys() - new.keys() - set(old_keys.values())
    for key, before in old.items():
        if key in gone:
            title = title_of(before.table, before.row)
            yield RowChange(table, REMOVED, key, key, title, _cell_changes(before, None))


def _cell_changes(before: _Placed | None, after: _Placed | None) -> tuple[CellChange, ...]:
    """Return the cells that differ, in the order of the newer table; removed columns come last."""
    if before is not None and after is not None and _are_equal(before, after):
        return ()
    old = before.record() if before else {}
    new = after.record() if after else {}
    found = []
    for name in dict.fromkeys([*new, *old]):
        change = CellChange(name, old.get(name, ""), new.get(name, ""))
        if change.before != change.after:
            found.append(change)
    return tuple(found)


def _are_equal(before: _Placed, after: _Placed) -> bool:
    """Whether two rows are the same, told without looking at their cells: most rows are."""
    same_columns = before.table.spec.columns is after.table.spec.columns
    return same_columns and before.row == after.row


def _moves(rows: list[RowChange], before: Study, after: Study) -> Iterator[Move]:
    """Yield the added entries that were in the exclusion log, and the removed ones that are now."""
    added = [row for row in rows if row.kind == ADDED]
    removed = [row for row in rows if row.kind == REMOVED]
    yield from _moved("promoted", added, after, before)
    yield from _moved("excluded", removed, before, after)


def _moved(kind: str, rows: list[RowChange], here: Study, there: Study) -> Iterator[Move]:
    """Look for pool rows of one state in the exclusion logs of the other."""
    pool = here.tables.get(here.codebook.pool.name)
    wanted = [row for row in rows if pool is not None and row.table == pool.spec.name]
    if pool is None or not wanted:
        return
    views = _pool_works(pool)
    for log in there.by_role("exclusions"):
        records = {log.spec.name_of(record): work(log, record) for record in log.rows}
        index = WorkIndex(records, len(wanted))
        own = here.tables.get(log.spec.name)
        known = set(own.spec.names_of(own.rows)) if own is not None else set()
        for row in wanted:
            found = index.find(views[row.key])
            if found is None:
                continue
            record = found[0]
            if kind == "promoted" or record not in known:
                yield Move(kind, record, row.key, row.title, record in known)


def _pool_works(pool: Table) -> dict[str, WorkView]:
    return {_key(pool, row): work(pool, row) for row in pool.rows}


def _duplicates(rows: list[RowChange], after: Study) -> Iterator[Duplicate]:
    """Yield the added entries that look like an earlier one or like another added one."""
    pool = after.tables.get(after.codebook.pool.name)
    if pool is None:
        return
    added = {row.key for row in rows if row.table == pool.spec.name and row.kind == ADDED}
    if not added:
        return
    views = _pool_works(pool)
    index = WorkIndex({key: view for key, view in views.items() if key not in added}, len(added))
    earlier: dict[str, WorkView] = {}
    for key in sorted(added):
        found = index.find(views[key])
        if found is None and len(added) <= FEW:
            found = WorkIndex(earlier, 1).find(views[key])
        if found is not None:
            yield Duplicate(key, *found)
        earlier[key] = views[key]


def _term_changes(before: Codebook, after: Codebook) -> Iterator[TermChange]:
    """Compare what two codebooks declare."""
    declared = (
        ("table", set(before.tables), set(after.tables)),
        ("column", _columns(before), _columns(after)),
        ("term", _terms(before), _terms(after)),
    )
    for what, old, new in declared:
        for name in sorted(new - old):
            yield TermChange(what, name, True)
        for name in sorted(old - new):
            yield TermChange(what, name, False)


def _columns(book: Codebook) -> set[str]:
    found: set[str] = set()
    for table in book.tables.values():
        found.update(f"{table.name}.{name}" for name in table.header)
    return found


def _terms(book: Codebook) -> set[str]:
    found: set[str] = set()
    for vocabulary in book.vocabularies.values():
        found.update(f"{vocabulary.id}: {term}" for term in vocabulary.ids)
    return found


def _changed_documents(before: Study, after: Study) -> Iterator[str]:
    """Yield the documents (claims, protocol) that differ, and ``codebook`` where it differs."""
    for name in {*before.documents, *after.documents}:
        if before.documents.get(name) != after.documents.get(name):
            yield name
    if before.codebook != after.codebook:
        yield "codebook"
