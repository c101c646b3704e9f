"""Entries by the terms of one axis, and each split by the terms of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.contingency import Contingency
from corpus.publishing.figures.frame import Frame, TermLabel, Value
from corpus.publishing.figures.plan import BarsPlan


class Bars(NamedTuple):
    """Bars over the declared vocabulary.

    `entries` maps every term to its number; `parts` maps (term, term of the split) and is empty without a split;
    `total` is the number of entries counted, `absent` the term that means "not applicable".
    """

    terms: tuple[TermLabel, ...]
    split: tuple[TermLabel, ...]
    split_name: str
    entries: Mapping[str, int]
    parts: Mapping[tuple[str, str], int]
    total: int
    absent: str

    def frame(self) -> Frame:
        """Return one row a bar, or one a part of a bar."""
        if not self.split:
            return Frame(("term", "entries"), tuple(self.entries.items()))
        rows: list[tuple[Value, ...]] = [(*pair, n) for pair, n in self.parts.items()]
        return Frame(("term", "part", "entries"), tuple(rows))


def bars(counted: Contingency, plan: BarsPlan) -> Bars:
    """Count one axis, split by another where the plan names one."""
    margin = counted.margin(plan.axis)
    terms = tuple(TermLabel(term.id, term.label) for term in margin.vocabulary.terms)
    entries = {row.term: row.entries for row in margin.rows}
    split: tuple[TermLabel, ...] = ()
    parts: Mapping[tuple[str, str], int] = {}
    name = ""
    if plan.split:
        table = counted.crosstab(plan.axis, plan.split)
        parts, name = table.cells, table.columns.column.label
        split = tuple(TermLabel(term.id, term.label) for term in table.columns.vocabulary.terms)
    return Bars(terms, split, name, entries, parts, margin.entries, margin.vocabulary.not_applicable)
