"""SQLite: every table with keys and a full-text index, vocabularies as tables."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from corpus.model.codebook import Codebook, Column
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import Value, is_list, referenced_key, typed_rows

BROKEN_REFERENCE = Rule(
    "X103",
    "{column} {value} is not a key of table {table}",
    "fix the key, or add the row that it refers to",
    title="Reference to a missing row",
    reason="A database with foreign keys holds no reference to nothing.",
)
NOT_FOR_SQLITE = Rule(
    "X105",
    "SQLite refuses this corpus: {problem}",
    "let names of tables and columns differ in more than case; use at most 1,990 columns of text",
    title="Refused by SQLite",
    reason="A table or an index would be missing.",
)


_TYPES = {"year": "INTEGER", "integer": "INTEGER", "number": "REAL"}
#: The columns of the table of a vocabulary.
_TERMS = [
    "term TEXT PRIMARY KEY, label TEXT NOT NULL, short TEXT NOT NULL, definition TEXT NOT NULL, "
    "position INTEGER NOT NULL"
]


def sqlite(study: Study) -> bytes:
    """Return a SQLite database file.

    Tables: one for each table of the corpus, with its primary key; ``vocabulary_NAME`` for each
    vocabulary (term, label, short, definition, position), which term columns refer to;
    ``TABLE_COLUMN`` for each column of several values (key columns, position, value); and
    ``TABLE_fts`` for the pool and its bibliography, an FTS5 index that
    Datasette and sqlite-utils find, searched by ``... WHERE TABLE_fts MATCH 'word'``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type, X103 where a reference is broken, X105 where
        SQLite cannot take the tables.
    """
    findings = list(_broken(study))
    if findings:
        raise CorpusError(findings)
    try:
        return _database(study)
    except sqlite3.Error as error:
        raise CorpusError([NOT_FOR_SQLITE.at(study.root, problem=str(error))]) from None


def _broken(study: Study) -> Iterator[Finding]:
    """Yield the references to no row; terms are checked when the corpus is loaded."""
    for table in study.tables.values():
        for column in table.spec.columns:
            key = referenced_key(study.codebook, column)
            known = set(study.tables[column.references].column(key)) if key else set()
            for cell, line in zip(table.column(column.name), table.lines, strict=True):
                if key and cell and cell not in known:
                    name = column.references
                    yield BROKEN_REFERENCE.at(table.file, line, column.name, cell, table=name)


def _database(study: Study) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        # Tables refer to each other in any order; all references have been checked.
        database.execute("PRAGMA foreign_keys = OFF")
        for name, vocabulary in study.codebook.vocabularies.items():
            terms = [(*term, position) for position, term in enumerate(vocabulary.terms, 1)]
            _create(database, f"vocabulary_{name}", _TERMS, terms)
        for table in study.tables.values():
            _add_table(database, study.codebook, table)
        database.commit()
        database.execute("VACUUM")  # the same bytes for the same rows
        return database.serialize()


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


def _vocabulary_table(column: Column) -> str:
    return quoted(f"vocabulary_{column.vocabulary}")


def _create(
    database: sqlite3.Connection,
    name: str,
    declared: list[str],
    rows: list[Any],
    kind: str = "TABLE {} ({})",
) -> None:
    """Create a table of a kind with its rows; `declared` are its columns and constraints."""
    table = quoted(name)
    database.execute(f"CREATE {kind.format(table, ', '.join(declared))}")
    if rows:
        places = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608


def _add_table(database: sqlite3.Connection, book: Codebook, table: Table) -> None:
    """Write a table; cells of several values as they are in the file, and again as a table."""
    spec = table.spec
    rows = typed_rows(table)
    declared = []
    constraints = [f"PRIMARY KEY ({_listed(spec.key)})"]
    for position, column in enumerate(spec.columns):
        name = quoted(column.name)
        declared.append(f"{name} {_TYPES.get(column.type, 'TEXT')}")
        target = ""
        if is_list(column):
            _add_values(database, table, position, rows)
        elif column.type == "term":
            target = f"{_vocabulary_table(column)} (term)"
        elif key := referenced_key(book, column):
            target = f"{quoted(column.references)} ({quoted(key)})"
        if target:
            constraints.append(f"FOREIGN KEY ({name}) REFERENCES {target}")
    _create(database, spec.name, declared + constraints, rows, "TABLE {} ({}) STRICT")
    if spec.role not in ("pool", "bibliography"):
        return
    # An index whose content is the table itself. FTS5 has columns of its own.
    index = f"{spec.name}_fts"
    indexed = [quoted(name) for name in spec.header if name.lower() not in ("rank", "rowid")]
    options = [f"content={quoted(spec.name)}", "tokenize = 'unicode61 remove_diacritics 2'"]
    _create(database, index, indexed + options, [], "VIRTUAL TABLE {} USING fts5({})")
    database.execute(f"INSERT INTO {quoted(index)} ({quoted(index)}) VALUES ('rebuild')")  # noqa: S608


def _add_values(
    database: sqlite3.Connection, table: Table, position: int, rows: list[list[Value]]
) -> None:
    """Write a column of several values as a table of one value per row.

    In `rows` the text of the file replaces the values.
    """
    spec = table.spec
    column = spec.columns[position]
    key = _listed(spec.key)
    declared = [
        f"{quoted(part)} {_TYPES.get(spec.column(part).type, 'TEXT')} NOT NULL" for part in spec.key
    ]
    declared += [
        "position INTEGER NOT NULL",
        "value TEXT NOT NULL",
        f"PRIMARY KEY ({key}, position)",
        f"FOREIGN KEY ({key}) REFERENCES {quoted(spec.name)} ({key})",
    ]
    if column.type == "term":
        declared.append(f"FOREIGN KEY (value) REFERENCES {_vocabulary_table(column)} (term)")
    found = []
    for cells, row in zip(table.rows, rows, strict=True):
        values = row[position]
        row[position] = cells[position]
        if isinstance(values, list):
            found += [(*table.key_of(cells), place, value) for place, value in enumerate(values, 1)]
    _create(database, f"{spec.name}_{column.name}", declared, found)
