"""Entries in print: lists, and one entry with everything known about it."""

from __future__ import annotations

import json
import textwrap

from corpus.analysis.counting.entries import cell_mates, neighbours, side_rows
from corpus.model.codebook import TableSpec
from corpus.model.corpus import Row, Study
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid


def entries_grid(spec: TableSpec, rows: list[Row], columns: list[str]) -> Grid:
    """Return rows as a table of some columns."""
    positions = [spec.position(name) for name in columns]
    cells = tuple(tuple(row[position] for position in positions) for row in rows)
    numeric = frozenset(i for i, p in enumerate(positions) if spec.columns[p].type in ("year", "integer", "number"))
    return Grid("", tuple(columns), cells, numeric)


def entries_json(spec: TableSpec, rows: list[Row], columns: list[str]) -> str:
    """Return rows as a JSON array of objects; every value is the text of its cell."""
    positions = [spec.position(name) for name in columns]
    records = [dict(zip(columns, (row[p] for p in positions), strict=True)) for row in rows]
    return json.dumps(records, ensure_ascii=False, indent=2) + "\n"


def entry_text(corpus: Study, row: Row, columns: int = 80) -> str:
    """Return one entry in full: cells with the meaning of their tags, what other tables say of it, its neighbours."""
    spec = corpus.codebook.pool
    key = row[spec.position(spec.key[0])]
    lines = _cells(corpus, spec, row, columns)
    for table, side, line in side_rows(corpus, key):
        lines += ["", f"{table.spec.title} ({terminal(table.file)}:{line})"]
        lines += _side(table.spec, side, key, columns)
    lines += ["", "Entries in the same cells"]
    for mates in cell_mates(corpus, key):
        cell = " × ".join(mates.cell)
        names = ", ".join(mates.keys) or "none; this entry alone fills the cell"
        lines += _wrapped([f"  {terminal(mates.title)}, {terminal(cell)}: {terminal(names)}"], columns, 4)
    near = neighbours(corpus, key)
    if near:
        lines += ["", "Entries with most tags in common"]
        wide = max(len(neighbour.key) for neighbour in near)
        lines += _wrapped(
            [f"{terminal(n.key):<{wide}}  {len(n.shared)}: {', '.join(n.shared)}" for n in near], columns, wide + 5
        )
    return "".join(line.rstrip() + "\n" for line in lines)


def _cells(corpus: Study, spec: TableSpec, row: Row, columns: int) -> list[str]:
    lines: list[str] = []
    wide = max(len(column.label) for column in spec.columns)
    for column, cell in zip(spec.columns, row, strict=True):
        text = terminal(cell) or "–"
        if column.type == "term":
            terms = [corpus.codebook.vocabulary_of(column).term(value) for value in column.values(cell)]
            text = "; ".join(f"{term.id} — {term.definition}" for term in terms)
        lines += _wrapped([f"{column.label:<{wide}}  {text}"], columns, wide + 2)
    return lines


def _side(spec: TableSpec, row: Row, key: str, columns: int) -> list[str]:
    wide = max(len(column.label) for column in spec.columns)
    lines: list[str] = []
    for column, cell in zip(spec.columns, row, strict=True):
        if cell and cell != key:
            lines += _wrapped([f"  {column.label:<{wide}}  {terminal(cell)}"], columns, wide + 4)
    return lines


def _wrapped(lines: list[str], columns: int, indent: int) -> list[str]:
    wrapped: list[str] = []
    for line in lines:
        wrapped += textwrap.wrap(
            line, columns, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return wrapped


def entry_json(corpus: Study, row: Row) -> str:
    """Return one entry as JSON: its cells, the rows of other tables about it, its neighbours."""
    spec = corpus.codebook.pool
    key = row[spec.position(spec.key[0])]
    tables: dict[str, list[dict[str, str]]] = {}
    for table, side, _ in side_rows(corpus, key):
        tables.setdefault(table.spec.name, []).append(dict(zip(table.spec.header, side, strict=True)))
    document = {
        "entry": dict(zip(spec.header, row, strict=True)),
        "tables": tables,
        "cells": [{"crosstab": m.title, "cell": list(m.cell), "keys": list(m.keys)} for m in cell_mates(corpus, key)],
        "neighbours": [{"key": n.key, "shared": list(n.shared)} for n in neighbours(corpus, key)],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
