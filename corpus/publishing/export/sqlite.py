"""SQLite: every table with keys and a full-text index, vocabularies as tables."""

import contextlib
import json
import sqlite3
from typing import Any

from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.cells import Value, is_list, referenced_key, typed_rows

NOT_FOR_SQLITE = Rule(
    "X105",
    "SQLite refuses this corpus: {problem}",
    "let names of tables and columns differ in more than case, have at most 1,990 columns; "
    "`corpus check` names broken references",
    title="Refused by SQLite",
    reason="A table, an index or a row that others refer to would be missing.",
)


_TYPES = {"year": "INTEGER", "integer": "INTEGER", "number": "REAL"}
#: The columns of the table of a vocabulary.
_TERMS = [
    "term TEXT PRIMARY KEY, label TEXT NOT NULL, short TEXT NOT NULL, definition TEXT NOT NULL, "
    "position INTEGER NOT NULL"
]


def sqlite(study: Study) -> bytes:
    """Return a SQLite database file.

    Tables: one for each table of the corpus, with its primary key, cells of several values as JSON
    arrays for ``json_each``; ``vocabulary_NAME`` for each vocabulary (term, label, short,
    definition, position), which columns of one term refer to; and ``TABLE_fts`` for the pool and
    its bibliography, an FTS5 index that Datasette and sqlite-utils find, searched by ``... WHERE
    TABLE_fts MATCH 'word'``.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type, X105 where a reference is broken or SQLite
        cannot take the tables.
    """
    try:
        return _database(study)
    except sqlite3.Error as error:
        raise CorpusError([NOT_FOR_SQLITE.at(study.root, problem=str(error))]) from None


def _database(study: Study) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        # Tables refer to each other in any order; all references are checked at the end.
        for name, vocabulary in study.codebook.vocabularies.items():
            terms = [(*term, position) for position, term in enumerate(vocabulary.terms, 1)]
            _create(database, f"vocabulary_{name}", _TERMS, terms)
        for table in study.tables.values():
            _add_table(database, study.codebook, table)
        for table_name, _, target, _ in database.execute("PRAGMA foreign_key_check"):
            raise sqlite3.IntegrityError(f"{table_name} refers to a row that {target} lacks")
        database.commit()
        database.execute("VACUUM")  # the same bytes for the same rows
        return database.serialize()


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


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
    spec = table.spec
    declared = []
    constraints = [f"PRIMARY KEY ({', '.join(map(quoted, spec.key))})"]
    for column in spec.columns:
        name = quoted(column.name)
        declared.append(f"{name} {_TYPES.get(column.type, 'TEXT')}")
        if column.type == "term" and not is_list(column):
            target = f"{quoted(f'vocabulary_{column.vocabulary}')} (term)"
        elif key := referenced_key(book, column):
            target = f"{quoted(column.references)} ({quoted(key)})"
        else:
            continue
        constraints.append(f"FOREIGN KEY ({name}) REFERENCES {target}")
    rows = [[_stored(value) for value in row] for row in typed_rows(table)]
    _create(database, spec.name, declared + constraints, rows, "TABLE {} ({}) STRICT")
    if spec.role not in ("pool", "bibliography"):
        return
    # An index whose content is the table itself. FTS5 has columns of its own.
    index = f"{spec.name}_fts"
    indexed = [quoted(name) for name in spec.header if name.lower() not in ("rank", "rowid")]
    options = [f"content={quoted(spec.name)}", "tokenize = 'unicode61 remove_diacritics 2'"]
    _create(database, index, indexed + options, [], "VIRTUAL TABLE {} USING fts5({})")
    database.execute(f"INSERT INTO {quoted(index)} ({quoted(index)}) VALUES ('rebuild')")  # noqa: S608


def _stored(value: Value) -> Value:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
