"""Sparsity in print: tables for every sink, one tidy CSV, and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from corpus.analysis.sparsity.anchors import AnchorTable
from corpus.analysis.sparsity.cells import (
    APART,
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    STATUSES,
    THIN,
    SparseTable,
)
from corpus.analysis.sparsity.gaps import ANCHOR, Gap
from corpus.analysis.sparsity.strictness import Readings
from corpus.analysis.sparsity.summary import SparsityReport
from corpus.model.codebook import Codebook
from corpus.printing.escape import csv_cell
from corpus.printing.grid import Grid, grid_text, width

#: How many gaps are listed unless asked otherwise.
TOP = 12


def sparsity_grids(report: SparsityReport, top: int = TOP) -> list[Grid]:
    """Return the report as tables; `top` is the number of gaps in the last one."""
    found = [_axes_grid(report)]
    found += [_pair_grid(report, table) for table in report.pairs]
    found += [_readings_grid(report, item) for item in report.readings]
    for table in report.anchors:
        found += [_anchors_grid(table), *_near_grids(table)]
    return [*found, _gaps_grid(report, top)]


def sparsity_text(report: SparsityReport, top: int = TOP, columns: int = 80) -> str:
    """Write the report for a terminal of `columns` cells."""
    return "\n".join(grid_text(grid, columns) for grid in sparsity_grids(report, top))


def _noun(report: SparsityReport) -> str:
    return report.book.corpus.get("entries", "entries")


def _thin(report: SparsityReport) -> str:
    return "1" if report.threshold == 1 else f"1 to {report.threshold}"


def _axes_grid(report: SparsityReport) -> Grid:
    """Every empty or thin term; an axis without any is one row that says so."""
    rows = []
    for table in report.axes:
        margin = table.margins[0]
        found = [(cell.terms[0], str(cell.entries), cell.status) for cell in table.having(EMPTY, THIN, IMPOSSIBLE)]
        rows += [(margin.column.name, *cell) for cell in found] or [(margin.column.name, "all terms", "", FILLED)]
    note = f"{report.entries} {_noun(report)}; thin means {_thin(report)}. The term for 'not applicable' is left out."
    header = ("axis", "term", _noun(report), "status")
    return Grid("Terms that are empty or thin", header, tuple(rows), frozenset({2}), note)


def _pair_grid(report: SparsityReport, table: SparseTable) -> Grid:
    """All cells of a pair; gaps are 0, impossible cells a sign, the absent terms stand last."""
    down, across = ([row.term for row in margin.rows] for margin in table.margins)
    absent = [margin.vocabulary.not_applicable for margin in table.margins]
    down.sort(key=lambda term: term == absent[0])
    across.sort(key=lambda term: term == absent[1])
    heads = across
    if sum(max(width(term), 3) + 2 for term in across) + max(map(width, down)) > 80:
        heads = [t if t == absent[1] else table.margins[1].vocabulary.term(t).short for t in across]

    def shown(row: str, column: str) -> str:
        cell = table.cells[row, column]
        return "×" if cell.status == IMPOSSIBLE and not cell.entries else str(cell.entries)

    rows = tuple((row, *(shown(row, column) for column in across)) for row in down)
    title = (
        " by ".join((table.margins[0].column.label.lower().capitalize(), table.margins[1].column.label.lower()))
        + f": {table.number(EMPTY)} gaps"
    )
    return Grid(title, ("", *heads), rows, frozenset(range(1, len(across) + 1)), _pair_note(report, table))


def _pair_note(report: SparsityReport, table: SparseTable) -> str:
    numbers = f"{len(table.cells)} cells: {table.number(FILLED)} filled, {table.number(THIN)} thin ({_thin(report)})"
    numbers += f", {table.number(EMPTY)} empty"
    if table.number(APART):
        numbers += f", {table.number(APART)} apart (not applicable)"
    if not table.number(IMPOSSIBLE):
        return numbers + "."
    reasons = dict.fromkeys(cell.reason for cell in table.having(IMPOSSIBLE))
    against = sum(cell.entries for cell in table.having(IMPOSSIBLE))
    held = f" {against} {_noun(report)} stand there all the same." if against else ""
    return f"{numbers}, {table.number(IMPOSSIBLE)} impossible (×): {'; '.join(reasons)}.{held}"


def _readings_grid(report: SparsityReport, found: Readings) -> Grid:
    rows = []
    for unit in found.units:
        strict, near = len(unit.strict), len(unit.strict) + len(unit.near)
        rows.append((unit.term, *map(str, (len(unit.broad), strict, near, len(unit.weaker), len(unit.unjudged)))))
    label = report.book.axis(found.axis)[0].label
    note = f"{found.judged} of {found.tagged} tags have been judged; broad counts every tag."
    if found.misplaced:
        note += f" Judged for another tag than the entry carries: {', '.join(found.misplaced)}."
    header = (found.axis, "broad", "strict", "or near", "only broad", "not judged")
    return Grid(f"{label}: broad and strict reading", header, tuple(rows), frozenset(range(1, 6)), note)


def _anchors_grid(table: AnchorTable) -> Grid:
    rows = tuple(
        (f"{row.id} {row.label}", *(str(len(table.cells[row.id, grade])) for grade in table.grades.ids))
        for row in table.rows.terms
    )
    header = ("", *(term.short for term in table.grades.terms))
    note = "; ".join(f"{term.short}: {term.label}" for term in table.grades.terms) + "."
    return Grid(table.title, header, rows, frozenset(range(1, len(header))), note)


def _near_grids(table: AnchorTable) -> Iterator[Grid]:
    """One table for each row without the highest grade: what stands nearest, and what it does not show."""
    top = table.grades.term(table.top).label
    for row in table.without_top():
        near = table.nearest(row)
        title = f"{row} {table.rows.term(row).label}: nothing at the grade '{top}'"
        rows = tuple((anchor.key, table.grades.term(anchor.grade).short, anchor.boundary) for anchor in near)
        note = "" if rows else "No anchor of any grade."
        yield Grid(title, ("nearest", "grade", "what it does not show"), rows, note=note, wraps=frozenset({2}))


def gap_name(gap: Gap, book: Codebook) -> str:
    """Return a gap in the codebook's words, such as ``Colour: red; Shape: round``."""
    if gap.kind == ANCHOR:
        return f"{gap.terms[0]}: {_words(gap.terms[1])}"
    named = ((book.axis(axis), term) for axis, term in zip(gap.axes, gap.terms, strict=True))
    return "; ".join(f"{column.label}: {vocabulary.term(term).label}" for (column, vocabulary), term in named)


def _words(term: str) -> str:
    """Return a term, or an axis with its term, as words that a line can break between."""
    return term.replace("_", " ").replace("=", ": ")


def _nearest_names(gap: Gap) -> str:
    near = ((item.key, " / ".join(map(_words, item.terms))) for item in gap.nearest)
    names = ", ".join(f"{key} ({terms})" if terms else key for key, terms in near)
    return f"{names}; {gap.as_near} more as near" if gap.as_near else names or "none"


def _gaps_grid(report: SparsityReport, top: int) -> Grid:
    rows = []
    for number, gap in enumerate(report.gaps[:top], 1):
        expected = f"{gap.expected:.1f}" if gap.expected else ""
        rows.append((str(number), gap_name(gap, report.book), expected, _nearest_names(gap)))
    title = f"Gaps in rank order: {len(rows)} of {len(report.gaps)}"
    note = (
        f"Expected: {_noun(report)} that the cell would hold if axes were independent, or terms equally frequent. "
        "Nearest: entries that share most of the cell's terms, then those with neighbouring terms; "
        "in brackets what differs."
    )
    header = ("#", "gap", "expected", "nearest")
    return Grid(title, header, tuple(rows), frozenset({0, 2}), note, frozenset({1, 3}))


def sparsity_csv(report: SparsityReport) -> str:
    """Write every cell as one tidy row: table, row, column, entries, status, expected, reason, rank, nearest keys."""
    ranks = {(gap.axes, gap.terms): (n, gap) for n, gap in enumerate(report.gaps, 1)}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("table", "row", "column", "entries", "status", "expected", "reason", "rank", "nearest"))

    def write(table: str, axes: tuple[str, ...], terms: tuple[str, ...], *facts: object) -> None:
        rank, gap = ranks.get((axes, terms), ("", None))
        near = " ".join(item.key for item in gap.nearest) if gap else ""
        row, column = terms if len(terms) == 2 else (terms[0], "")
        writer.writerow([csv_cell(str(item)) for item in (table, row, column, *facts, rank, near)])

    for found in (*report.axes, *report.pairs):
        for cell in found.cells.values():
            expected = f"{cell.expected:.3f}" if cell.expected else ""
            write(" by ".join(found.axes), found.axes, cell.terms, cell.entries, cell.status, expected, cell.reason)
    for judged in report.readings:
        for unit in judged.units:
            for reading in ("broad", "strict", "near", "weaker", "unjudged"):
                keys = getattr(unit, reading)
                write(f"{judged.axis} by reading", (), (unit.term, reading), len(keys), "", "", "")
    for table in report.anchors:
        for (row, grade), anchors in table.cells.items():
            status = FILLED if anchors else EMPTY
            write(table.title, (table.title,), (row, grade), len(anchors), status, "", "")
    return buffer.getvalue()


def sparsity_json(report: SparsityReport) -> str:
    """Write the report as one JSON document: axes, pairs, readings, anchors and all gaps in rank order."""
    document = {
        "entries": report.entries,
        "threshold": report.threshold,
        "axes": [_table_json(table) for table in report.axes],
        "pairs": [_table_json(table) for table in report.pairs],
        "readings": [
            {
                "axis": found.axis,
                "judged": found.judged,
                "tagged": found.tagged,
                "misplaced": found.misplaced,
                "units": [unit._asdict() for unit in found.units],
            }
            for found in report.readings
        ],
        "anchors": [_anchors_json(table) for table in report.anchors],
        "gaps": [_gap_json(gap, rank) for rank, gap in enumerate(report.gaps, 1)],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _table_json(table: SparseTable) -> dict[str, Any]:
    cells = [{**cell._asdict(), "expected": round(cell.expected, 3)} for cell in table.cells.values()]
    return {"axes": table.axes, "cells": cells, **{status: table.number(status) for status in STATUSES}}


def _anchors_json(table: AnchorTable) -> dict[str, Any]:
    cells = [
        {"row": row, "grade": grade, "anchors": [anchor._asdict() for anchor in anchors]}
        for (row, grade), anchors in table.cells.items()
    ]
    return {"title": table.title, "without_top": table.without_top(), "cells": cells}


def _gap_json(gap: Gap, rank: int) -> dict[str, Any]:
    near = [{**item._asdict(), "nearness": round(item.nearness, 3)} for item in gap.nearest]
    return {"rank": rank, **gap._asdict(), "expected": round(gap.expected, 3), "nearest": near}
