"""SQLite: every table with keys, vocabularies as tables of their own, and a full-text index over the pool."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import Value, is_list, typed_rows
from corpus.publishing.export.export_rules import BROKEN_REFERENCE, EMPTY_REQUIRED, NOT_FOR_SQLITE

_TYPES = {"year": "INTEGER", "integer": "INTEGER", "number": "REAL"}
_INDEXED = ("text", "name", "names", "key", "arxiv", "doi")


def export(corpus: Study) -> bytes:
    """Return a SQLite database file.

    Tables: one a table of the corpus, with its primary key; ``vocabulary_NAME`` for each vocabulary (term, label,
    short, definition, position), which term columns refer to; ``TABLE_COLUMN`` for each column of several values (key
    columns, position, value); ``codebook_columns``; and ``POOL_search``, an FTS5 index over the text of the pool and of
    the tables of role ``bibliography``, found by ``... WHERE POOL_search MATCH 'word'``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type, X103 where a reference is broken, X104 where a required cell is
        empty, X105 where SQLite cannot take the tables.
    """
    findings = [finding for table in corpus.tables.values() for finding in _empty_required(table)]
    if findings:
        raise CorpusError(findings)
    try:
        return _database(corpus)
    except sqlite3.Error as error:
        raise CorpusError([NOT_FOR_SQLITE.at(corpus.root, problem=str(error))]) from None


def _empty_required(table: Table) -> Iterator[Finding]:
    """Name the empty cells of columns that are NOT NULL in the database: the required ones and those of the key."""
    for position, column in enumerate(table.spec.columns):
        if is_list(column) or not (column.required or column.name in table.spec.key):
            continue
        for row, line in zip(table.rows, table.lines, strict=True):
            if not row[position]:
                yield EMPTY_REQUIRED.at(table.file, line, column.name)


def _database(corpus: Study) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA foreign_keys = OFF")  # order of insertion; all references are held at the end
        _codebook(database, corpus.codebook)
        for table in corpus.tables.values():
            _table(database, corpus.codebook, table)
        findings = _broken(corpus)
        if findings:
            raise CorpusError(findings)
        _search(database, corpus)
        database.commit()
        database.execute("VACUUM")
        return database.serialize()


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[Iterable[object]], width: int) -> None:
    places = ", ".join("?" * width)
    database.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", [tuple(row) for row in rows])  # noqa: S608


def _codebook(database: sqlite3.Connection, book: Codebook) -> None:
    for vocabulary in book.vocabularies.values():
        name = f"vocabulary_{vocabulary.id}"
        database.execute(
            f"CREATE TABLE {quoted(name)} (term TEXT PRIMARY KEY, label TEXT NOT NULL, short TEXT NOT NULL,"
            " definition TEXT NOT NULL, position INTEGER NOT NULL)"
        )
        _insert(database, name, [(*term, position) for position, term in enumerate(vocabulary.terms, 1)], 5)
    database.execute(
        "CREATE TABLE codebook_columns (table_name TEXT, column_name TEXT, type TEXT, role TEXT, label TEXT,"
        " definition TEXT, vocabulary TEXT, is_axis INTEGER, PRIMARY KEY (table_name, column_name))"
    )
    columns = [
        (spec.name, c.name, c.type, c.role, c.label, c.definition, c.vocabulary, int(c.axis))
        for spec in book.tables.values()
        for c in spec.columns
    ]
    _insert(database, "codebook_columns", columns, 8)


def _table(database: sqlite3.Connection, book: Codebook, table: Table) -> None:
    spec = table.spec
    parts = [_column(column) for column in spec.columns]
    parts.append(f"PRIMARY KEY ({', '.join(map(quoted, spec.key))})")
    parts += [_foreign_key(column, book) for column in spec.columns if _foreign_key(column, book)]
    database.execute(f"CREATE TABLE {quoted(spec.name)} ({', '.join(parts)}) STRICT, WITHOUT ROWID")
    rows = typed_rows(table)
    flat = [
        [cell if isinstance(value, list) else value for cell, value in zip(cells, row, strict=True)]
        for cells, row in zip(table.rows, rows, strict=True)
    ]
    _insert(database, spec.name, flat, len(spec.columns))
    for position, column in enumerate(spec.columns):
        if is_list(column):
            values = [row[position] for row in rows]
            _links(database, spec, column, list(zip(map(table.key_of, table.rows), values, strict=True)))


def _column(column: Column) -> str:
    required = " NOT NULL" if column.required and not is_list(column) else ""
    return f"{quoted(column.name)} {_TYPES.get(column.type, 'TEXT')}{required}"


def _foreign_key(column: Column, book: Codebook) -> str:
    """Return the constraint of a single-valued term or of a reference to a table with one key column."""
    if is_list(column):
        return ""
    if column.type == "term":
        return f"FOREIGN KEY ({quoted(column.name)}) REFERENCES {quoted('vocabulary_' + column.vocabulary)} (term)"
    if column.type == "ref" and len(book.tables[column.references].key) == 1:
        key = book.tables[column.references].key[0]
        return f"FOREIGN KEY ({quoted(column.name)}) REFERENCES {quoted(column.references)} ({quoted(key)})"
    return ""


def _links(
    database: sqlite3.Connection, spec: TableSpec, column: Column, rows: list[tuple[tuple[str, ...], Value]]
) -> None:
    """Write the values of a column of several values, one a row, beside the key of their row."""
    name = f"{spec.name}_{column.name}"
    keys = [quoted(key) for key in spec.key]
    kinds = [_TYPES.get(spec.column(key).type, "TEXT") for key in spec.key]
    parts = [f"{key} {kind} NOT NULL" for key, kind in zip(keys, kinds, strict=True)]
    parts += ["position INTEGER NOT NULL", "value TEXT NOT NULL", f"PRIMARY KEY ({', '.join(keys)}, position)"]
    parts.append(f"FOREIGN KEY ({', '.join(keys)}) REFERENCES {quoted(spec.name)} ({', '.join(keys)})")
    if column.type == "term":
        parts.append(f"FOREIGN KEY (value) REFERENCES {quoted('vocabulary_' + column.vocabulary)} (term)")
    database.execute(f"CREATE TABLE {quoted(name)} ({', '.join(parts)})")
    values = [
        (*key, position, value)
        for key, cell in rows
        if isinstance(cell, list)
        for position, value in enumerate(cell, 1)
    ]
    _insert(database, name, values, len(spec.key) + 2)


def _broken(corpus: Study) -> list[Finding]:
    """Say which references point to no row; terms are held against the codebook when the corpus is loaded."""
    findings = []
    for table in corpus.tables.values():
        for column in table.spec.columns:
            if column.type != "ref" or is_list(column) or column.references not in corpus.tables:
                continue
            target = corpus.tables[column.references]
            if len(target.spec.key) != 1:
                continue
            known = {key[0] for key in map(target.key_of, target.rows)}
            for cell, line in zip(table.column(column.name), table.lines, strict=True):
                if cell and cell not in known:
                    findings.append(BROKEN_REFERENCE.at(table.file, line, column.name, cell, table=column.references))
    return findings


def _search(database: sqlite3.Connection, corpus: Study) -> None:
    """Index the text of the pool, and what tables of the role `bibliography` say about its entries."""
    pool = corpus.pool
    texts: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for table in [pool, *corpus.by_role("bibliography")]:
        wanted = [(i, c.name) for i, c in enumerate(table.spec.columns) if c.type in _INDEXED and c.role != "key"]
        names += [name for _, name in wanted if name not in names]
        reference = _key_position(table, pool.spec)
        for row in table.rows:
            texts.setdefault(row[reference], {}).update({name: row[i] for i, name in wanted})
    name = f"{pool.spec.name}_search"
    # FTS5 has columns of its own; a column of the corpus that is called like one of them gets another name here.
    reserved = {"rank", "rowid", name.lower()}
    indexed = [quoted(f"{column}_text" if column.lower() in reserved else column) for column in names]
    columns = ", ".join([f"{quoted(pool.spec.key[0])} UNINDEXED", *indexed])
    database.execute(
        f"CREATE VIRTUAL TABLE {quoted(name)} USING fts5({columns}, tokenize = 'unicode61 remove_diacritics 2')"
    )
    rows = [[key, *(words.get(column, "") for column in names)] for key, words in texts.items()]
    _insert(database, name, rows, len(names) + 1)


def _key_position(table: Table, pool: TableSpec) -> int:
    for position, column in enumerate(table.spec.columns):
        if column.type == "ref" and column.references == pool.name:
            return position
    return table.spec.position(table.spec.key[0])
