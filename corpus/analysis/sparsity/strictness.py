"""How strictly the tags of an axis hold: every unit read broadly, strictly and nearly strictly."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.plan import ReadingsPlan
from corpus.model.study import Study


class UnitReading(NamedTuple):
    """One term of the axis; each field holds the keys of entries.

    `broad` are all that carry the tag. They divide into `strict`, `near`, `weaker` (judged, and only broadly right)
    and `unjudged`.
    """

    term: str
    broad: tuple[str, ...]
    strict: tuple[str, ...]
    near: tuple[str, ...]
    weaker: tuple[str, ...]
    unjudged: tuple[str, ...]


class Readings(NamedTuple):
    """All units of one axis but the absent term, in declared order; `misplaced` are judgements of another tag."""

    axis: str
    strict: tuple[str, ...]
    near: tuple[str, ...]
    units: tuple[UnitReading, ...]
    misplaced: tuple[str, ...]

    @property
    def judged(self) -> int:
        """How many tagged entries have been judged."""
        return sum(len(unit.broad) - len(unit.unjudged) for unit in self.units)

    @property
    def tagged(self) -> int:
        """How many tags there are to judge."""
        return sum(len(unit.broad) for unit in self.units)


def readings(corpus: Study, plan: ReadingsPlan) -> Readings:
    """Hold the judgements of one evidence table against the tags of the pool."""
    book, pool = corpus.codebook, corpus.pool
    column, vocabulary = book.axis(plan.axis)
    tags = dict(zip(_keys(corpus), map(column.values, pool.column(plan.axis)), strict=True))
    judged: dict[tuple[str, str], str] = {}
    misplaced = []
    for key, unit, reading in _judgements(corpus, plan):
        if key in tags and unit not in tags[key]:
            misplaced.append(key)
        judged[key, unit] = reading
    units = []
    for term in vocabulary.ids:
        if term == vocabulary.not_applicable:
            continue
        broad = tuple(key for key, held in tags.items() if term in held)
        said = {key: judged[key, term] for key in broad if (key, term) in judged}
        strict = tuple(key for key, reading in said.items() if reading in plan.strict)
        near = tuple(key for key, reading in said.items() if reading in plan.near)
        weaker = tuple(key for key in said if key not in strict and key not in near)
        unjudged = tuple(key for key in broad if key not in said)
        units.append(UnitReading(term, broad, strict, near, weaker, unjudged))
    return Readings(plan.axis, plan.strict, plan.near, tuple(units), tuple(misplaced))


def _keys(corpus: Study) -> list[str]:
    return [corpus.pool.key_of(row)[0] for row in corpus.pool.rows]


def _judgements(corpus: Study, plan: ReadingsPlan) -> list[tuple[str, str, str]]:
    table = corpus.tables[plan.table]
    reference = table.spec.reference_to(corpus.codebook.pool)
    assert reference is not None  # the plan was read with it
    columns = (reference.name, plan.unit, plan.reading)
    return list(zip(*(table.column(name) for name in columns), strict=True))
