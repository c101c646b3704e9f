"""Gaps in rank order as lines, each with the entries that come nearest to filling it."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.gaps import ANCHOR, Gap
from corpus.analysis.sparsity.summary import SparsityReport


class GapLine(NamedTuple):
    """One gap: its name, entries expected under independence (empty for an anchor), and the nearest entries.

    `nearest` are (key, what differs); `more` is how many further entries are as near as the last one named.
    """

    parts: tuple[tuple[str, str], ...]
    expected: str
    nearest: tuple[tuple[str, str], ...]
    more: int


def gap_lines(report: SparsityReport) -> list[GapLine]:
    """Return all gaps of a report, terms by their labels."""
    return [_line(gap, report) for gap in report.gaps]


def _line(gap: Gap, report: SparsityReport) -> GapLine:
    expected = f"{gap.expected:.1f}" if gap.expected else ""
    nearest = tuple((near.key, ", ".join(_said(term, gap, report) for term in near.terms)) for near in gap.nearest)
    return GapLine(_parts(gap, report), expected, nearest, gap.as_near)


def _parts(gap: Gap, report: SparsityReport) -> tuple[tuple[str, str], ...]:
    if gap.kind == ANCHOR:
        table = next(table for table in report.anchors if table.title == gap.axes[0])
        row, grade = table.rows.term(gap.terms[0]), table.grades.term(gap.terms[1])
        return ((table.rows.title, f"{row.id} {row.label}"), (table.grades.title, grade.label))
    found = []
    for axis, term in zip(gap.axes, gap.terms, strict=True):
        column, vocabulary = report.book.axis(axis)
        found.append((column.label, vocabulary.term(term).label))
    return tuple(found)


def _said(term: str, gap: Gap, report: SparsityReport) -> str:
    """Return a term that differs (``turn``, or ``scenario=coding`` on another axis) by its labels."""
    axis, _, other = term.rpartition("=")
    if axis:
        column, vocabulary = report.book.axis(axis)
        return f"{column.label}: {vocabulary.term(other).label}"
    if gap.kind == ANCHOR:
        grades = next(table.grades for table in report.anchors if table.title == gap.axes[0])
        return grades.term(other).label
    for name in gap.axes:
        vocabulary = report.book.axis(name)[1]
        if other in vocabulary.ids:
            return vocabulary.term(other).label
    return other
