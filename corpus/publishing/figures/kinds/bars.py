"""Entries by the terms of one axis, and each split by the terms of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.model.study import Study
from corpus.publishing.figures.frame import Frame, TermLabel, Value, term_labels
from corpus.publishing.figures.plan import BarsPlan
from corpus.tables.fast.tally import contingency_of


class Bars(NamedTuple):
    """Bars over the declared vocabulary.

    Attributes
    ----------
    terms, split : tuple of TermLabel
        The bars, and the parts of each; `split` is empty where the bars are not split.
    split_name : str
        The label of the splitting axis.
    entries : mapping of str to int
        Term -> entries.
    parts : mapping of (str, str) to int
        (term, term of the split) -> entries; empty without a split.
    total : int
        The number of entries counted.
    absent : str
        The term that means "not applicable"; may be empty.
    """

    terms: tuple[TermLabel, ...]
    split: tuple[TermLabel, ...]
    split_name: str
    entries: Mapping[str, int]
    parts: Mapping[tuple[str, str], int]
    total: int
    absent: str

    def frame(self) -> Frame:
        """Return one row per bar, or one per part of a bar."""
        if not self.split:
            return Frame(("term", "entries"), tuple(self.entries.items()))
        rows: list[tuple[Value, ...]] = []
        for (term, part), entries in self.parts.items():
            rows.append((term, part, entries))
        return Frame(("term", "part", "entries"), tuple(rows))


def bars(study: Study, plan: BarsPlan, _labels: Mapping[str, str]) -> Bars:
    """Count one axis, split by another where the plan names one."""
    counted = contingency_of(study)
    margin = counted.margin(plan.axis)
    split: tuple[TermLabel, ...] = ()
    split_name = ""
    parts: Mapping[tuple[str, str], int] = {}
    if plan.split:
        table = counted.crosstab(plan.axis, plan.split)
        split = term_labels(table.columns.vocabulary)
        split_name = table.columns.column.label
        parts = table.cells
    return Bars(
        terms=term_labels(margin.vocabulary),
        split=split,
        split_name=split_name,
        entries={row.term: row.entries for row in margin.rows},
        parts=parts,
        total=margin.entries,
        absent=margin.vocabulary.not_applicable,
    )
