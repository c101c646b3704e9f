"""The units of an axis from coarse to fine: how many entries stand at each, and how strictly."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.strictness import readings
from corpus.model.study import Study
from corpus.publishing.figures.frame import Frame, Value
from corpus.publishing.figures.plan import LadderPlan


class Rung(NamedTuple):
    """One unit; the four numbers add up to the entries that carry it (the broad reading)."""

    id: str
    label: str
    strict: int
    near: int
    weaker: int
    unjudged: int

    @property
    def broad(self) -> int:
        """All entries that carry the unit."""
        return self.strict + self.near + self.weaker + self.unjudged


class Ladder(NamedTuple):
    """The rungs in declared order; `names` are the words for strict, near strict and weaker readings."""

    axis: str
    rungs: tuple[Rung, ...]
    names: tuple[str, str, str]
    absent: str
    absent_entries: int

    def frame(self) -> Frame:
        """Return one row a unit."""
        rows: list[tuple[Value, ...]] = [(rung.id, rung.broad, *rung[2:]) for rung in self.rungs]
        return Frame(("unit", "broad", "strict", "near", "weaker", "unjudged"), tuple(rows))


def ladder(corpus: Study, plan: LadderPlan) -> Ladder:
    """Count the readings of every unit."""
    book, of = corpus.codebook, plan.readings
    found = readings(corpus, of)
    column, vocabulary = book.axis(of.axis)
    terms = book.vocabulary_of(corpus.tables[of.table].spec.column(of.reading)).terms
    rungs = tuple(
        Rung(
            unit.term,
            vocabulary.term(unit.term).label,
            *map(len, (unit.strict, unit.near, unit.weaker, unit.unjudged)),
        )
        for unit in found.units
    )

    def words(ids: tuple[str, ...]) -> str:
        return " or ".join(term.label for term in terms if term.id in ids)

    weaker = tuple(term.id for term in terms if term.id not in (*of.strict, *of.near))
    absent = vocabulary.not_applicable
    without = sum(absent in column.values(cell) for cell in corpus.pool.column(of.axis)) if absent else 0
    label = vocabulary.term(absent).label if absent else ""
    return Ladder(column.label, rungs, (words(of.strict), words(of.near), words(weaker)), label, without)
