"""What differs between two states of a corpus, by key and not by line: rows, cells, renamed keys, moves, terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import WorkIndex, WorkView, title_of, work
from corpus.curation.changes.declared import DeclarationChange, declaration_changes
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.study import Study
from corpus.model.table import Row, Table

#: Up to so many added entries are compared with each other.
FEW = 500
ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"


class CellChange(NamedTuple):
    """One cell of a row that both states have; a column that one of them lacks counts as empty there."""

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
        ``added``, ``removed``, ``changed`` or ``renamed`` (another key; other cells may differ too).
    key, old_key : str
        Key cells joined by ``/``; `old_key` differs from `key` in a renamed row only.
    title : str
        The row's title, where its table has a column with that role.
    cells : tuple of CellChange
        All cells of an added or removed row that hold something, else those that differ.
    file, line : str, int
        Where the row stands now; empty and 0 for a removed row.
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
    """A record that left the exclusion log for the pool (`promoted`) or the other way round (`excluded`).

    `staying` says that it still stands where it came from, too.
    """

    kind: str
    record: str
    key: str
    title: str
    staying: bool


class Duplicate(NamedTuple):
    """An added entry that may be a work which the pool has already; `evidence` is a shared identifier or a title."""

    key: str
    other: str
    evidence: str


class TermChange(NamedTuple):
    """A term, column, table or vocabulary that the codebook declares anew or no longer."""

    what: str
    name: str
    added: bool


class Changes(NamedTuple):
    """Everything that differs between two states; `follow` counts rows that merely follow a renamed key.

    `terms` names what the codebook declares anew or no longer, `declarations` every entry of codebook and documents
    that differs.
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


def compare(before: Study, after: Study) -> Changes:
    """Compare two states of a corpus; tables that one of them lacks count as empty there."""
    renamed: dict[str, dict[str, str]] = {}
    rows: list[RowChange] = []
    follow = 0
    specs = {**before.codebook.tables, **after.codebook.tables}
    # The pool and other tables with titles first: a renamed key is recognised there and followed elsewhere.
    for name in sorted(specs, key=lambda name: specs[name].by_role("title") is None):
        old, new = before.tables.get(name), after.tables.get(name)
        if old is None and new is None:
            continue
        changes, names, following = _table_changes(old, new, specs[name], renamed)
        if names:
            renamed[name] = names
        rows += changes
        follow += following
    order = list(specs)
    rows.sort(key=lambda row: order.index(row.table))
    return Changes(
        rows=tuple(rows),
        moves=tuple(_moves(rows, before, after)),
        duplicates=tuple(_duplicates(rows, after)),
        terms=tuple(_term_changes(before.codebook, after.codebook)),
        follow=follow,
        documents=tuple(sorted(_documents(before, after))),
        declarations=tuple(declaration_changes(before, after)),
    )


def _table_changes(
    old: Table | None, new: Table | None, spec: TableSpec, renamed: Mapping[str, Mapping[str, str]]
) -> tuple[list[RowChange], dict[str, str], int]:
    """Return the changed rows of one table, the keys renamed in it (old -> new), and the rows that follow others."""
    olds, follow = _following(old, renamed)
    news = {key: (row, line) for key, row, line in _keyed(new)}
    gone = [key for key in olds if key not in news]
    come = [key for key in news if key not in olds]
    pairs = _same_works(gone, come, old, new, olds, news)
    changes = []
    for key, (row, line) in news.items():
        before = olds.get(pairs.get(key, key))
        if before is None:
            cells = _cells(None, (new, row))
            changes.append(
                RowChange(spec.name, ADDED, key, key, _title(new, row), cells, new.file if new else "", line)
            )
            continue
        cells = _cells((old, before), (new, row), skip=spec.key if key in pairs else ())
        if key in pairs:
            changes.append(
                RowChange(spec.name, RENAMED, key, pairs[key], _title(new, row), cells, new.file if new else "", line)
            )
        elif cells:
            changes.append(
                RowChange(spec.name, CHANGED, key, key, _title(new, row), cells, new.file if new else "", line)
            )
    for key in gone:
        if key not in pairs.values():
            row = olds[key]
            changes.append(RowChange(spec.name, REMOVED, key, key, _title(old, row), _cells((old, row), None)))
    return changes, {old_key: key for key, old_key in pairs.items()}, follow


def _keyed(table: Table | None) -> Iterator[tuple[str, Row, int]]:
    if table is not None:
        for row, line in zip(table.rows, table.lines, strict=True):
            yield "/".join(table.key_of(row)), row, line


def _following(old: Table | None, renamed: Mapping[str, Mapping[str, str]]) -> tuple[dict[str, Row], int]:
    """Return the old rows by key, with references to renamed keys brought up to date, and how many there were."""
    found: dict[str, Row] = {}
    follow = 0
    for key, row, _ in _keyed(old):
        assert old is not None
        cells = list(row)
        for position, column in enumerate(old.spec.columns):
            if column.type == "ref":
                cells[position] = renamed.get(column.references, {}).get(cells[position], cells[position])
        if tuple(cells) != row:
            follow += 1
            key = "/".join(old.key_of(tuple(cells)))
        found[key] = tuple(cells)
    return found, follow


def _same_works(
    gone: list[str],
    come: list[str],
    old: Table | None,
    new: Table | None,
    olds: Mapping[str, Row],
    news: Mapping[str, tuple[Row, int]],
) -> dict[str, str]:
    """Pair added with removed rows that are one work under another key: new key -> old key."""
    pairs: dict[str, str] = {}
    if old is None or new is None or new.spec.by_role("title") is None:
        return pairs
    index = WorkIndex({key: work(old, olds[key]) for key in gone}, len(come))
    for key in come:
        found = index.find(work(new, news[key][0]))
        if found is not None and found[0] not in pairs.values():
            pairs[key] = found[0]
    return pairs


def _title(table: Table | None, row: Row) -> str:
    return "" if table is None else title_of(table, row)


def _cells(
    before: tuple[Table | None, Row] | None, after: tuple[Table | None, Row] | None, skip: tuple[str, ...] = ()
) -> tuple[CellChange, ...]:
    """Return the cells that differ, in the order of the newer table; columns that are gone come last."""
    old = _record(before)
    new = _record(after)
    names = dict.fromkeys([*new, *old])
    return tuple(
        CellChange(name, old.get(name, ""), new.get(name, ""))
        for name in names
        if name not in skip and old.get(name, "") != new.get(name, "")
    )


def _record(side: tuple[Table | None, Row] | None) -> dict[str, str]:
    if side is None or side[0] is None:
        return {}
    return dict(zip(side[0].spec.header, side[1], strict=True))


def _moves(rows: list[RowChange], before: Study, after: Study) -> Iterator[Move]:
    """Say which added entries stood in the exclusion log, and which removed ones stand there now."""
    yield from _moved("promoted", [row for row in rows if row.kind == ADDED], after, before)
    yield from _moved("excluded", [row for row in rows if row.kind == REMOVED], before, after)


def _moved(kind: str, rows: list[RowChange], here: Study, there: Study) -> Iterator[Move]:
    """Look for pool rows of one state in the exclusion logs of the other."""
    pool = here.tables.get(here.codebook.pool.name)
    wanted = [row for row in rows if pool is not None and row.table == pool.spec.name]
    if pool is None or not wanted:
        return
    views = {"/".join(pool.key_of(row)): work(pool, row) for row in pool.rows}
    for log in there.by_role("exclusions"):
        index = WorkIndex({log.spec.name_of(record): work(log, record) for record in log.rows}, len(wanted))
        own = here.tables.get(log.spec.name)
        known = set(own.spec.names_of(own.rows)) if own is not None else set()
        for row in wanted:
            found = index.find(views[row.key])
            if found is not None and (kind == "promoted" or found[0] not in known):
                yield Move(kind, found[0], row.key, row.title, found[0] in known)


def _duplicates(rows: list[RowChange], after: Study) -> Iterator[Duplicate]:
    """Say which added entries look like an entry that was there before, or like another added one."""
    pool = after.tables.get(after.codebook.pool.name)
    if pool is None:
        return
    new = {row.key for row in rows if row.table == pool.spec.name and row.kind == ADDED}
    if not new:
        return
    views = {"/".join(pool.key_of(row)): work(pool, row) for row in pool.rows}
    index = WorkIndex({key: view for key, view in views.items() if key not in new}, len(new))
    earlier: dict[str, WorkView] = {}
    for key in sorted(new):
        found = index.find(views[key]) or (WorkIndex(earlier, 1).find(views[key]) if len(new) <= FEW else None)
        if found is not None:
            yield Duplicate(key, *found)
        earlier[key] = views[key]


def _term_changes(before: Codebook, after: Codebook) -> Iterator[TermChange]:
    """Compare what two codebooks declare."""
    for what, old, new in (
        ("table", set(before.tables), set(after.tables)),
        ("column", _columns(before), _columns(after)),
        ("term", _terms(before), _terms(after)),
    ):
        yield from (TermChange(what, name, True) for name in sorted(new - old))
        yield from (TermChange(what, name, False) for name in sorted(old - new))


def _columns(book: Codebook) -> set[str]:
    return {f"{table.name}.{column.name}" for table in book.tables.values() for column in table.columns}


def _terms(book: Codebook) -> set[str]:
    return {f"{vocabulary.id}: {term}" for vocabulary in book.vocabularies.values() for term in vocabulary.ids}


def _documents(before: Study, after: Study) -> Iterator[str]:
    """Name the documents (claims, protocol) that say something else, and the codebook where its wording changed."""
    for name in {*before.documents, *after.documents}:
        if before.documents.get(name) != after.documents.get(name):
            yield name
    if before.codebook != after.codebook:
        yield "codebook"
