"""Gaps in rank order as lines, each with the entries that are nearest to filling it."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.gaps import Gap
from corpus.analysis.sparsity.report import differing_term, gap_entries, gap_parts
from corpus.analysis.sparsity.summary import SparsityReport


class GapLine(NamedTuple):
    """One gap: its name, the entries expected under independence, and the nearest entries.

    Attributes
    ----------
    parts : tuple of (str, str)
        Labels of axis and term.
    entries : str
        How many entries the cell has, and how many of them in a broad sense only.
    expected : str
        Empty for an anchor.
    nearest : tuple of (str, str)
        Key and what differs.
    more : int
        How many further entries are as near as the last one named.
    questions : tuple of (str, str)
        Table and row of each open question that the gap is a ground of.
    """

    parts: tuple[tuple[str, str], ...]
    entries: str
    expected: str
    nearest: tuple[tuple[str, str], ...]
    more: int
    questions: tuple[tuple[str, str], ...] = ()


def gap_lines(report: SparsityReport) -> list[GapLine]:
    """Return all gaps of a report, terms by their labels."""
    return [_line(gap, report) for gap in report.gaps]


def _line(gap: Gap, report: SparsityReport) -> GapLine:
    expected = f"{gap.expected:.1f}" if gap.expected else ""
    nearest: list[tuple[str, str]] = []
    for near in gap.nearest:
        differs = [differing_term(term, gap, report) for term in near.terms]
        nearest.append((near.key, ", ".join(differs)))
    questions: list[tuple[str, str]] = []
    for question in gap.questions:
        table, _, row = question.partition("/")
        questions.append((table, row))
    return GapLine(
        gap_parts(gap, report),
        gap_entries(gap),
        expected,
        tuple(nearest),
        gap.as_near,
        tuple(questions),
    )
