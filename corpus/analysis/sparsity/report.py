"""Sparsity in print: tables for every sink, one tidy CSV, and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    STATUSES,
    THIN,
    SparseCell,
    SparseTable,
)
from corpus.analysis.sparsity.gaps import ANCHOR, Gap
from corpus.analysis.sparsity.strictness import AnchorTable, Strictness
from corpus.analysis.sparsity.summary import SparsityReport
from corpus.model.codebook import Term
from corpus.model.contingency import Margin
from corpus.printing.grid import Grid, safe_csv, width
from corpus.printing.json_document import as_plain, json_text

#: How many gaps are listed unless asked otherwise.
TOP = 12
#: Wider tables have short column heads.
_TEXT_WIDTH = 80
_CSV_HEADER: tuple[str, ...] = (
    "table",
    "row",
    "column",
    "entries",
    "status",
    "expected",
    "reason",
    "rank",
    "nearest",
)


def sparsity_grids(report: SparsityReport, top: int = TOP) -> list[Grid]:
    """Return the report as tables; `top` is the number of gaps in the last one."""
    found = [_axes_grid(report)]
    found += [_pair_grid(report, table) for table in report.pairs]
    found += [_strictness_grid(report, item) for item in report.strictness]
    for table in report.anchors:
        found += [_anchors_grid(table), *_near_grids(table)]
    return [*found, _gaps_grid(report, top)]


def _noun(report: SparsityReport) -> str:
    return report.book.corpus.get("entries", "entries")


def _thin(report: SparsityReport) -> str:
    return "1" if report.threshold == 1 else f"1 to {report.threshold}"


def _axes_grid(report: SparsityReport) -> Grid:
    """Return every empty or thin term; an axis without any is one row."""
    rows: list[tuple[str, ...]] = []
    others: list[str] = []
    for table in report.axes:
        margin = table.margins[0]
        axis = margin.column.label
        if not report.is_ranked(table):
            others.append(axis)
            continue
        cells = table.having(EMPTY, THIN, IMPOSSIBLE)
        if not cells:
            rows.append((axis, "all terms", "", FILLED))
        for cell in cells:
            label = margin.vocabulary.term(cell.terms[0]).label
            rows.append((axis, label, str(cell.entries), cell.status))
    note = (
        f"{report.entries} {_noun(report)}; thin means {_thin(report)}. "
        f"The term for 'not applicable' is left out."
    )
    if others:
        note += f" An empty term is not an open question on: {', '.join(others)}."
    header = ("axis", "term", _noun(report), "status")
    return Grid("Terms that are empty or thin", header, tuple(rows), frozenset({2}), note)


def _pair_grid(report: SparsityReport, table: SparseTable) -> Grid:
    """Return all cells of a pair: gaps as 0, impossible ones as ×, terms that do not apply last."""
    of_rows, of_columns = table.margins
    down = _terms_in_print(of_rows)
    across = _terms_in_print(of_columns)
    heads = [term.label for term in across]
    # A column is at least three characters wide, with two between columns.
    needed = max(width(term.label) for term in down)
    needed += sum(max(width(head), 3) + 2 for head in heads)
    if needed > _TEXT_WIDTH:
        heads = [_short(term, of_columns) for term in across]
    rows: list[tuple[str, ...]] = []
    for row in down:
        cells = [_cell_text(table.cells[row.id, column.id]) for column in across]
        rows.append((row.label, *cells))
    title = f"{of_rows.column.label.capitalize()} by {of_columns.column.label.lower()}"
    if report.is_ranked(table):
        title += f": {table.number(EMPTY)} gaps"
    numeric = frozenset(range(1, len(across) + 1))
    return Grid(title, ("", *heads), tuple(rows), numeric, _pair_note(report, table))


def _terms_in_print(margin: Margin) -> list[Term]:
    """Return the terms of an axis, the one for "not applicable" last."""
    absent = margin.vocabulary.not_applicable
    return sorted(margin.vocabulary.terms, key=lambda term: term.id == absent)


def _short(term: Term, margin: Margin) -> str:
    """Return a short head; the identifier of "not applicable" is shorter than its short form."""
    if term.id == margin.vocabulary.not_applicable:
        return term.id
    return term.short


def _cell_text(cell: SparseCell) -> str:
    # An impossible cell with entries contradicts the codebook, so its number is shown.
    if cell.status == IMPOSSIBLE and not cell.entries:
        return "×"
    return str(cell.entries)


def _pair_note(report: SparsityReport, table: SparseTable) -> str:
    if not report.is_ranked(table):
        return "No table of gaps: an empty cell is not an open question on one of its axes."
    parts = [
        f"{len(table.cells)} cells: {table.number(FILLED)} filled",
        f"{table.number(THIN)} thin ({_thin(report)})",
        f"{table.number(EMPTY)} empty",
    ]
    if table.number(NOT_APPLICABLE):
        parts.append(f"{table.number(NOT_APPLICABLE)} not applicable")
    impossible = table.having(IMPOSSIBLE)
    if not impossible:
        return ", ".join(parts) + "."
    reasons = dict.fromkeys(cell.reason for cell in impossible)
    parts.append(f"{len(impossible)} impossible (×): {'; '.join(reasons)}.")
    note = ", ".join(parts)
    entries = sum(cell.entries for cell in impossible)
    if entries:
        note += f" {entries} {_noun(report)} are there all the same."
    return note


def _strictness_grid(report: SparsityReport, found: Strictness) -> Grid:
    rows: list[tuple[str, ...]] = []
    column, vocabulary = report.book.axis(found.axis)
    labels = vocabulary.labels
    for unit in found.units:
        strict = len(unit.strict)
        strict_or_near = strict + len(unit.near)
        numbers = (len(unit.broad), strict, strict_or_near, len(unit.weaker), len(unit.unjudged))
        rows.append((labels[unit.term], *map(str, numbers)))
    title = f"{column.label}: broad and strict reading"
    note = f"{found.judged} of {found.tagged} tags have been judged; broad counts every tag."
    if found.misplaced:
        note += f" Judged for another tag than the entry carries: {', '.join(found.misplaced)}."
    header = (column.label, "broad", "strict", "or near", "only broad", "not judged")
    return Grid(title, header, tuple(rows), frozenset(range(1, 6)), note)


def _anchors_grid(table: AnchorTable) -> Grid:
    rows: list[tuple[str, ...]] = []
    for row in table.rows.terms:
        numbers = [len(table.cells[row.id, grade]) for grade in table.grades.ids]
        rows.append((f"{row.id} {row.label}", *map(str, numbers)))
    grades = table.grades.terms
    header = ("", *(term.short for term in grades))
    explained = "; ".join(f"{term.short}: {term.label}" for term in grades)
    numeric = frozenset(range(1, len(header)))
    return Grid(table.title, header, tuple(rows), numeric, f"{explained}.")


def _near_grids(table: AnchorTable) -> Iterator[Grid]:
    """Yield one table for each row without the highest grade: the anchors nearest to it."""
    top = table.grades.term(table.top).label
    header = ("nearest", "grade", "what it does not show")
    for row in table.without_top():
        rows: list[tuple[str, ...]] = []
        for anchor in table.nearest(row):
            grade = table.grades.term(anchor.grade).short
            rows.append((anchor.key, grade, anchor.boundary))
        title = f"{row} {table.rows.term(row).label}: nothing at the grade '{top}'"
        note = "" if rows else "No anchor of any grade."
        yield Grid(title, header, tuple(rows), note=note, wraps=frozenset({2}))


def gap_parts(gap: Gap, report: SparsityReport) -> tuple[tuple[str, str], ...]:
    """Return the labels of axis and term that a gap is about, one pair for each axis."""
    if gap.kind == ANCHOR:
        table = _anchor_table(gap, report)
        row = table.rows.term(gap.terms[0])
        grade = table.grades.term(gap.terms[1])
        return ((table.rows.title, f"{row.id} {row.label}"), (table.grades.title, grade.label))
    parts: list[tuple[str, str]] = []
    for axis, term in zip(gap.axes, gap.terms, strict=True):
        column, vocabulary = report.book.axis(axis)
        parts.append((column.label, vocabulary.term(term).label))
    return tuple(parts)


def _anchor_table(gap: Gap, report: SparsityReport) -> AnchorTable:
    """Return the table that a gap of anchors is in, which is named in place of an axis."""
    by_title = {table.title: table for table in report.anchors}
    return by_title[gap.axes[0]]


def gap_name(gap: Gap, report: SparsityReport) -> str:
    """Return a gap in the codebook's words, such as ``Colour: red; Shape: round``."""
    parts = gap_parts(gap, report)
    if gap.kind == ANCHOR:
        return ": ".join(label for _, label in parts)
    return "; ".join(f"{axis}: {label}" for axis, label in parts)


def differing_term(term: str, gap: Gap, report: SparsityReport) -> str:
    """Return a differing term by its labels: ``turn``, or ``scenario=coding`` on another axis."""
    axis, _, other = term.rpartition("=")
    if axis:
        column, vocabulary = report.book.axis(axis)
        return f"{column.label}: {vocabulary.term(other).label}"
    if gap.kind == ANCHOR:
        return _anchor_table(gap, report).grades.term(other).label
    for name in gap.axes:
        _, vocabulary = report.book.axis(name)
        if other in vocabulary.ids:
            return vocabulary.term(other).label
    return other


def gap_entries(gap: Gap) -> str:
    """Return how many entries a cell has, and how many of them hold in a broad sense only."""
    if gap.kind == ANCHOR or not gap.entries:
        return "0"
    if gap.held == gap.entries:
        return str(gap.entries)
    return f"{gap.entries}, {gap.entries - gap.held} only broad"


def _nearest_names(gap: Gap, report: SparsityReport) -> str:
    names: list[str] = []
    for item in gap.nearest:
        terms = " / ".join(differing_term(term, gap, report) for term in item.terms)
        names.append(f"{item.key} ({terms})" if terms else item.key)
    text = ", ".join(names)
    if gap.as_near:
        return f"{text}; {gap.as_near} more as near"
    return text or "none"


def _gaps_grid(report: SparsityReport, top: int) -> Grid:
    rows: list[tuple[str, ...]] = []
    for number, gap in enumerate(report.gaps[:top], 1):
        expected = f"{gap.expected:.1f}" if gap.expected else ""
        name = gap_name(gap, report)
        nearest = _nearest_names(gap, report)
        questions = ", ".join(question.partition("/")[2] for question in gap.questions)
        rows.append((str(number), name, gap_entries(gap), expected, nearest, questions))
    title = f"Gaps in rank order: {len(rows)} of {len(report.gaps)}"
    note = (
        f"Expected: {_noun(report)} that the cell would have if axes were independent, "
        "or terms equally frequent. "
        "They rank by what is missing, terms before pairs"
        f"{_weights(report)}. "
        "Nearest: entries that share most of the cell's terms, then those with neighbouring terms; "
        "in brackets what differs."
    )
    header: tuple[str, ...] = ("#", "gap", "has", "expected", "nearest", "open question")
    if not any(gap.questions for gap in report.gaps):
        header = header[:-1]
        rows = [row[:-1] for row in rows]
    return Grid(title, header, tuple(rows), frozenset({0, 3}), note, frozenset({1, 2, 4, 5}))


def _weights(report: SparsityReport) -> str:
    """Return which gaps count more, in brackets; empty where all count the same."""
    counted: dict[str, None] = {}
    for item in report.important:
        column, vocabulary = report.book.axis(item.axis)
        name = f"{column.label.lower()} {vocabulary.term(item.term).label}"
        counted[f"{name} counts {item.weight:g} times"] = None
    return f" ({', '.join(counted)})" if counted else ""


def sparsity_csv(report: SparsityReport) -> str:
    """Write every cell as one tidy row; see the header for what it has."""
    gaps: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, Gap]] = {}
    for number, gap in enumerate(report.gaps, 1):
        gaps[gap.axes, gap.terms] = (number, gap)
    rows = [_CSV_HEADER]
    for table, axes, cell in _tidy_cells(report):
        rank = nearest = ""
        if (axes, cell.terms) in gaps:
            number, gap = gaps[axes, cell.terms]
            rank = str(number)
            nearest = " ".join(item.key for item in gap.nearest)
        row, column = (*cell.terms, "")[:2]
        expected = f"{cell.expected:.3f}" if cell.expected else ""
        facts = (str(cell.entries), cell.status, expected, cell.reason)
        rows.append((table, row, column, *facts, rank, nearest))
    return safe_csv(rows)


def _tidy_cells(report: SparsityReport) -> Iterator[tuple[str, tuple[str, ...], SparseCell]]:
    """Yield the name of a table, its axes and a cell."""
    for found in (*report.axes, *report.pairs):
        for cell in found.cells.values():
            yield " by ".join(found.axes), found.axes, cell
    for judged in report.strictness:
        for unit in judged.units:
            for reading in ("broad", "strict", "near", "weaker", "unjudged"):
                entries = len(getattr(unit, reading))
                # Without axes, since a judgement is not a cell that could be a gap.
                cell = SparseCell((unit.term, reading), entries, "", "", 0.0)
                yield f"{judged.axis} by reading", (), cell
    for table in report.anchors:
        for place, anchors in table.cells.items():
            status = FILLED if anchors else EMPTY
            yield table.title, (table.title,), SparseCell(place, len(anchors), status, "", 0.0)


def sparsity_json(report: SparsityReport) -> str:
    """Write the report as one JSON document, with all gaps in rank order."""
    document = {
        "entries": report.entries,
        "threshold": report.threshold,
        "axes": [_table_json(table, report) for table in report.axes],
        "pairs": [_table_json(table, report) for table in report.pairs],
        "readings": [_strictness_json(found) for found in report.strictness],
        "anchors": [_anchors_json(table) for table in report.anchors],
        "gaps": [_gap_json(gap, rank) for rank, gap in enumerate(report.gaps, 1)],
    }
    return json_text(document)


def _strictness_json(found: Strictness) -> dict[str, Any]:
    return {
        "axis": found.axis,
        "judged": found.judged,
        "tagged": found.tagged,
        "misplaced": found.misplaced,
        "units": as_plain(found.units),
    }


def _table_json(table: SparseTable, report: SparsityReport) -> dict[str, Any]:
    cells = []
    for cell in table.cells.values():
        cells.append({**cell._asdict(), "expected": round(cell.expected, 3)})
    return {
        "axes": table.axes,
        "ranked": report.is_ranked(table),
        "cells": cells,
        **{status: table.number(status) for status in STATUSES},
    }


def _anchors_json(table: AnchorTable) -> dict[str, Any]:
    cells = []
    for (row, grade), anchors in table.cells.items():
        cells.append({"row": row, "grade": grade, "anchors": as_plain(anchors)})
    return {"title": table.title, "without_top": table.without_top(), "cells": cells}


def _gap_json(gap: Gap, rank: int) -> dict[str, Any]:
    nearest = []
    for item in gap.nearest:
        nearest.append(item._replace(nearness=round(item.nearness, 3)))
    rounded = gap._replace(expected=round(gap.expected, 3), nearest=tuple(nearest))
    return {"rank": rank, **as_plain(rounded)}
