"""Numbers of different units on one logarithmic scale, each with the boundary of what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import NOT_POSITIVE
from corpus.publishing.figures.frame import Frame
from corpus.publishing.figures.plan import RangesPlan


class RangeMark(NamedTuple):
    """One number: the entry's name, what was counted, its value and unit, the kind of number, its boundary."""

    name: str
    quantity: str
    value: float
    unit: str
    kind: str
    boundary: str


class Ranges(NamedTuple):
    """All numbers, units by their largest value, inside a unit by value; `boundary` is the label of that column."""

    marks: tuple[RangeMark, ...]
    kinds: tuple[str, ...]
    boundary: str

    @property
    def units(self) -> tuple[str, ...]:
        """The units in the order in which they are drawn."""
        return tuple(dict.fromkeys(mark.unit for mark in self.marks))

    def frame(self) -> Frame:
        """Return one row a number."""
        return Frame(
            ("name", "quantity", "value", "unit", "kind", "boundary"), tuple(tuple(mark) for mark in self.marks)
        )


def ranges(corpus: Study, plan: RangesPlan, labels: Mapping[str, str]) -> Ranges:
    """Read the numbers of an evidence table; `labels` are the short names of entries, by key.

    Raises
    ------
    CorpusError
        With a C802 finding for every cell that is no number above zero.
    """
    table = corpus.tables[plan.table]
    reference = table.spec.reference_to(corpus.codebook.pool)
    assert reference is not None  # the plan was read with it
    kinds = corpus.codebook.vocabulary_of(table.spec.column(plan.kind)) if plan.kind else None
    marks, findings = [], []
    for record, line in zip(table.records(), table.lines, strict=True):
        value = _number(record[plan.value])
        if value <= 0:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, record[plan.value]))
            continue
        name = labels.get(record[reference.name], record[reference.name])
        kind = kinds.term(record[plan.kind]).label if kinds else ""
        marks.append(RangeMark(name, record[plan.quantity], value, record[plan.unit], kind, record[plan.boundary]))
    if findings:
        raise CorpusError(findings)
    largest: dict[str, float] = {}
    for mark in marks:
        largest[mark.unit] = max(mark.value, largest.get(mark.unit, 0.0))
    marks.sort(key=lambda mark: (largest[mark.unit], mark.unit, mark.value, mark.name))
    used = {mark.kind for mark in marks}
    drawn = tuple(term.label for term in kinds.terms if term.label in used) if kinds else ()
    return Ranges(tuple(marks), drawn, table.spec.column(plan.boundary).label)


def _number(text: str) -> float:
    """Return a finite number, or 0 where the text is none."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if value < float("inf") else 0.0
