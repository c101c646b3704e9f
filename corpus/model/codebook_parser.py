"""From the decoded TOML of a codebook to a :class:`Codebook`; says every mistake in it, with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.model.codebook import (
    COLUMN_TYPES,
    Codebook,
    Column,
    ConsistencyRule,
    Crosstab,
    Group,
    Impossible,
    TableSpec,
    Term,
    Vocabulary,
)
from corpus.model.codebook_keys import unknown_keys
from corpus.model.document_rules import CODEBOOK
from corpus.model.finding import CorpusError, Finding
from corpus.model.limits import MAX_COLUMNS

_CORE = {"format", "corpus", "tables", "vocabularies", "rules", "impossible", "crosstabs"}


class _CodebookMistake(Exception):
    """One mistake in the codebook: `place` is a dotted path, `problem` a sentence without full stop."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem


def parse_codebook(data: Mapping[str, Any], file: str = "codebook.toml") -> Codebook:
    """Build the codebook from decoded TOML.

    Raises
    ------
    CorpusError
        With one C001 finding for the first mistake in each section and for each broken reference.
    """
    mistakes: list[_CodebookMistake] = []

    def section(make: Any, *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except _CodebookMistake as mistake:
            mistakes.append(mistake)
            return None

    if data.get("format") != 1:
        mistakes.append(_CodebookMistake("format", "must be 1"))
    mistakes += [_CodebookMistake(place, problem) for place, problem in unknown_keys(data)]
    vocabularies = section(_vocabularies, data)
    tables = section(_tables, data)
    section(_documents, data)
    book = Codebook(
        corpus={key: str(value) for key, value in _mapping(data, "corpus", default={}).items()},
        tables=tables or {},
        vocabularies=vocabularies or {},
        agreements=section(_agreements, data) or (),
        impossible=section(_impossible, data) or (),
        crosstabs=section(_crosstabs, data) or (),
        settings={key: value for key, value in data.items() if key not in _CORE},
    )
    if not mistakes:
        mistakes = _broken_references(book)
    if mistakes:
        raise CorpusError([_finding(mistake, file) for mistake in mistakes])
    return book


def _finding(mistake: _CodebookMistake, file: str) -> Finding:
    return CODEBOOK.at(file, column=mistake.place, problem=mistake.problem)


def _text(data: Mapping[str, Any], key: str, place: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise _CodebookMistake(f"{place}.{key}", "is missing" if value is None else "must be a string")
    return value


def _flag(data: Mapping[str, Any], key: str, place: str, default: bool) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise _CodebookMistake(f"{place}.{key}", "must be true or false")
    return value


def _mapping(data: Mapping[str, Any], key: str, default: Any = None) -> Mapping[str, Any]:
    value = data.get(key, default)
    if not isinstance(value, dict):
        raise _CodebookMistake(key, "is missing" if value is None else "must be a table")
    return value


def _items(data: Mapping[str, Any], key: str, place: str) -> list[Mapping[str, Any]]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _CodebookMistake(f"{place}.{key}" if place else key, "must be an array of tables")
    return value


def _strings(data: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = data.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise _CodebookMistake(f"{place}.{key}", "must be a list of strings")
    return tuple(value)


def _terms_by_column(data: Mapping[str, Any], key: str, place: str) -> dict[str, tuple[str, ...]]:
    value = data.get(key)
    if not isinstance(value, dict) or not value:
        raise _CodebookMistake(f"{place}.{key}", "must map columns to lists of terms")
    return {column: _strings(value, column, f"{place}.{key}") for column in value}


def _vocabularies(data: Mapping[str, Any]) -> dict[str, Vocabulary]:
    found = {}
    for name, body in _mapping(data, "vocabularies", default={}).items():
        place = f"vocabularies.{name}"
        if not isinstance(body, dict):
            raise _CodebookMistake(place, "must be a table")
        terms = tuple(_term(item, f"{place}.terms[{i}]") for i, item in enumerate(_items(body, "terms", place), 1))
        if not terms:
            raise _CodebookMistake(f"{place}.terms", "has no term")
        _unique([term.id for term in terms], f"{place}.terms")
        groups = tuple(
            Group(
                _text(item, "id", f"{place}.groups[{i}]"),
                _text(item, "label", f"{place}.groups[{i}]"),
                _strings(item, "terms", f"{place}.groups[{i}]"),
                _text(item, "definition", f"{place}.groups[{i}]", ""),
            )
            for i, item in enumerate(_items(body, "groups", place), 1)
        )
        found[name] = Vocabulary(
            name,
            _text(body, "title", place, name),
            _text(body, "definition", place, ""),
            terms,
            groups,
            _text(body, "not_applicable", place, ""),
        )
    return found


def _term(item: Mapping[str, Any], place: str) -> Term:
    identifier = _text(item, "id", place)
    if not identifier or identifier != identifier.strip():
        raise _CodebookMistake(f"{place}.id", "must not be empty or padded")
    label = _text(item, "label", place, identifier.replace("_", " "))
    return Term(identifier, label, _text(item, "short", place, label), _text(item, "definition", place))


def _tables(data: Mapping[str, Any]) -> dict[str, TableSpec]:
    found = {}
    for name, body in _mapping(data, "tables").items():
        place = f"tables.{name}"
        if not isinstance(body, dict):
            raise _CodebookMistake(place, "must be a table")
        declared = _items(body, "columns", place)
        if len(declared) > MAX_COLUMNS:
            raise _CodebookMistake(
                f"{place}.columns", f"has {len(declared):,} columns; a table may have {MAX_COLUMNS:,}"
            )
        columns = tuple(_column(item, f"{place}.columns[{i}]") for i, item in enumerate(declared, 1))
        if not columns:
            raise _CodebookMistake(f"{place}.columns", "has no column")
        _unique([column.name for column in columns], f"{place}.columns")
        found[name] = TableSpec(
            name,
            _file(body, place),
            _text(body, "title", place, name),
            _text(body, "definition", place, ""),
            _text(body, "role", place, "evidence"),
            _strings(body, "key", place),
            columns,
        )
    if sum(table.role == "pool" for table in found.values()) != 1:
        raise _CodebookMistake("tables", "exactly one table must have the role 'pool'")
    return found


def _documents(data: Mapping[str, Any]) -> None:
    for name in _mapping(data, "documents", default={}):
        _file(data["documents"], "documents", name, ".toml")


def _file(body: Mapping[str, Any], place: str, key: str = "file", ending: str = ".csv") -> str:
    """Return a file that the codebook names; it may only name what lies below its own folder."""
    file = _text(body, key, place)
    if not file.endswith(ending) or file.startswith("/") or "\\" in file or ".." in file.split("/"):
        raise _CodebookMistake(
            f"{place}.{key}", f"must be a relative path to a {ending} file below the codebook's folder"
        )
    return file


def _column(item: Mapping[str, Any], place: str) -> Column:
    name = _text(item, "name", place)
    if not name or not all(c.isascii() and (c.isalnum() or c == "_") for c in name):
        raise _CodebookMistake(f"{place}.name", "must be letters, digits and underscores")
    kind = _text(item, "type", place)
    if kind not in COLUMN_TYPES:
        raise _CodebookMistake(f"{place}.type", f"{kind!r} is none of {', '.join(COLUMN_TYPES)}")
    return Column(
        name,
        kind,
        _text(item, "label", place, name.replace("_", " ").capitalize()),
        _text(item, "definition", place),
        _text(item, "role", place, ""),
        _flag(item, "required", place, True),
        _text(item, "vocabulary", place, name if kind == "term" else ""),
        _text(item, "separator", place, ""),
        _text(item, "references", place, ""),
        _flag(item, "axis", place, False),
        _text(item, "mirrors", place, ""),
    )


def _agreements(data: Mapping[str, Any]) -> tuple[ConsistencyRule, ...]:
    return tuple(
        ConsistencyRule(
            _text(item, "id", f"rules[{i}]"),
            _text(item, "table", f"rules[{i}]", ""),
            _terms_by_column(item, "when", f"rules[{i}]"),
            _terms_by_column(item, "then", f"rules[{i}]"),
            _text(item, "reason", f"rules[{i}]"),
        )
        for i, item in enumerate(_items(data, "rules", ""), 1)
    )


def _impossible(data: Mapping[str, Any]) -> tuple[Impossible, ...]:
    return tuple(
        Impossible(_terms_by_column(item, "cells", f"impossible[{i}]"), _text(item, "reason", f"impossible[{i}]"))
        for i, item in enumerate(_items(data, "impossible", ""), 1)
    )


def _crosstabs(data: Mapping[str, Any]) -> tuple[Crosstab, ...]:
    return tuple(
        Crosstab(*(_text(item, key, f"crosstabs[{i}]") for key in ("id", "rows", "columns", "title")))
        for i, item in enumerate(_items(data, "crosstabs", ""), 1)
    )


def _unique(names: list[str], place: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise _CodebookMistake(place, f"{name!r} is declared twice")


def _broken_references(book: Codebook) -> list[_CodebookMistake]:
    """Hold every name in the codebook that points to something else in it against what is declared."""
    found: list[_CodebookMistake] = []
    for vocabulary in book.vocabularies.values():
        place = f"vocabularies.{vocabulary.id}"
        if vocabulary.not_applicable and vocabulary.not_applicable not in vocabulary.ids:
            found.append(_CodebookMistake(f"{place}.not_applicable", f"{vocabulary.not_applicable!r} is no term of it"))
        for group in vocabulary.groups:
            found += _undeclared(group.terms, vocabulary.ids, f"{place}.groups.{group.id}")
    for table in book.tables.values():
        found += _broken_columns(book, table)
    pool_axes = {column.name for column in book.pool.axes}
    for crosstab in book.crosstabs:
        found += _undeclared((crosstab.rows, crosstab.columns), pool_axes, f"crosstabs.{crosstab.id}")
    for number, rule in enumerate(book.impossible, 1):
        found += _broken_terms(book, book.pool, rule.cells, f"impossible[{number}]")
    for agreement in book.agreements:
        if agreement.table and agreement.table not in book.tables:
            found.append(_CodebookMistake(f"rules.{agreement.id}.table", f"{agreement.table!r} is no table"))
            continue
        table = book.tables[agreement.table] if agreement.table else book.pool
        found += _broken_terms(book, table, agreement.when, f"rules.{agreement.id}.when")
        found += _broken_terms(book, table, agreement.then, f"rules.{agreement.id}.then")
    return found


def _broken_columns(book: Codebook, table: TableSpec) -> list[_CodebookMistake]:
    found = _undeclared(table.key, table.header, f"tables.{table.name}.key")
    for column in table.columns:
        place = f"tables.{table.name}.columns.{column.name}"
        if column.type == "term" and column.vocabulary not in book.vocabularies:
            found.append(_CodebookMistake(f"{place}.vocabulary", f"{column.vocabulary!r} is no vocabulary"))
        if column.axis and column.type != "term":
            found.append(_CodebookMistake(f"{place}.axis", "only a column of type 'term' can be an axis"))
        if column.separator and not column.separator.strip():
            found.append(_CodebookMistake(f"{place}.separator", "must hold a sign besides white space"))
        if column.mirrors and column.mirrors not in book.pool.header:
            found.append(_CodebookMistake(f"{place}.mirrors", f"{column.mirrors!r} is no column of the pool"))
        if column.type in ("ref", "column") and column.references not in book.tables:
            found.append(_CodebookMistake(f"{place}.references", f"{column.references!r} is no table"))
    return found


def _broken_terms(
    book: Codebook, table: TableSpec, cells: Mapping[str, tuple[str, ...]], place: str
) -> list[_CodebookMistake]:
    found: list[_CodebookMistake] = []
    for name, terms in cells.items():
        column = next((column for column in table.columns if column.name == name and column.type == "term"), None)
        if column is None:
            found.append(_CodebookMistake(f"{place}.{name}", f"is no term column of table {table.name}"))
        elif column.vocabulary in book.vocabularies:
            found += _undeclared(terms, book.vocabulary_of(column).ids, f"{place}.{name}")
    return found


def _undeclared(names: tuple[str, ...], known: Any, place: str) -> list[_CodebookMistake]:
    return [_CodebookMistake(place, f"{name!r} is not declared") for name in names if name not in known]
