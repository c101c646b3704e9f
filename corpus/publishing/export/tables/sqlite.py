"""SQLite: every table with keys, vocabularies as tables, and a full-text index over the pool."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from corpus.model.codebook import Codebook, Column
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.model.table import Table, row_picker
from corpus.publishing.export.cells import Value, is_list, referenced_key, typed_rows
from corpus.publishing.export.export_rules import BROKEN_REFERENCE, EMPTY_REQUIRED, NOT_FOR_SQLITE

_TYPES = {"year": "INTEGER", "integer": "INTEGER", "number": "REAL"}
_INDEXED = ("text", "name", "names", "key", "arxiv", "doi")


def export(study: Study) -> bytes:
    """Return a SQLite database file.

    Tables: one for each table of the corpus, with its primary key; ``vocabulary_NAME`` for each
    vocabulary (term, label, short, definition, position), which term columns refer to;
    ``TABLE_COLUMN`` for each column of several values (key columns, position, value);
    ``codebook_columns``; and ``POOL_search``, an FTS5 index over the text of the pool and of the
    tables of role ``bibliography``, found by ``... WHERE POOL_search MATCH 'word'``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type, X103 where a reference is broken, X104 where
        a required cell is empty, X105 where SQLite cannot take the tables.
    """
    findings: list[Finding] = []
    for table in study.tables.values():
        findings += _empty_required(table)
    if findings:
        raise CorpusError(findings)
    try:
        return _database(study)
    except sqlite3.Error as error:
        raise CorpusError([NOT_FOR_SQLITE.at(study.root, problem=str(error))]) from None


def _empty_required(table: Table) -> Iterator[Finding]:
    """Yield the empty cells of columns that are NOT NULL: required ones and the key."""
    for position, column in enumerate(table.spec.columns):
        is_needed = column.required or column.name in table.spec.key
        if is_list(column) or not is_needed:
            continue
        for row, line in table.located_rows():
            if not row[position]:
                yield EMPTY_REQUIRED.at(table.file, line, column.name)


def _database(study: Study) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        # Tables refer to each other in any order; all references are checked at the end.
        database.execute("PRAGMA foreign_keys = OFF")
        _add_codebook(database, study.codebook)
        for table in study.tables.values():
            _add_table(database, study.codebook, table)
        findings = list(_broken_references(study))
        if findings:
            raise CorpusError(findings)
        _add_search(database, study)
        database.commit()
        database.execute("VACUUM")  # the same bytes for the same rows
        return database.serialize()


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


def _insert(
    database: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]], width: int
) -> None:
    places = ", ".join("?" * width)
    database.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", rows)  # noqa: S608


def _vocabulary_table(vocabulary: str) -> str:
    return f"vocabulary_{vocabulary}"


def _add_codebook(database: sqlite3.Connection, book: Codebook) -> None:
    for vocabulary in book.vocabularies.values():
        name = _vocabulary_table(vocabulary.id)
        database.execute(
            f"CREATE TABLE {quoted(name)} (term TEXT PRIMARY KEY, label TEXT NOT NULL, short TEXT "
            "NOT NULL, definition TEXT NOT NULL, position INTEGER NOT NULL)"
        )
        terms = []
        for position, term in enumerate(vocabulary.terms, 1):
            terms.append((*term, position))
        _insert(database, name, terms, 5)
    database.execute(
        "CREATE TABLE codebook_columns (table_name TEXT, column_name TEXT, type TEXT, role TEXT, "
        "label TEXT, definition TEXT, vocabulary TEXT, is_axis INTEGER, PRIMARY KEY (table_name, "
        "column_name))"
    )
    for spec in book.tables.values():
        columns = [
            (spec.name, c.name, c.type, c.role, c.label, c.definition, c.vocabulary, int(c.axis))
            for c in spec.columns
        ]
        _insert(database, "codebook_columns", columns, 8)


def _add_table(database: sqlite3.Connection, book: Codebook, table: Table) -> None:
    """Write a table; cells of several values as they are in the file, and again as a table."""
    spec = table.spec
    declared = [_declared(column) for column in spec.columns]
    declared.append(f"PRIMARY KEY ({_listed(spec.key)})")
    for column in spec.columns:
        declared += _foreign_key(column, book)
    body = ", ".join(declared)
    database.execute(f"CREATE TABLE {quoted(spec.name)} ({body}) STRICT, WITHOUT ROWID")
    rows = typed_rows(table)
    lists = [position for position, column in enumerate(spec.columns) if is_list(column)]
    for position in lists:
        _add_values(database, table, position, [row[position] for row in rows])
    for cells, row in zip(table.rows, rows, strict=True):
        for position in lists:
            row[position] = cells[position]
    _insert(database, spec.name, rows, len(spec.columns))


def _declared(column: Column) -> str:
    required = " NOT NULL" if column.required and not is_list(column) else ""
    return f"{quoted(column.name)} {_TYPES.get(column.type, 'TEXT')}{required}"


def _foreign_key(column: Column, book: Codebook) -> list[str]:
    """Return the constraint of a term or a reference of one value; none for other columns."""
    if column.type == "term" and not is_list(column):
        target = f"{quoted(_vocabulary_table(column.vocabulary))} (term)"
    elif key := referenced_key(book, column):
        target = f"{quoted(column.references)} ({quoted(key)})"
    else:
        return []
    return [f"FOREIGN KEY ({quoted(column.name)}) REFERENCES {target}"]


def _add_values(
    database: sqlite3.Connection, table: Table, position: int, cells: Sequence[Value]
) -> None:
    """Write a column of several values as a table, one value per row."""
    spec = table.spec
    column = spec.columns[position]
    name = f"{spec.name}_{column.name}"
    key = _listed(spec.key)
    declared = []
    for part in spec.key:
        kind = _TYPES.get(spec.column(part).type, "TEXT")
        declared.append(f"{quoted(part)} {kind} NOT NULL")
    declared += [
        "position INTEGER NOT NULL",
        "value TEXT NOT NULL",
        f"PRIMARY KEY ({key}, position)",
        f"FOREIGN KEY ({key}) REFERENCES {quoted(spec.name)} ({key})",
    ]
    if column.type == "term":
        target = quoted(_vocabulary_table(column.vocabulary))
        declared.append(f"FOREIGN KEY (value) REFERENCES {target} (term)")
    database.execute(f"CREATE TABLE {quoted(name)} ({', '.join(declared)})")
    values = []
    for row, cell in zip(table.rows, cells, strict=True):
        if isinstance(cell, list):
            row_key = table.key_of(row)
            for place, value in enumerate(cell, 1):
                values.append((*row_key, place, value))
    _insert(database, name, values, len(spec.key) + 2)


def _broken_references(study: Study) -> Iterator[Finding]:
    """Yield the references to no row; terms are checked when the corpus is loaded."""
    for table in study.tables.values():
        for column in table.spec.columns:
            key = referenced_key(study.codebook, column)
            if not key or column.references not in study.tables:
                continue
            known = set(study.tables[column.references].column(key))
            cells = table.column(column.name)
            for cell, line in zip(cells, table.lines, strict=True):
                if cell and cell not in known:
                    name = column.references
                    yield BROKEN_REFERENCE.at(table.file, line, column.name, cell, table=name)


def _add_search(database: sqlite3.Connection, study: Study) -> None:
    """Index the text of the pool and of the tables of the role `bibliography`."""
    pool = study.pool.spec
    texts: dict[str, dict[str, str]] = {}
    names: dict[str, None] = {}
    for table in [study.pool, *study.by_role("bibliography")]:
        spec = table.spec
        indexed = []
        for column in spec.columns:
            if column.type in _INDEXED and column.role != "key":
                indexed.append(column.name)
        names |= dict.fromkeys(indexed)
        pick = row_picker([spec.position(name) for name in indexed])
        reference = spec.reference_to(pool)
        key_column = spec.key[0]
        if reference is not None:
            key_column = reference.name
        for key, row in zip(table.column(key_column), table.rows, strict=True):
            words = texts.setdefault(key, {})
            for column_name, cell in zip(indexed, pick(row), strict=True):
                # The pool and its bibliography may both have notes: all of them are searched.
                known = words.get(column_name, "")
                if cell and cell != known:
                    words[column_name] = f"{known}\n{cell}".lstrip()
    name = f"{pool.name}_search"
    # FTS5 has columns of its own; a column of the corpus with such a name gets another one here.
    reserved = {"rank", "rowid", name.lower()}
    columns = [f"{quoted(pool.key[0])} UNINDEXED"]
    for column_name in names:
        suffix = "_text" if column_name.lower() in reserved else ""
        columns.append(quoted(column_name + suffix))
    database.execute(
        f"CREATE VIRTUAL TABLE {quoted(name)} USING"
        f" fts5({', '.join(columns)}, tokenize = 'unicode61 remove_diacritics 2')"
    )
    rows = []
    for key, words in texts.items():
        rows.append([key, *(words.get(column, "") for column in names)])
    _insert(database, name, rows, len(columns))
