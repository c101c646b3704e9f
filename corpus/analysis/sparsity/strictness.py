"""Evidence about tags: how strictly each holds, and which entries are anchors of a decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from corpus.analysis.sparsity.declared import AnchorsPlan, StrictnessPlan
from corpus.model.codebook import Vocabulary
from corpus.model.study import Study


class TermStrictness(NamedTuple):
    """One term of the axis; each field has the keys of entries.

    `broad` are all that carry the tag. They divide into `strict`, `near`, `weaker` (judged, and
    broadly right alone) and `unjudged`.
    """

    term: str
    broad: Sequence[str]
    strict: Sequence[str]
    near: Sequence[str]
    weaker: Sequence[str]
    unjudged: Sequence[str]


class Strictness(NamedTuple):
    """All terms of one axis but the one for "not applicable", in declared order."""

    axis: str
    units: Sequence[TermStrictness]

    @property
    def judged(self) -> int:
        """How many tags have been judged."""
        return self.tagged - sum(len(unit.unjudged) for unit in self.units)

    @property
    def tagged(self) -> int:
        """How many tags there are to judge."""
        return sum(len(unit.broad) for unit in self.units)


def strictness_of(study: Study, plan: StrictnessPlan) -> Strictness:
    """Compare the judgements of one evidence table with the tags of the pool.

    One of a tag that the entry does not carry is left out.
    """
    _, vocabulary = study.codebook.axis(plan.axis)
    table = study.tables[plan.table]
    judged = zip(study.keys_about(table), table.column(plan.unit), strict=True)
    # The judgement by the key of the entry and the judged term.
    judgements = dict(zip(judged, table.column(plan.reading), strict=True))
    tagged = study.keys_by_term(plan.axis)
    # That an axis does not apply is not a tag that could hold more or less strictly.
    tagged.pop(vocabulary.not_applicable, None)
    means = dict.fromkeys(plan.near, "near") | dict.fromkeys(plan.strict, "strict")
    units = []
    for term, keys in tagged.items():
        found = {"broad": keys, "strict": [], "near": [], "weaker": [], "unjudged": []}
        for key in keys:
            group = "unjudged"
            if (key, term) in judgements:
                # Any other judgement tells that the tag is broadly right only.
                group = means.get(judgements[key, term], "weaker")
            found[group].append(key)
        units.append(TermStrictness(term, *found.values()))
    return Strictness(plan.axis, units)


@dataclass(frozen=True)
class Anchor:
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

    def without_top(self) -> list[str]:
        """Return the row terms that have no anchor of the highest grade."""
        return [row for row in self.rows.ids if not self.cells[row, self.top]]

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
    rows = book.vocabulary_of(table.spec.column(plan.rows))
    grades = book.vocabulary_of(table.spec.column(plan.columns))
    cells: dict[tuple[str, str], tuple[Anchor, ...]]
    cells = dict.fromkeys(product(rows.ids, grades.ids), ())
    for key, placed in zip(study.keys_about(table), table.placed(), strict=True):
        row, grade = placed.cell(plan.rows), placed.cell(plan.columns)
        # The study may be a part of the corpus, as with --where. A row without a grade, where the
        # column is optional, is not an anchor yet.
        if key in study.entries and row and grade:
            fits = [placed.cell(column) in values for column, values in plan.marked.items()]
            texts = (placed.by_role.get("evidence", ""), placed.by_role.get("boundary", ""))
            cells[row, grade] += (Anchor(key, row, grade, *texts, bool(fits) and all(fits)),)
    return AnchorTable(plan.title, rows, grades, cells)
