"""Evidence about tags: how strictly each holds, and which entries are anchors of a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.sparsity.plan import AnchorsPlan, StrictnessPlan
from corpus.model.codebook import Vocabulary
from corpus.model.study import Study


class TermStrictness(NamedTuple):
    """One term of the axis; each field has the keys of entries.

    `broad` are all that carry the tag. They divide into `strict`, `near`, `weaker` (judged, and
    only broadly right) and `unjudged`.
    """

    term: str
    broad: tuple[str, ...]
    strict: tuple[str, ...]
    near: tuple[str, ...]
    weaker: tuple[str, ...]
    unjudged: tuple[str, ...]


class Strictness(NamedTuple):
    """All terms of one axis but the one for "not applicable", in declared order.

    `misplaced` are entries with a judgement of a tag that they do not carry.
    """

    axis: str
    strict: tuple[str, ...]
    near: tuple[str, ...]
    units: tuple[TermStrictness, ...]
    misplaced: tuple[str, ...]

    @property
    def judged(self) -> int:
        """How many tags have been judged."""
        return self.tagged - sum(len(unit.unjudged) for unit in self.units)

    @property
    def tagged(self) -> int:
        """How many tags there are to judge."""
        return sum(len(unit.broad) for unit in self.units)


def strictness_of(study: Study, plan: StrictnessPlan) -> Strictness:
    """Compare the judgements of one evidence table with the tags of the pool."""
    _, vocabulary = study.codebook.axis(plan.axis)
    judgements = _judgements(study, plan)
    # A dict, since an entry may have several such judgements and is named once.
    misplaced: dict[str, None] = {}
    for key, term in judgements:
        # A judgement may outlive its entry; `corpus check` reports the broken reference.
        entry = study.entries.get(key)
        if entry is not None and term not in entry.terms(plan.axis):
            misplaced[key] = None
    tagged: dict[str, list[str]] = {}
    for term in vocabulary.ids:
        tagged[term] = []
    for entry in study.entries.values():
        for term in entry.terms(plan.axis):
            tagged[term].append(entry.key)
    # That an axis does not apply is not a tag that could hold more or less strictly.
    tagged.pop(vocabulary.not_applicable, None)
    units: list[TermStrictness] = []
    for term, keys in tagged.items():
        units.append(_divided(term, keys, judgements, plan))
    return Strictness(plan.axis, plan.strict, plan.near, tuple(units), tuple(misplaced))


def _divided(
    term: str, keys: list[str], judgements: dict[tuple[str, str], str], plan: StrictnessPlan
) -> TermStrictness:
    """Divide the entries that carry a term by how strictly it was judged to hold."""
    strict: list[str] = []
    near: list[str] = []
    weaker: list[str] = []
    unjudged: list[str] = []
    for key in keys:
        judgement = judgements.get((key, term))
        if judgement is None:
            unjudged.append(key)
            continue
        if judgement in plan.strict:
            strict.append(key)
        if judgement in plan.near:
            near.append(key)
        if judgement not in (*plan.strict, *plan.near):
            weaker.append(key)
    return TermStrictness(
        term=term,
        broad=tuple(keys),
        strict=tuple(strict),
        near=tuple(near),
        weaker=tuple(weaker),
        unjudged=tuple(unjudged),
    )


def _judgements(study: Study, plan: StrictnessPlan) -> dict[tuple[str, str], str]:
    """Return each judgement by the key of the entry and the judged term."""
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None, "the plan was read with it"
    keys = table.column(reference.name)
    terms = table.column(plan.unit)
    judgements = table.column(plan.reading)
    return dict(zip(zip(keys, terms, strict=True), judgements, strict=True))


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
