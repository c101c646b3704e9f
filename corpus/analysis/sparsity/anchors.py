"""Entries that exemplify something, by grade; a row without the top grade is a gap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.sparsity.plan import AnchorsPlan
from corpus.model.codebook import Vocabulary
from corpus.model.study import Study


class Anchor(NamedTuple):
    """One row of the evidence table: the entry, what it shows, and what it does not show."""

    key: str
    row: str
    grade: str
    evidence: str
    boundary: str
    is_marked: bool = False


class AnchorTable(NamedTuple):
    """Every row term by every grade, empty cells included; the first grade is the highest."""

    title: str
    rows: Vocabulary
    grades: Vocabulary
    cells: Mapping[tuple[str, str], tuple[Anchor, ...]]

    @property
    def top(self) -> str:
        """The highest grade."""
        return self.grades.ids[0]

    def without_top(self) -> tuple[str, ...]:
        """Return the row terms that have no anchor of the highest grade."""
        return tuple(row for row in self.rows.ids if not self.cells[row, self.top])

    def nearest(self, row: str) -> tuple[Anchor, ...]:
        """Return the anchors of the highest grade that a row has; none where it has no anchor."""
        for grade in self.grades.ids:
            if self.cells[row, grade]:
                return self.cells[row, grade]
        return ()


def anchor_table(study: Study, plan: AnchorsPlan) -> AnchorTable:
    """Cross an evidence table by two of its term columns; rows about other entries are left out."""
    book = study.codebook
    table = study.tables[plan.table]
    reference = table.spec.reference_to(book.pool)
    assert reference is not None, "the plan was read with it"
    rows = book.vocabulary_of(table.spec.column(plan.rows))
    grades = book.vocabulary_of(table.spec.column(plan.columns))
    evidence = table.spec.by_role("evidence")
    boundary = table.spec.by_role("boundary")
    cells: dict[tuple[str, str], tuple[Anchor, ...]] = {}
    for row in rows.ids:
        for grade in grades.ids:
            cells[row, grade] = ()
    for record in table.records():
        key = record[reference.name]
        # The study may be a part of the corpus, as with --where.
        if key not in study.entries:
            continue
        row = record[plan.rows]
        grade = record[plan.columns]
        # A row without a grade, where the column is optional, is not an anchor yet.
        if not row or not grade:
            continue
        given = record[evidence.name] if evidence else ""
        limit = record[boundary.name] if boundary else ""
        fits = [record[column] in values for column, values in plan.marked.items()]
        is_marked = bool(fits) and all(fits)
        cells[row, grade] += (Anchor(key, row, grade, given, limit, is_marked),)
    return AnchorTable(plan.title, rows, grades, cells)
