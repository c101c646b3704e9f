"""Gaps in rank order, each with the entries that come nearest to filling it.

A gap is a row of anchors without the highest grade, a term that too few entries carry, or a pair of
terms that too few carry together. They rank in this order, wide before narrow; terms and pairs by
what they lack: the expected entries (see :class:`corpus.analysis.sparsity.cells.SparseCell`) less
those that the cell has, times the weight that the codebook declares for the term. Entries that were
judged to carry a term only in a broad sense do not count. So a cell is a gap where it holds no more
than the threshold and fewer than expected; an empty cell is the plainest case. A pair with a term
that no entry carries is part of that term's gap and not listed again.

The nearness of an entry to a cell is the sum over the cell's axes of: 1 for the same term; 1 / (1 +
d) on an ordered axis for a term d places away; 1/2 for a term of the same group; 1/4 for a term
that is declared as related on another axis; else 0. Equally near entries rank by the rarest term of
the cell that they carry, then by key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import NamedTuple

from corpus.analysis.claims.named import grounds
from corpus.analysis.sparsity.cells import EMPTY, FILLED, THIN, SparseCell, SparseTable
from corpus.analysis.sparsity.plan import Related, SparsityPlan
from corpus.analysis.sparsity.strictness import AnchorTable, strictness_of
from corpus.model.codebook import Vocabulary
from corpus.model.study import Study
from corpus.model.table import Row, row_picker

#: How many nearest entries a gap names.
NEAREST = 4

ANCHOR, TERM, PAIR = "anchor", "term", "pair"


class Near(NamedTuple):
    """An entry near a gap.

    `nearness` is defined above (0 for an anchor); `terms` are those that differ from the gap's,
    such as ``turn`` or, on another axis, ``scenario=coding``; `boundary` tells what an anchor does
    not show.
    """

    key: str
    nearness: float
    terms: tuple[str, ...]
    boundary: str = ""


class Gap(NamedTuple):
    """One gap.

    Attributes
    ----------
    kind : str
        ``anchor``, ``term`` or ``pair``.
    axes, terms : tuple of str
        Where it is; for an anchor, the title of the table, then row term and grade.
    expected : float
        See :class:`corpus.analysis.sparsity.cells.SparseCell`; 0 for an anchor.
    entries : int
        Entries that carry the terms; 0 for an anchor.
    held : int
        Those of them that were not judged to carry a term in a broad sense only.
    weight : float
        What the codebook declares for the most important of the terms; 1 where it declares none.
    nearest : tuple of Near
        At most :data:`NEAREST` entries, nearest first.
    as_near : int
        How many further entries are as near as the last one named.
    questions : tuple of str
        The open questions that the gap is a ground of, as table and row: ``questions/why``.
    """

    kind: str
    axes: tuple[str, ...]
    terms: tuple[str, ...]
    expected: float
    nearest: tuple[Near, ...]
    as_near: int = 0
    entries: int = 0
    held: int = 0
    weight: float = 1.0
    questions: tuple[str, ...] = ()

    @property
    def lacking(self) -> float:
        """What the cell lacks, times its weight: gaps rank by it."""
        return (self.expected - self.held) * self.weight


def ranked_gaps(
    study: Study,
    plan: SparsityPlan,
    tables: Iterable[SparseTable],
    anchors: Iterable[AnchorTable],
    threshold: int,
) -> tuple[Gap, ...]:
    """Return every gap of the tables whose axes are all ranked (`plan.axes`), in rank order.

    A cell that holds up to `threshold` entries is a gap where more are expected.
    """
    gaps: list[Gap] = []
    asked = _questions(study)
    for anchored in anchors:
        for gap in _anchor_gaps(anchored):
            row, grade = gap.terms
            graded = {(anchored.rows.id, row), (anchored.grades.id, grade)}
            gaps.append(gap._replace(questions=tuple(asked.get(frozenset(graded), ()))))
    nearness = _Nearness(study, plan)
    terms: list[Gap] = []
    pairs: list[Gap] = []
    for table in tables:
        if not set(table.axes) <= set(plan.axes):
            continue
        for cell in table.having(EMPTY, THIN, FILLED):
            held = nearness.held(table.axes, cell)
            has_fewer = cell.status == EMPTY or cell.expected > held
            if held > threshold or not has_fewer:
                continue
            if len(table.axes) == 1:
                terms.append(nearness.gap(TERM, table.axes, cell, held))
            elif cell.expected:
                pairs.append(nearness.gap(PAIR, table.axes, cell, held))
    for found in (terms, pairs):
        for gap in sorted(found, key=lambda gap: -gap.lacking):
            carried = set()
            for axis, term in zip(gap.axes, gap.terms, strict=True):
                carried.add((study.codebook.axis(axis)[1].id, term))
            gaps.append(gap._replace(questions=tuple(asked.get(frozenset(carried), ()))))
    return tuple(gaps)


def _questions(study: Study) -> dict[frozenset[tuple[str, str]], list[str]]:
    """Return the open questions about each cell, which is pairs of vocabulary and term."""
    found: dict[frozenset[tuple[str, str]], list[str]] = {}
    for ground in grounds(study):
        if ground.cell:
            cell = frozenset(ground.cell.items())
            found.setdefault(cell, []).append(f"{ground.table}/{ground.question}")
    return found


def _anchor_gaps(table: AnchorTable) -> list[Gap]:
    gaps: list[Gap] = []
    for row in table.without_top():
        near: list[Near] = []
        for anchor in table.nearest(row):
            near.append(Near(anchor.key, 0.0, (anchor.grade,), anchor.boundary))
        gaps.append(Gap(ANCHOR, (table.title,), (row, table.top), 0.0, tuple(near)))
    return gaps


class _Combination(NamedTuple):
    """All entries that carry the same terms: axis -> terms, and their keys."""

    held: Mapping[str, tuple[str, ...]]
    keys: list[str]


class _Candidates(NamedTuple):
    """Entries that are equally near to a cell, with the terms in which they differ from it."""

    keys: list[str]
    nearness: float
    terms: tuple[str, ...]


class _Nearness:
    """Scores entries against cells; see the definition at the head of the module."""

    def __init__(self, study: Study, plan: SparsityPlan) -> None:
        book = study.codebook
        self.vocabularies = book.axis_vocabularies
        self.ordered = frozenset(plan.ordered)
        self.related: tuple[Related, ...] = plan.related
        self.entries = len(study.pool.rows)
        self.plan = plan
        # Axis -> term -> entries that were judged to carry it in a broad sense only.
        self.broad = _broad_tags(study, plan)
        self.combinations = _combinations(study)
        # Axis and term -> what `_closest_terms` found.
        self.closest: dict[tuple[str, str], list[tuple[float, str]]] = {}

    def held(self, axes: tuple[str, ...], cell: SparseCell) -> int:
        """Return how many entries carry all terms of a cell in more than a broad sense."""
        if not cell.entries or self.broad.keys().isdisjoint(axes):
            return cell.entries
        wanted = list(zip(axes, cell.terms, strict=True))
        broad_keys: set[str] = set()
        for axis, term in wanted:
            broad_keys |= self.broad.get(axis, {}).get(term, set())
        held = 0
        for combination in self.combinations:
            if not all(term in combination.held[axis] for axis, term in wanted):
                continue
            held += len([key for key in combination.keys if key not in broad_keys])
        return held

    def gap(self, kind: str, axes: tuple[str, ...], cell: SparseCell, held: int) -> Gap:
        """Return the gap of a cell, with the entries that come nearest to filling it."""
        wanted = list(zip(axes, cell.terms, strict=True))
        carried = [self._carriers(axis, term) for axis, term in wanted]
        closest = [self._closest_terms(axis, term) for axis, term in wanted]
        # Many entries carry the same terms and so rank the same; only the best few are sorted.
        ranks: dict[tuple[float, int], list[_Candidates]] = {}
        for combination, *on_axes in zip(self.combinations, *closest, strict=True):
            nearness = sum(closeness for closeness, _ in on_axes)
            if not nearness:
                continue
            rarest = self.entries
            for (closeness, _), number in zip(on_axes, carried, strict=True):
                if closeness == 1.0:
                    rarest = min(rarest, number)
            terms = tuple(other for _, other in on_axes if other)
            alike = _Candidates(combination.keys, nearness, terms)
            ranks.setdefault((-nearness, rarest), []).append(alike)
        near: list[Near] = []
        for _, candidates in sorted(ranks.items()):
            near += _nearest(candidates, NEAREST - len(near))
        last = near[-1].nearness if near else 0.0
        as_near = -len([item for item in near if item.nearness == last])
        for (negative, _), candidates in ranks.items():
            if -negative == last:
                as_near += sum(len(alike.keys) for alike in candidates)
        return Gap(
            kind=kind,
            axes=axes,
            terms=cell.terms,
            expected=cell.expected,
            nearest=tuple(near),
            as_near=as_near,
            entries=cell.entries,
            held=held,
            weight=self.plan.weight(axes, cell.terms),
        )

    def _carriers(self, axis: str, term: str) -> int:
        """Return how many entries carry a term; all of them where none does."""
        number = 0
        for combination in self.combinations:
            if term in combination.held[axis]:
                number += len(combination.keys)
        return number or self.entries

    def _closest_terms(self, axis: str, term: str) -> list[tuple[float, str]]:
        """Return how close each combination is to a term, and its closest term where it differs.

        A term is in many cells, so it is worked out once.
        """
        known = self.closest.get((axis, term))
        if known is None:
            vocabulary = self.vocabularies[axis]
            closeness = {
                other: self._between(axis, vocabulary, term, other) for other in vocabulary.ids
            }
            known = []
            for combination in self.combinations:
                known.append(self._closest(axis, term, combination.held, closeness))
            self.closest[axis, term] = known
        return known

    def _closest(
        self,
        axis: str,
        term: str,
        held: Mapping[str, tuple[str, ...]],
        closeness_of: Mapping[str, float],
    ) -> tuple[float, str]:
        """Return how close some terms are on one axis, and the closest one where it differs."""
        closeness, closest = 0.0, ""
        for other in held[axis]:
            closeness, closest = max((closeness, closest), (closeness_of[other], other))
        if closeness == 1.0:
            return closeness, ""
        if closeness:
            return closeness, closest
        for rule in self.related:
            if (rule.axis, rule.term) != (axis, term):
                continue
            for name, near in rule.to:
                if near in held[name]:
                    return 0.25, f"{name}={near}"
        return closeness, closest

    def _between(self, axis: str, vocabulary: Vocabulary, term: str, other: str) -> float:
        if term == other:
            return 1.0
        if vocabulary.not_applicable in (term, other):
            return 0.0
        if axis in self.ordered:
            ids = vocabulary.ids
            distance = abs(ids.index(term) - ids.index(other))
            return 1 / (1 + distance)
        for group in vocabulary.groups:
            if term in group.terms and other in group.terms:
                return 0.5
        return 0.0


def _nearest(candidates: Iterable[_Candidates], most: int) -> list[Near]:
    """Return the first of some equally near entries by their keys, at most so many."""
    if not most:
        return []
    near: list[Near] = []
    for alike in candidates:
        near += [Near(key, alike.nearness, alike.terms) for key in alike.keys]
    return nsmallest(most, near)


def _broad_tags(study: Study, plan: SparsityPlan) -> dict[str, dict[str, set[str]]]:
    """Return for each judged axis and term the entries that carry it in a broad sense only."""
    found: dict[str, dict[str, set[str]]] = {}
    for declared in plan.strictness:
        by_term = found.setdefault(declared.axis, {})
        for unit in strictness_of(study, declared).units:
            by_term.setdefault(unit.term, set()).update(unit.weaker)
    return found


def _combinations(study: Study) -> list[_Combination]:
    spec = study.pool.spec
    cells_of = row_picker(spec.positions(spec.axis_names))
    keys_of: dict[Row, list[str]] = {}
    for entry in study.entries.values():
        keys_of.setdefault(cells_of(entry.row), []).append(entry.key)
    combinations: list[_Combination] = []
    for cells, keys in keys_of.items():
        held: dict[str, tuple[str, ...]] = {}
        for axis, cell in zip(spec.axes, cells, strict=True):
            held[axis.name] = axis.values(cell)
        combinations.append(_Combination(held, keys))
    return combinations
