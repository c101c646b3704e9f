"""Numbers of different units on one logarithmic scale, each with the boundary of what it shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NOT_POSITIVE
from corpus.publishing.figures.frame import NOT_GIVEN, Frame
from corpus.publishing.figures.plan import RangesPlan


class RangeMark(NamedTuple):
    """One number: the entry's name, what was counted, value, unit, kind of number, boundary."""

    name: str
    quantity: str
    value: float
    unit: str
    kind: str
    boundary: str


class Ranges(NamedTuple):
    """All numbers, units by their largest value, within a unit by value.

    `kinds` are the kinds of numbers that occur; `boundary` is the label of that column.
    """

    marks: tuple[RangeMark, ...]
    kinds: tuple[str, ...]
    boundary: str

    @property
    def units(self) -> tuple[str, ...]:
        """The units in the order in which they are drawn."""
        return tuple(dict.fromkeys(mark.unit for mark in self.marks))

    def frame(self) -> Frame:
        """Return one row per number."""
        header = ("name", "quantity", "value", "unit", "kind", "boundary")
        return Frame(header, tuple(tuple(mark) for mark in self.marks))


def ranges(study: Study, plan: RangesPlan, labels: Mapping[str, str]) -> Ranges:
    """Read the numbers of an evidence table; `labels` are the short names of entries, by key.

    Raises
    ------
    CorpusError
        With a C802 finding for every cell that holds no number above zero.
    """
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    kinds = None
    if plan.kind:
        kinds = study.codebook.vocabulary_of(table.spec.column(plan.kind))
    marks = []
    findings = []
    for record, line in zip(table.records(), table.lines, strict=True):
        cell = record[plan.value]
        value = positive_number(cell)
        if value <= 0:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, cell))
            continue
        key = record[reference.name]
        kind = ""
        if kinds is not None:
            term = record[plan.kind]
            kind = kinds.term(term).label if term else NOT_GIVEN
        mark = RangeMark(
            name=labels.get(key, key),
            quantity=record[plan.quantity],
            value=value,
            unit=record[plan.unit],
            kind=kind,
            boundary=record[plan.boundary],
        )
        marks.append(mark)
    if findings:
        raise CorpusError(findings)

    drawn: list[str] = []
    if kinds is not None:
        used = {mark.kind for mark in marks}
        declared = (*(term.label for term in kinds.terms), NOT_GIVEN)
        drawn = [label for label in declared if label in used]
    boundary = table.spec.column(plan.boundary).label
    return Ranges(tuple(_in_order(marks)), tuple(drawn), boundary)


def _in_order(marks: list[RangeMark]) -> list[RangeMark]:
    """Sort by unit, those with small numbers first, then by value."""
    largest: dict[str, float] = {}
    for mark in marks:
        largest[mark.unit] = max(mark.value, largest.get(mark.unit, 0.0))

    def rank(mark: RangeMark) -> tuple[float, str, float, str]:
        # Two units may share their largest number; the name keeps each in one piece.
        return (largest[mark.unit], mark.unit, mark.value, mark.name)

    return sorted(marks, key=rank)


def positive_number(text: str) -> float:
    """Return a finite number as it was written, or 0 where the text is none."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0
