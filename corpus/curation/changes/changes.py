"""What differs between two states of a corpus, by key and not by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.curation.changes.declared import DeclarationChange, declaration_changes
from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table
from corpus.model.work import Work

#: Up to so many added entries are compared with each other.
FEW = 500
ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"
#: Roles of the columns that describe a work and not what it was tagged with.
_BIBLIOGRAPHIC = frozenset(
    {"title", "first_author", "affiliation", "authors", "year", "arxiv", "doi", "venue", "url"}
)

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


class Departure(NamedTuple):
    """An entry that left the pool and is in no exclusion log.

    `other` is an entry of the pool that is the same work; empty where there is none.
    """

    key: str
    title: str
    other: str


class LeftBehind(NamedTuple):
    """A row that still has the old key of a renamed row; `line` is where it is now."""

    table: str
    key: str
    old: str
    new: str
    file: str
    line: int


class Uncorrected(NamedTuple):
    """A bibliographic cell that changed although the table of corrections has no row about it."""

    key: str
    column: str
    before: str
    after: str
    log: str


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
        Rows that differ in a renamed key that they refer to; where nothing else differs, they are
        not among the rows.
    documents : tuple of str
        The documents that differ, and ``codebook`` where it does.
    declarations : tuple of DeclarationChange
        Every entry of codebook and documents that differs.
    departures : tuple of Departure
        Entries that left the pool without a trace in an exclusion log.
    left_behind : tuple of LeftBehind
        Rows that still have a key which is renamed elsewhere.
    uncorrected : tuple of Uncorrected
        Bibliographic cells that changed without a row in the table of corrections.
    renamed : mapping of str to mapping
        Table -> old key -> new key.
    """

    rows: tuple[RowChange, ...]
    moves: tuple[Move, ...]
    duplicates: tuple[Duplicate, ...]
    terms: tuple[TermChange, ...]
    follow: int
    documents: tuple[str, ...]
    declarations: tuple[DeclarationChange, ...] = ()
    departures: tuple[Departure, ...] = ()
    left_behind: tuple[LeftBehind, ...] = ()
    uncorrected: tuple[Uncorrected, ...] = ()
    renamed: Mapping[str, Mapping[str, str]] = {}

    @property
    def nothing(self) -> bool:
        """Whether the two states are the same."""
        return not (self.rows or self.terms or self.documents or self.declarations)


def compare(before: Study, after: Study) -> Changes:
    """Compare two states of a corpus; a table that one of them lacks is empty there."""
    renamed: Renamed = {}
    rows: list[RowChange] = []
    follow = 0
    left_behind: list[LeftBehind] = []
    specs = {**before.codebook.tables, **after.codebook.tables}
    # Tables with titles, such as the pool, come first: a renamed key is recognised by the title,
    # and followed in the other tables.
    for name in sorted(specs, key=lambda name: specs[name].by_role("title") is None):
        new = _rows(after.tables.get(name))
        old, followed, behind = _followed_rows(before.tables.get(name), new, renamed)
        old_keys = _renamed_keys(old, new)
        renamed[name] = {old_key: key for key, old_key in old_keys.items()}
        rows += _row_changes(name, old, new, old_keys)
        follow += followed
        left_behind += behind
    order = list(specs)
    rows.sort(key=lambda row: order.index(row.table))
    return Changes(
        rows=tuple(rows),
        moves=tuple(_moves(rows, before, after)),
        duplicates=tuple(_duplicates(rows, after)),
        terms=tuple(_term_changes(before.codebook, after.codebook)),
        follow=follow,
        documents=tuple(sorted(_changed_documents(before, after))),
        declarations=tuple(declaration_changes(before, after, _new_keys(before, renamed))),
        departures=tuple(_departures(rows, after)),
        left_behind=tuple(left_behind),
        uncorrected=tuple(_uncorrected(rows, before, after)),
        renamed={name: new_keys for name, new_keys in renamed.items() if new_keys},
    )


def _new_keys(before: Study, renamed: Renamed) -> dict[str, str]:
    """Return the new keys of renamed entries of the pool."""
    return renamed.get(before.codebook.pool.name, {})


def with_renamed_keys(study: Study, renamed: Mapping[str, Mapping[str, str]]) -> Study:
    """Return a study in which renamed rows have their new keys, and references to them as well.

    Parameters
    ----------
    study : Study
        The older state.
    renamed : mapping of str to mapping
        Table -> old key -> new key, as :attr:`Changes.renamed` has them.
    """
    if not renamed:
        return study
    tables = {}
    for name, table in study.tables.items():
        replaced = _renamed_references(table, renamed)
        if name in renamed and len(table.spec.key) == 1:
            replaced[table.spec.key_positions[0]] = renamed[name]
        if replaced:
            table = table.with_rows([_with_new_keys(row, replaced) for row in table.rows])
        tables[name] = table
    return study.with_tables(tables)


def _rows(table: Table | None) -> dict[str, LocatedRow]:
    if table is None:
        return {}
    return {_key(table, placed.row): placed for placed in table.placed()}


def _key(table: Table, row: Row) -> str:
    return "/".join(table.key_of(row))


def _followed_rows(
    table: Table | None, new: Mapping[str, LocatedRow], renamed: Renamed
) -> tuple[dict[str, LocatedRow], int, list[LeftBehind]]:
    """Return the old rows by key, each with the new key of what it refers to.

    Only where the new row has that key, too: it is counted as following. A row that still has the
    old one is returned as it was, and listed as left behind.
    """
    found: dict[str, LocatedRow] = {}
    follow = 0
    behind: list[LeftBehind] = []
    if table is None:
        return found, follow, behind
    references = _renamed_references(table, renamed)
    for row, line in table.located_rows():
        followed = _with_new_keys(row, references) if references else row
        now = None
        if followed != row:
            # The row that it became may have the new key or the old one.
            now = new.get(_key(table, followed)) or new.get(_key(table, row))
        if now is not None:
            cells, shown = list(row), now.cells
            left: LeftBehind | None = None
            for position in references:
                old, expected = row[position], followed[position]
                cell = shown.get(table.spec.columns[position].name, "")
                # A third value is a change of the cell like any other.
                if cell == expected:
                    cells[position] = expected
                elif cell == old:
                    place = (now.table.file, now.line)
                    left = LeftBehind(table.spec.name, _key(table, row), old, expected, *place)
            if left is not None:
                behind.append(left)
            follow += tuple(cells) != row
            row = tuple(cells)
        found[_key(table, row)] = LocatedRow(table, row, line)
    return found, follow, behind


def _renamed_references(
    table: Table, renamed: Mapping[str, Mapping[str, str]]
) -> dict[int, Mapping[str, str]]:
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
    """Pair added with removed rows that are one work under another key: new key -> old key."""
    removed = {key: Work.of_row(row.table, row.row) for key, row in old.items() if key not in new}
    added = {key: row for key, row in new.items() if key not in old}
    pairs: dict[str, str] = {}
    if not removed or not added:
        return pairs
    index = WorkIndex(removed, len(added))
    paired = set()
    for key, row in added.items():
        # Without titles, rows with another key are other rows.
        if row.table.spec.by_role("title") is None:
            break
        found = index.find(Work.of_row(row.table, row.row))
        if found is not None and found[0] not in paired:
            pairs[key] = found[0]
            paired.add(found[0])
    return pairs


def _row_changes(
    table: str,
    old: Mapping[str, LocatedRow],
    new: Mapping[str, LocatedRow],
    old_keys: Mapping[str, str],
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
        title = after.title
        yield RowChange(table, kind, key, old_key, title, cells, after.table.file, after.line)
    gone = old.keys() - new.keys() - set(old_keys.values())
    for key, before in old.items():
        if key in gone:
            title = before.title
            yield RowChange(table, REMOVED, key, key, title, _cell_changes(before, None))


def _cell_changes(before: LocatedRow | None, after: LocatedRow | None) -> tuple[CellChange, ...]:
    """Return the cells that differ, in the order of the newer table; removed columns come last."""
    if before is not None and after is not None and before.row == after.row:
        # Most rows are equal: that is told without looking at their cells.
        if before.table.spec.columns is after.table.spec.columns:
            return ()
    old: dict[str, str] = {}
    new: dict[str, str] = {}
    if before is not None:
        old = before.cells
    if after is not None:
        new = after.cells
    found = []
    for name in {**new, **old}:
        if old.get(name, "") != new.get(name, ""):
            found.append(CellChange(name, old.get(name, ""), new.get(name, "")))
    return tuple(found)


def _moves(rows: list[RowChange], before: Study, after: Study) -> Iterator[Move]:
    """Yield the added entries that were in the exclusion log, and the removed ones that are now."""
    added = [row for row in rows if row.kind == ADDED]
    removed = [row for row in rows if row.kind == REMOVED]
    yield from _moved("promoted", added, after, before)
    yield from _moved("excluded", removed, before, after)


def _moved(kind: str, rows: list[RowChange], here: Study, there: Study) -> Iterator[Move]:
    """Look for pool rows of one state in the exclusion logs of the other."""
    pool = here.tables.get(here.codebook.pool.name)
    if pool is None:
        return
    wanted = [row for row in rows if row.table == pool.spec.name]
    if not wanted:
        return
    views = _pool_works(pool)
    for log in there.by_role("exclusions"):
        records = {name: Work.of_row(log, row) for name, row in log.named_rows()}
        index = WorkIndex(records, len(wanted))
        known: set[str] = set()
        if log.spec.name in here.tables:
            known.update(here.tables[log.spec.name].names())
        for row in wanted:
            found = index.find(views[row.key])
            if found is None:
                continue
            record = found[0]
            if kind == "promoted" or record not in known:
                yield Move(kind, record, row.key, row.title, record in known)


def _departures(rows: list[RowChange], after: Study) -> Iterator[Departure]:
    """Yield the entries that left the pool and are in no exclusion log."""
    pool = after.codebook.pool.name
    gone = [row for row in rows if row.table == pool and row.kind == REMOVED]
    declared = {spec.name for spec in after.codebook.by_role("exclusions")}
    # In a log that could not be read, any of them may be.
    if not gone or not {pool, *declared} <= after.tables.keys():
        return
    logs = []
    for log in after.by_role("exclusions"):
        records = {name: Work.of_row(log, row) for name, row in log.named_rows()}
        logs.append(WorkIndex(records, len(gone)))
    entries = WorkIndex(_pool_works(after.tables[pool]), len(gone))
    for row in gone:
        view = _work_of_removed(row, after)
        if any(log.find(view) for log in logs):
            continue
        other = ""
        same = entries.find(view)
        if same is not None:
            other = same[0]
        yield Departure(row.key, row.title, other)


def _work_of_removed(row: RowChange, after: Study) -> Work:
    """Return the identifiers and the title of a row that is known by its cells only."""
    table = after.tables[row.table]
    cells = {cell.column: cell.before for cell in row.cells}
    return Work.of_row(table, tuple(cells.get(name, "") for name in table.spec.header))


def _uncorrected(rows: list[RowChange], before: Study, after: Study) -> Iterator[Uncorrected]:
    """Yield bibliographic cells that changed while no row of the corrections has the new value."""
    for log in after.by_role("corrections"):
        known = corrections(log)
        # A correction that is taken back leaves the cell as it was published: no row is needed.
        published: dict[tuple[str, str], str] = {}
        if log.spec.name in before.tables:
            published = corrections(before.tables[log.spec.name], "before")
        corrected = [column.references for column in log.spec.columns if column.type == "column"]
        for row in rows:
            if row.table not in corrected or row.kind not in (CHANGED, RENAMED):
                continue
            spec = after.tables[row.table].spec
            for cell in row.cells:
                if cell.column not in spec.header:
                    continue
                if spec.columns[spec.position(cell.column)].role not in _BIBLIOGRAPHIC:
                    continue
                place = (row.key, cell.column)
                is_back = published.get((row.old_key, cell.column)) == cell.after
                if known.get(place) != cell.after and not is_back:
                    yield Uncorrected(*place, cell.before, cell.after, log.spec.name)


def corrections(log: Table, value: str = "after") -> dict[tuple[str, str], str]:
    """Return what a table of corrections has for each key and column: the cell of role `value`."""
    found: dict[tuple[str, str], str] = {}
    for cells in log.by_role_cells():
        if {"key", "column", value} <= cells.keys():
            found[cells["key"], cells["column"]] = cells[value]
    return found


def _pool_works(pool: Table) -> dict[str, Work]:
    return {_key(pool, row): Work.of_row(pool, row) for row in pool.rows}


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
    earlier = WorkIndex({}, len(added))
    for key in sorted(added):
        found = index.find(views[key])
        if found is None and len(added) <= FEW:
            found = earlier.find(views[key])
        if found is not None:
            yield Duplicate(key, *found)
        earlier.add(key, views[key])


def _term_changes(before: Codebook, after: Codebook) -> Iterator[TermChange]:
    """Compare what two codebooks declare."""
    old, new = _declared(before), _declared(after)
    for what in old:
        for name in sorted(new[what] - old[what]):
            yield TermChange(what, name, True)
        for name in sorted(old[what] - new[what]):
            yield TermChange(what, name, False)


def _declared(book: Codebook) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"table": set(book.tables), "column": set(), "term": set()}
    for table in book.tables.values():
        found["column"].update(f"{table.name}.{name}" for name in table.header)
    for vocabulary in book.vocabularies.values():
        found["term"].update(f"{vocabulary.id}: {term}" for term in vocabulary.ids)
    return found


def _changed_documents(before: Study, after: Study) -> Iterator[str]:
    """Yield the documents (claims, protocol) that differ, and ``codebook`` where it differs."""
    for name in {*before.documents, *after.documents}:
        if before.documents.get(name) != after.documents.get(name):
            yield name
    if before.codebook._replace(file=after.codebook.file) != after.codebook:
        yield "codebook"
