"""Gaps in rank order, each with the entries that come nearest to filling it.

A gap is a row of anchors without the highest grade, a term that no entry carries, or a pair of terms that no entry
carries together. They rank in this order, wide before narrow; terms by the entries that their axis applies to, pairs by
the entries expected under independence (see :class:`corpus.analysis.sparsity.cells.SparseCell`), larger first. A pair with a term
that no entry carries at all is part of that term's gap and not listed again.

The nearness of an entry to a cell is the sum over the cell's axes of: 1 for the same term; 1 / (1 + d) on an ordered
axis for a term d places away; 1/2 for a term of the same group; 1/4 for a term that is declared as related on another
axis; else 0. Equally near entries rank by the rarest term of the cell that they carry, then by key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import NamedTuple

from corpus.analysis.sparsity.anchors import AnchorTable
from corpus.analysis.sparsity.cells import EMPTY, SparseCell, SparseTable
from corpus.analysis.sparsity.plan import Related, SparsityPlan
from corpus.model.codebook import Codebook, Vocabulary
from corpus.model.study import Study

#: How many nearest entries a gap names.
NEAREST = 4

ANCHOR, TERM, PAIR = "anchor", "term", "pair"


class Near(NamedTuple):
    """An entry near a gap.

    `nearness` is defined above (0 for an anchor); `terms` are those that differ from the gap's, such as ``turn`` or,
    on another axis, ``scenario=coding``; `boundary` says what an anchor does not show.
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
    nearest : tuple of Near
        At most :data:`NEAREST` entries, nearest first.
    as_near : int
        How many further entries are as near as the last one named.
    """

    kind: str
    axes: tuple[str, ...]
    terms: tuple[str, ...]
    expected: float
    nearest: tuple[Near, ...]
    as_near: int = 0


def ranked_gaps(
    corpus: Study, plan: SparsityPlan, tables: Iterable[SparseTable], anchors: Iterable[AnchorTable]
) -> tuple[Gap, ...]:
    """Return every gap of the given tables whose axes are all ranked ones (`plan.axes`), in rank order."""
    singles = [table for table in tables if set(table.axes) <= set(plan.axes) and len(table.axes) == 1]
    pairs = [table for table in tables if set(table.axes) <= set(plan.axes) and len(table.axes) == 2]
    found = [gap for table in anchors for gap in _anchor_gaps(table)]
    near = _Nearness(corpus, plan)
    terms = [near.gap(TERM, table.axes, cell) for table in singles for cell in table.having(EMPTY)]
    found += sorted(terms, key=lambda gap: -gap.expected)
    cells = [near.gap(PAIR, table.axes, cell) for table in pairs for cell in table.having(EMPTY) if cell.expected]
    return (*found, *sorted(cells, key=lambda gap: -gap.expected))


def _anchor_gaps(table: AnchorTable) -> list[Gap]:
    gaps = []
    for row in table.without_top():
        near = tuple(Near(anchor.key, 0.0, (anchor.grade,), anchor.boundary) for anchor in table.nearest(row))
        gaps.append(Gap(ANCHOR, (table.title,), (row, table.top), 0.0, near))
    return gaps


class _Kind(NamedTuple):
    """All entries that carry the same terms: axis -> terms, and their keys."""

    held: Mapping[str, tuple[str, ...]]
    keys: list[str]


class _Nearness:
    """Scores entries against cells; see the definition at the head of the module."""

    def __init__(self, corpus: Study, plan: SparsityPlan) -> None:
        self.book: Codebook = corpus.codebook
        self.ordered = frozenset(plan.ordered)
        self.related: tuple[Related, ...] = plan.related
        axes = self.book.pool.axes
        kinds: dict[tuple[str, ...], list[str]] = {}
        places = [corpus.pool.spec.position(axis.name) for axis in axes]
        for row in corpus.pool.rows:
            combination = tuple([row[place] for place in places])
            kinds.setdefault(combination, []).append(corpus.pool.key_of(row)[0])
        self.kinds = [
            _Kind({a.name: a.values(c) for a, c in zip(axes, combination, strict=True)}, keys)
            for combination, keys in kinds.items()
        ]
        self.entries = len(corpus.pool.rows)

    def gap(self, kind: str, axes: tuple[str, ...], cell: SparseCell) -> Gap:
        wanted = dict(zip(axes, cell.terms, strict=True))
        carried = {
            axis: sum(len(found.keys) for found in self.kinds if term in found.held[axis]) or self.entries
            for axis, term in wanted.items()
        }
        ranks: dict[tuple[float, int], list[Near]] = {}
        for found in self.kinds:
            closest = [self._closest(axis, term, found.held) for axis, term in wanted.items()]
            nearness = sum(closeness for closeness, _ in closest)
            if nearness:
                rarest = min((carried[a] for a, t in wanted.items() if t in found.held[a]), default=self.entries)
                terms = tuple(text for _, text in closest if text)
                ranks.setdefault((-nearness, rarest), []).extend(Near(key, nearness, terms) for key in found.keys)
        near: list[Near] = []
        for _, candidates in sorted(ranks.items()):
            near += nsmallest(NEAREST - len(near), candidates)
        last = near[-1].nearness if near else 0.0
        as_near = sum(len(found) for (nearness, _), found in ranks.items() if -nearness == last)
        as_near -= sum(item.nearness == last for item in near)
        return Gap(kind, axes, cell.terms, cell.expected, tuple(near), as_near)

    def _closest(self, axis: str, term: str, held: Mapping[str, tuple[str, ...]]) -> tuple[float, str]:
        """Return how close an entry's terms on one axis are, and the closest where it is not the term itself."""
        _, vocabulary = self.book.axis(axis)
        closeness, other = max(
            ((self._between(axis, vocabulary, term, other), other) for other in held[axis]), default=(0.0, "")
        )
        if closeness == 1.0:
            return closeness, ""
        for rule in self.related if not closeness else ():
            for name, near in rule.to if (rule.axis, rule.term) == (axis, term) else ():
                if near in held[name]:
                    return 0.25, f"{name}={near}"
        return closeness, other

    def _between(self, axis: str, vocabulary: Vocabulary, term: str, other: str) -> float:
        if term == other:
            return 1.0
        if vocabulary.not_applicable in (term, other):
            return 0.0
        if axis in self.ordered:
            return 1 / (1 + abs(vocabulary.ids.index(term) - vocabulary.ids.index(other)))
        return 0.5 if any(term in group.terms and other in group.terms for group in vocabulary.groups) else 0.0
