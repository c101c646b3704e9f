"""What differs between two states of a corpus, by key and not by line."""

from collections.abc import Iterator, Mapping
from itertools import starmap
from typing import Any, NamedTuple

from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.curation.changes.declared import (
    ADDED,
    CHANGED,
    REMOVED,
    DeclarationChange,
    declaration_changes,
)
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table
from corpus.model.work import Work

RENAMED = "renamed"
#: Roles of the columns that describe a work and not what it was tagged with.
_BIBLIOGRAPHIC = frozenset(
    {"title", "first_author", "affiliation", "authors", "year", "arxiv", "doi", "venue", "url"}
)

#: What is known about one thing, by name.
Facts = dict[str, Any]

#: Table -> old key -> new key.
Renamed = Mapping[str, Mapping[str, str]]


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


class Changes(NamedTuple):
    """Everything that differs between two states.

    Attributes
    ----------
    rows : tuple of RowChange
        In the order of the tables.
    follow : int
        Rows that differ in a renamed key that they refer to; where nothing else differs, they are
        not among the rows.
    documents : tuple of str
        The documents that differ, and ``codebook`` where it does.
    declarations : tuple of DeclarationChange
        Every entry of codebook and documents that differs.
    notices : mapping of str to list of dict
        What else a reader has to know, each as `corpus diff --format json` shows it: ``moves`` of
        records between pool and exclusion log, ``duplicates`` among the added entries,
        ``departures`` of entries without a trace in an exclusion log, rows ``left_behind`` with a
        key that is renamed elsewhere, and ``uncorrected`` bibliographic cells without a row in the
        table of corrections.
    renamed : mapping of str to mapping
        Table -> old key -> new key.
    """

    rows: tuple[RowChange, ...]
    follow: int = 0
    documents: tuple[str, ...] = ()
    declarations: tuple[DeclarationChange, ...] = ()
    notices: Mapping[str, list[Facts]] = {}
    renamed: Mapping[str, Mapping[str, str]] = {}

    def told(self, kind: str) -> list[Facts]:
        """Return the notices of a kind."""
        return self.notices.get(kind, [])


def compare(before: Study, after: Study) -> Changes:
    """Compare two states of a corpus; a table that one of them lacks is empty there."""
    renamed: dict[str, dict[str, str]] = {}
    rows: list[RowChange] = []
    follow = 0
    left_behind: list[Facts] = []
    specs = {**before.codebook.tables, **after.codebook.tables}
    # Tables with titles, such as the pool, come first: a renamed key is recognised by the title,
    # and followed in the other tables.
    for name in sorted(specs, key=lambda name: specs[name].by_role("title") is None):
        nothing = Table(specs[name], "", [], [])
        older = before.tables.get(name, nothing)
        new = _rows_by_key(after.tables.get(name, nothing))
        old = {}
        references = _renamed_references(older, renamed)
        for was in _rows_by_key(older).values():
            now = _followed(was, new, references, left_behind)
            old[_key(now)] = now
            follow += now.row != was.row
        renamed[name] = _renamed_keys(old, new)
        rows += _row_changes(old, new, renamed[name])
    order = list(specs)
    rows.sort(key=lambda row: order.index(row.table))
    # Those of the pool; an entry that moves is in the pool of one of the states alone.
    added = [row for row in rows if (row.table, row.kind) == (after.codebook.pool.name, ADDED)]
    removed = [row for row in rows if (row.table, row.kind) == (before.codebook.pool.name, REMOVED)]
    left = list(_moves("excluded", removed, before, after))
    traced = {move["key"] for move in left}
    documents = [name for name, *_ in differing(before.documents, after.documents, None)]
    if before.codebook._replace(file=after.codebook.file) != after.codebook:
        documents.append("codebook")
    return Changes(
        rows=tuple(rows),
        follow=follow,
        documents=tuple(sorted(documents)),
        declarations=tuple(declaration_changes(before, after, renamed[before.codebook.pool.name])),
        notices={
            "moves": [
                *_moves("promoted", added, after, before),
                *(move for move in left if not move["staying"]),
            ],
            "duplicates": list(_duplicates(added, after)),
            "departures": list(_departures(removed, traced, before, after)),
            "left_behind": left_behind,
            "uncorrected": list(_uncorrected(rows, before, after)),
        },
        renamed={name: new_keys for name, new_keys in renamed.items() if new_keys},
    )


def with_renamed_keys(study: Study, renamed: Renamed) -> Study:
    """Return a study in which renamed rows have their new keys, and references to them as well.

    Parameters
    ----------
    study : Study
        The older state.
    renamed : mapping of str to mapping
        Table -> old key -> new key, as :attr:`Changes.renamed` has them.
    """
    tables = {}
    for name, table in study.tables.items():
        replaced = _renamed_references(table, renamed)
        if name in renamed and len(table.spec.key) == 1:
            replaced[table.spec.key_positions[0]] = renamed[name]
        if replaced:
            table = table.with_rows([_with_new_keys(row, replaced) for row in table.rows])
        tables[name] = table
    return study.with_tables(tables)


def _rows_by_key(table: Table) -> dict[str, LocatedRow]:
    return {_key(placed): placed for placed in table.placed()}


def _key(placed: LocatedRow) -> str:
    return "/".join(placed.table.key_of(placed.row))


def _followed(
    was: LocatedRow,
    new: Mapping[str, LocatedRow],
    references: Mapping[int, Mapping[str, str]],
    left_behind: list[Facts],
) -> LocatedRow:
    """Return an older row with the new key of what it refers to, where the new row has that key.

    A row that still has the old one is returned as it was, and listed as left behind.
    """
    spec, row = was.table.spec, was.row
    followed = was._replace(row=_with_new_keys(row, references))
    if followed.row == row:
        return was
    # The row that it became may have the new key or the old one.
    now = new.get(_key(followed)) or new.get(_key(was))
    if now is None:
        return was
    cells = list(row)
    stays = {}
    for position in references:
        old, expected = row[position], followed.row[position]
        cell = now.cells.get(spec.header[position], "")
        # A third value is a change of the cell like any other.
        if cell == expected:
            cells[position] = expected
        elif cell == old:
            stays = {"table": spec.name, "key": _key(was), "old": old, "new": expected}
    if stays:
        left_behind.append({**stays, "file": now.table.file, "line": now.line})
    return was._replace(row=tuple(cells))


def _renamed_references(table: Table, renamed: Renamed) -> dict[int, Mapping[str, str]]:
    """Return the columns that refer to a table with renamed keys: position -> old -> new key."""
    found = {}
    for position, column in enumerate(table.spec.columns):
        if column.type == "ref" and renamed.get(column.references):
            found[position] = renamed[column.references]
    return found


def _with_new_keys(row: Row, replaced: Mapping[int, Mapping[str, str]]) -> Row:
    cells = list(row)
    for position, new_keys in replaced.items():
        cells[position] = new_keys.get(cells[position], cells[position])
    return tuple(cells)


def _renamed_keys(old: Mapping[str, LocatedRow], new: Mapping[str, LocatedRow]) -> dict[str, str]:
    """Pair removed with added rows that are one work under another key: old key -> new key."""
    removed = {key: Work.of_row(row.table, row.row) for key, row in old.items() if key not in new}
    added = {key: row for key, row in new.items() if key not in old}
    index = WorkIndex(removed, len(added))
    pairs: dict[str, str] = {}
    for key, row in added.items():
        # Without titles, rows with another key are other rows.
        if not removed or row.table.spec.by_role("title") is None:
            break
        found = index.find(Work.of_row(row.table, row.row))
        if found is not None:
            pairs.setdefault(found[0], key)
    return pairs


def _row_changes(
    old: Mapping[str, LocatedRow], new: Mapping[str, LocatedRow], new_keys: Mapping[str, str]
) -> Iterator[RowChange]:
    """Yield the rows of a table that differ: those that are there now, then the removed ones."""
    old_keys = {new_key: old_key for old_key, new_key in new_keys.items()}
    for key, after in new.items():
        spec = after.table.spec
        kind = ADDED
        was = {}
        before = old.get(old_keys.get(key, key))
        if before is not None:
            # Most rows are equal: that is told without looking at their cells.
            if before.row == after.row and before.table.spec.columns is spec.columns:
                continue
            kind = CHANGED
            was = before.cells
        cells = _cell_changes(was, after.cells)
        if key in old_keys:
            kind = RENAMED
            # The key itself is shown apart from the cells.
            cells = tuple(cell for cell in cells if cell.column not in spec.key)
        if cells or kind != CHANGED:
            names = (spec.name, kind, key, old_keys.get(key, key), after.title)
            yield RowChange(*names, cells, after.table.file, after.line)
    gone = old.keys() - new.keys() - new_keys.keys()
    for key, before in old.items():
        if key in gone:
            cells = _cell_changes(before.cells, {})
            yield RowChange(before.table.spec.name, REMOVED, key, key, before.title, cells)


def _cell_changes(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[CellChange, ...]:
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


def _moves(kind: str, rows: list[RowChange], here: Study, there: Study) -> Iterator[Facts]:
    """Yield the pool rows of one state that are in an exclusion log of the other.

    `staying` are those whose record is in both states.
    """
    if not rows:
        return
    works = _works(here.pool)
    for log in there.by_role("exclusions"):
        index = WorkIndex(_works(log), len(rows))
        known: set[str] = set()
        if log.spec.name in here.tables:
            known.update(here.tables[log.spec.name].names())
        for row in rows:
            found = index.find(works[row.key])
            if found is not None:
                move = {"kind": kind, "record": found[0], "key": row.key, "title": row.title}
                yield {**move, "staying": found[0] in known}


def _departures(
    removed: list[RowChange], traced: set[str], before: Study, after: Study
) -> Iterator[Facts]:
    """Yield the entries that left the pool and are in no exclusion log, each with the same work."""
    pool = after.codebook.pool.name
    declared = {spec.name for spec in after.codebook.by_role("exclusions")}
    # In a log that could not be read, any of them may be. A pool of another name is another one.
    if pool != before.codebook.pool.name or not {pool, *declared} <= after.tables.keys():
        return
    works = _works(before.pool)
    entries = WorkIndex(_works(after.pool), len(removed))
    for row in removed:
        if row.key not in traced:
            other, _ = entries.find(works[row.key]) or ("", "")
            yield {"key": row.key, "title": row.title, "other": other}


def _uncorrected(rows: list[RowChange], before: Study, after: Study) -> Iterator[Facts]:
    """Yield bibliographic cells that changed while no row of the corrections has the new value."""
    for log in after.by_role("corrections"):
        known = corrections(log)
        # A correction that is taken back leaves the cell as it was published: no row is needed.
        published = {}
        if log.spec.name in before.tables:
            published = corrections(before.tables[log.spec.name], "before")
        corrected = {column.references for column in log.spec.columns if column.type == "column"}
        for row in rows:
            if row.table not in corrected or row.kind not in (CHANGED, RENAMED):
                continue
            roles = {column.name: column.role for column in after.tables[row.table].spec.columns}
            for cell in row.cells:
                is_back = published.get((row.old_key, cell.column)) == cell.after
                is_known = known.get((row.key, cell.column)) == cell.after
                if roles.get(cell.column) in _BIBLIOGRAPHIC and not is_known and not is_back:
                    yield {"key": row.key, **cell._asdict(), "log": log.spec.name}


def corrections(log: Table, value: str = "after") -> dict[tuple[str, str], str]:
    """Return what a table of corrections has for each key and column: the cell of role `value`."""
    found = {}
    for cells in log.by_role_cells():
        found[cells.get("key", ""), cells.get("column", "")] = cells.get(value, "")
    return found


def _works(table: Table) -> dict[str, Work]:
    return {name: Work.of_row(table, row) for name, row in table.named_rows()}


def _duplicates(rows: list[RowChange], after: Study) -> Iterator[Facts]:
    """Yield the added entries that look like an earlier one or like another added one."""
    if not rows:
        return
    added = {row.key for row in rows}
    works = _works(after.pool)
    index = WorkIndex({key: work for key, work in works.items() if key not in added}, len(added))
    for key in sorted(added):
        found = index.find(works[key])
        if found is not None:
            yield {"key": key, "other": found[0], "evidence": found[1]}
        index.add(key, works[key])
