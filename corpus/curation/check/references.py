"""Rules between tables: references, copies of tags, corrections, bibliography, protocol."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.finding import Finding, Rule
from corpus.model.identifiers import arxiv_month, parse_arxiv
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]


def reference_findings(sheets: Sheets, book: Codebook, documents: Mapping[str, Mapping[str, Any]]) -> list[Finding]:
    """Hold the tables of a corpus against each other and against the protocol."""
    found: list[Finding] = []
    keys = {name: _key_positions(sheets[name]) for name in _referred(sheets, book)}
    for sheet in sheets.values():
        for column in sheet.spec.columns:
            if column.references in sheets:
                found += _dangling(sheet, column, sheets[column.references], keys[column.references])
    pool = sheets.get(book.pool.name)
    if pool is not None:
        at = keys.get(pool.spec.name, {})
        for sheet in sheets.values():
            found += _mirrors(sheet, pool, at, book)
            if sheet.spec.role == "corrections":
                found += _corrections(sheet, pool, at)
            if sheet.spec.role == "bibliography":
                found += _bibliography(sheet, pool, at)
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            found += _protocol(sheet, documents.get("protocol", {}))
    return found


def _referred(sheets: Sheets, book: Codebook) -> set[str]:
    """Name the tables whose keys are looked up; those of a large pool to which nothing refers are not worth it."""
    named = {column.references for sheet in sheets.values() for column in sheet.spec.columns}
    if any(sheet.spec.role == "bibliography" for sheet in sheets.values()):
        named.add(book.pool.name)
    return named & sheets.keys()


def _key_positions(sheet: ColumnarTable) -> dict[str, int]:
    """First position of each key; empty where the key has several columns, since nothing can refer to those."""
    if len(sheet.spec.key) != 1:
        return {}
    found: dict[str, int] = {}
    for position, key in enumerate(sheet.columns[sheet.spec.key[0]].to_pylist()):
        found.setdefault(key, position)
    return found


def _dangling(sheet: ColumnarTable, column: Column, target: ColumnarTable, keys: Mapping[str, int]) -> list[Finding]:
    """Refs must name a key of the target, column references one of its columns."""
    known = set(target.spec.header) if column.type == "column" else keys.keys()
    found = []
    for position, cell in enumerate(sheet.columns[column.name].to_pylist()):
        if cell and cell not in known:
            close = difflib.get_close_matches(cell, list(known), 1)
            advice = f"did you mean {close[0]!r}?" if close else "add the row there first, or remove this one"
            if close and close[0] != cell and " ".join(close[0].split()) == cell:
                advice = f"it has stray blanks there: {close[0]!r}"
            found.append(
                rules.DANGLING.at(sheet.file, sheet.line(position), column.name, cell, other=target.file, advice=advice)
            )
    return found


def _pool_cell(
    sheet: ColumnarTable, position: int, pool: ColumnarTable, at: Mapping[str, int], name: str
) -> str | None:
    """The pool's cell in column `name` for the entry that a side row refers to; None where there is none."""
    for column in sheet.spec.columns:
        if column.references == pool.spec.name and column.type == "ref":
            place = at.get(sheet.cell(column.name, position))
            return None if place is None else pool.cell(name, place)
    return None


def _mirrors(sheet: ColumnarTable, pool: ColumnarTable, at: Mapping[str, int], book: Codebook) -> list[Finding]:
    """Copies must be what the pool says; where that is no term at all, the pool is to be mended first."""
    found = []
    for column in sheet.spec.columns:
        if not column.mirrors:
            continue
        original = pool.spec.column(column.mirrors)
        known = book.vocabulary_of(original).ids if original.type == "term" else None
        for position, cell in enumerate(sheet.columns[column.name].to_pylist()):
            other = _pool_cell(sheet, position, pool, at, column.mirrors)
            if other is None or other == cell:
                continue
            if known is None or (other and set(original.values(other)) <= set(known)):
                line, mirrors = sheet.line(position), column.mirrors
                found.append(rules.MIRROR.at(sheet.file, line, column.name, cell, other=other, mirrors=mirrors))
    return found


def _corrections(sheet: ColumnarTable, pool: ColumnarTable, at: Mapping[str, int]) -> list[Finding]:
    which, after = sheet.spec.by_role("column"), sheet.spec.by_role("after")
    if which is None or after is None:
        return []
    found = []
    for position in range(len(sheet)):
        name, corrected = sheet.cell(which.name, position), sheet.cell(after.name, position)
        if name not in pool.spec.header:
            continue
        other = _pool_cell(sheet, position, pool, at, name)
        if other is not None and other != corrected:
            line = sheet.line(position)
            found.append(rules.CORRECTION.at(sheet.file, line, name, corrected, other=repr(other)))
    return found


def _bibliography(sheet: ColumnarTable, pool: ColumnarTable, at: Mapping[str, int]) -> list[Finding]:
    key = sheet.spec.by_role("key")
    found: list[Finding] = []
    if key is not None:
        have = set(sheet.columns[key.name].to_pylist())
        for entry, position in at.items():
            if entry not in have:
                line = pool.line(position)
                found.append(rules.NO_BIBLIOGRAPHY.at(pool.file, line, pool.spec.key[0], entry, other=sheet.file))
    arxiv = next((c.name for c in pool.spec.columns if c.type == "arxiv"), None)
    first, authors = pool.spec.by_role("first_author"), sheet.spec.by_role("authors")
    dated = sheet.spec.by_role("date")
    for position in range(len(sheet)):
        if first is not None and authors is not None:
            found += _first_author(sheet, position, authors.name, _pool_cell(sheet, position, pool, at, first.name))
        if arxiv is not None and dated is not None:
            found += _first_public(sheet, position, dated.name, _pool_cell(sheet, position, pool, at, arxiv))
    return found


def _first_author(sheet: ColumnarTable, position: int, column: str, other: str | None) -> list[Finding]:
    """Compare family names only; given names are often shortened."""
    cell = sheet.cell(column, position)
    ours = cell.split(";")[0].split(",")[0].strip().casefold()
    if other is None or ours == other.split(",")[0].strip().casefold():
        return []
    value = cell.split(";")[0]
    return [rules.AUTHORS.at(sheet.file, sheet.line(position), column, value, other=repr(other))]


def _first_public(sheet: ColumnarTable, position: int, column: str, identifier: str | None) -> list[Finding]:
    """A work is public no later than the month of its arXiv identifier."""
    cell = sheet.cell(column, position)
    try:
        public, month = parse_date(cell), arxiv_month(parse_arxiv(identifier or ""))
    except ValueError:
        return []
    if public.start.replace(day=1) <= month:
        return []
    other = f"{month:%B %Y}"
    return [rules.FIRST_PUBLIC.at(sheet.file, sheet.line(position), column, cell, other=other)]


def _protocol(sheet: ColumnarTable, protocol: Mapping[str, Any]) -> list[Finding]:
    """Sources, query families and stages of the log must be those that the protocol declares."""
    found: list[Finding] = []
    for role, section in (("source", "sources"), ("query_family", "query_families"), ("stage", "stages")):
        column = sheet.spec.by_role(role)
        items = protocol.get(section)
        if column is None or not isinstance(items, list):
            continue
        known = [str(item["id"]) for item in items if isinstance(item, dict) and "id" in item]
        found += _undeclared(sheet, column.name, known, rules.PROTOCOL)
    return found


def _undeclared(sheet: ColumnarTable, column: str, known: list[str], rule: Rule) -> list[Finding]:
    found = []
    for position, cell in enumerate(sheet.columns[column].to_pylist()):
        if cell and cell not in known:
            close = difflib.get_close_matches(cell, known, 1)
            advice = f"did you mean {close[0]!r}?" if close else f"declared: {', '.join(known)}"
            found.append(rule.at(sheet.file, sheet.line(position), column, cell, advice=advice))
    return found
