"""Gaps in rank order as lines, each with the entries that are nearest to filling it."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.gaps import ANCHOR, Gap
from corpus.analysis.sparsity.summary import SparsityReport


class GapLine(NamedTuple):
    """One gap: its name, the entries expected under independence, and the nearest entries.

    Attributes
    ----------
    parts : tuple of (str, str)
        Labels of axis and term.
    expected : str
        Empty for an anchor.
    nearest : tuple of (str, str)
        Key and what differs.
    more : int
        How many further entries are as near as the last one named.
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
    nearest: list[tuple[str, str]] = []
    for near in gap.nearest:
        differs = [_difference(term, gap, report) for term in near.terms]
        nearest.append((near.key, ", ".join(differs)))
    return GapLine(_parts(gap, report), expected, tuple(nearest), gap.as_near)


def _parts(gap: Gap, report: SparsityReport) -> tuple[tuple[str, str], ...]:
    if gap.kind == ANCHOR:
        table = next(table for table in report.anchors if table.title == gap.axes[0])
        row, grade = table.rows.term(gap.terms[0]), table.grades.term(gap.terms[1])
        return ((table.rows.title, f"{row.id} {row.label}"), (table.grades.title, grade.label))
    parts: list[tuple[str, str]] = []
    for axis, term in zip(gap.axes, gap.terms, strict=True):
        column, vocabulary = report.book.axis(axis)
        parts.append((column.label, vocabulary.term(term).label))
    return tuple(parts)


def _difference(term: str, gap: Gap, report: SparsityReport) -> str:
    """Return a differing term by its labels: ``turn``, or ``scenario=coding`` on another axis."""
    axis, _, other = term.rpartition("=")
    if axis:
        column, vocabulary = report.book.axis(axis)
        return f"{column.label}: {vocabulary.term(other).label}"
    if gap.kind == ANCHOR:
        table = next(table for table in report.anchors if table.title == gap.axes[0])
        return table.grades.term(other).label
    for name in gap.axes:
        _, vocabulary = report.book.axis(name)
        if other in vocabulary.ids:
            return vocabulary.term(other).label
    return other
