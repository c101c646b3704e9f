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
that is declared as related on another axis; else 0. Equally near entries rank by key.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from corpus.analysis.claims.named import grounds
from corpus.analysis.sparsity.cells import EMPTY, FILLED, THIN, SparseCell, SparseTable
from corpus.analysis.sparsity.declared import SparsityPlan
from corpus.analysis.sparsity.strictness import AnchorTable, strictness_of
from corpus.model.codebook import Texts
from corpus.model.study import Study
from corpus.model.table import Row, row_picker

#: How many nearest entries a gap names.
NEAREST = 4

ANCHOR, TERM, PAIR = "anchor", "term", "pair"


@dataclass(frozen=True)
class Near:
    """An entry near a gap.

    `nearness` is defined above (0 for an anchor); `terms` are those that differ from the gap's,
    such as ``turn`` or, on another axis, ``scenario=coding``, each with its label; `boundary` tells
    what an anchor does not show.
    """

    key: str
    nearness: float
    terms: tuple[tuple[str, str], ...]
    boundary: str = ""


@dataclass(frozen=True)
class Gap:
    """One gap.

    Attributes
    ----------
    kind : str
        ``anchor``, ``term`` or ``pair``.
    axes, terms : tuple of str
        Where it is; for an anchor, the title of the table, then row term and grade.
    labels : tuple of (str, str)
        What each axis and its term are called in print.
    expected : float
        See :class:`corpus.analysis.sparsity.cells.SparseCell`; 0 for an anchor.
    entries : int
        Entries that carry the terms; 0 for an anchor.
    held : int
        Those of them that were not judged to carry a term in a broad sense only.
    weight : float
        What the codebook declares for the most important of the terms; 1 where it declares none.
    nearest : sequence of Near
        At most :data:`NEAREST` entries, nearest first.
    as_near : int
        How many further entries are as near as the last one named.
    questions : sequence of str
        The open questions that the gap is a ground of, as table and row: ``questions/why``.
    """

    kind: str
    axes: Texts
    terms: Texts
    labels: tuple[tuple[str, str], ...]
    expected: float
    nearest: Sequence[Near]
    as_near: int = 0
    entries: int = 0
    held: int = 0
    weight: float = 1.0
    questions: Sequence[str] = ()

    @property
    def lacking(self) -> float:
        """What the cell lacks, times its weight: gaps rank by it."""
        return (self.expected - self.held) * self.weight

    @property
    def has(self) -> str:
        """How many entries the cell has, and how many of them hold in a broad sense only."""
        if self.held == self.entries:
            return str(self.entries)
        return f"{self.entries}, {self.entries - self.held} broad only"


def ranked_gaps(
    study: Study, plan: SparsityPlan, tables: Iterable[SparseTable], anchors: Iterable[AnchorTable]
) -> list[Gap]:
    """Return every gap of the tables whose axes are all ranked (`plan.axes`), in rank order.

    A cell that holds up to `plan.threshold` entries is a gap where more are expected.
    """
    # The open questions about each cell, which is pairs of vocabulary and term.
    asked: dict[frozenset[tuple[str, str]], dict[str, None]] = defaultdict(dict)
    for ground in grounds(study):
        if ground.cell:
            asked[frozenset(ground.cell.items())][f"{ground.table}/{ground.question}"] = None
    gaps = []
    for anchored in anchors:
        rows, grades = anchored.rows, anchored.grades
        top = grades.terms[0]
        for row in anchored.without_top():
            near = []
            for one in anchored.nearest(row):
                differing = (one.grade, grades.labels[one.grade])
                near.append(Near(one.key, 0.0, (differing,), one.boundary))
            questions = list(asked[frozenset({(rows.id, row), (grades.id, top.id)})])
            labels = ((rows.title, f"{row} {rows.labels[row]}"), (grades.title, top.label))
            where = ((anchored.title,), (row, top.id), labels)
            few, more = near[:NEAREST], len(near[NEAREST:])
            gaps.append(Gap(ANCHOR, *where, 0.0, few, more, questions=questions))
    nearness = _Nearness(study, plan)
    found = []
    for table in tables:
        if not set(table.axes) <= set(plan.axes):
            continue
        kind = {1: TERM, 2: PAIR}[len(table.axes)]
        for cell in table.having(EMPTY, THIN, FILLED):
            held = nearness.held(table.axes, cell)
            is_gap = held <= plan.threshold and (cell.status == EMPTY or cell.expected > held)
            if is_gap and (kind == TERM or cell.expected):
                about, names = set(), []
                for margin, term in zip(table.margins, cell.terms, strict=True):
                    about.add((margin.vocabulary.id, term))
                    names.append((margin.column.label, margin.vocabulary.labels[term]))
                head = (kind, table.axes, cell.terms, tuple(names), cell.expected)
                near, as_near = nearness.nearest(table.axes, cell.terms)
                weight, questions = (
                    plan.weight(table.axes, cell.terms),
                    list(asked[frozenset(about)]),
                )
                found.append(Gap(*head, near, as_near, cell.entries, held, weight, questions))
    found.sort(key=lambda gap: (gap.kind == PAIR, -gap.lacking))
    return gaps + found


#: Entries that carry the same terms: the terms by axis, and their keys.
_Combination = tuple[Mapping[str, Texts], list[str]]


class _Nearness:
    """Scores entries against cells; see the definition at the head of the module."""

    def __init__(self, study: Study, plan: SparsityPlan) -> None:
        self.study = study
        self.plan = plan
        # Axis and term -> entries that were judged to carry it in a broad sense only.
        self.broad: dict[tuple[str, str], set[str]] = defaultdict(set)
        for declared in plan.strictness:
            for unit in strictness_of(study, declared).units:
                self.broad[declared.axis, unit.term].update(unit.weaker)
        spec = study.pool.spec
        cells_of = row_picker(spec.positions(spec.axis_names))
        keys_of: dict[Row, list[str]] = {}
        for key, entry in study.entries.items():
            keys_of.setdefault(cells_of(entry.row), []).append(key)
        self.combinations: list[_Combination] = []
        for cells, keys in keys_of.items():
            terms = {}
            for axis, cell in zip(spec.axes, cells, strict=True):
                terms[axis.name] = axis.values(cell)
            self.combinations.append((terms, keys))
        # Axis and term -> what `_closest_terms` found.
        self.closest: dict[tuple[str, str], list[tuple[float, str, str]]] = {}

    def held(self, axes: Texts, cell: SparseCell) -> int:
        """Return how many entries carry all terms of a cell in more than a broad sense."""
        wanted = list(zip(axes, cell.terms, strict=True))
        held = cell.entries
        for key in set().union(*map(self.broad.__getitem__, wanted)):
            terms_of = self.study.entries[key].terms
            held -= all(term in terms_of(axis) for axis, term in wanted)
        return held

    def nearest(self, axes: Texts, cell: Texts) -> tuple[list[Near], int]:
        """Return the entries nearest to filling a cell, and how many more are as near."""
        # Many entries carry the same terms and so are as near; only the best few are sorted.
        alike: dict[float, list[tuple[str, tuple[tuple[str, str], ...]]]] = defaultdict(list)
        closest = map(self._closest_terms, axes, cell)
        for (_, keys), *on_axes in zip(self.combinations, *closest, strict=True):
            terms = tuple((other, label) for _, other, label in on_axes if other)
            alike[sum(closeness for closeness, *_ in on_axes)] += [(key, terms) for key in keys]
        alike.pop(0.0, None)
        near: list[Near] = []
        for nearness, entries in sorted(alike.items(), reverse=True):
            missing = NEAREST - len(near)
            near += [Near(key, nearness, terms) for key, terms in nsmallest(missing, entries)]
            if len(near) == NEAREST:
                return near, len(entries) - missing
        return near, 0

    def _closest_terms(self, axis: str, term: str) -> list[tuple[float, str, str]]:
        """Return how close each combination is to a term, and its closest term where it differs.

        A term is in many cells, so it is worked out once.
        """
        known = self.closest.get((axis, term))
        if known is not None:
            return known
        known = self.closest[axis, term] = []
        _, vocabulary = self.study.codebook.axis(axis)
        labels = vocabulary.labels
        closeness_of = {other: self._between(axis, term, other) for other in labels}
        for terms, _ in self.combinations:
            closeness, closest = 0.0, ""
            for other in terms[axis]:
                closeness, closest = max((closeness, closest), (closeness_of[other], other))
            label = labels.get(closest, "")
            if closeness == 1.0:
                closest = ""
            elif not closeness:
                for name, near in self.plan.related.get((axis, term), ()):
                    if near in terms[name]:
                        column, others = self.study.codebook.axis(name)
                        closeness, closest = 0.25, f"{name}={near}"
                        label = f"{column.label}: {others.labels[near]}"
                        break
            known.append((closeness, closest, label))
        return known

    def _between(self, axis: str, term: str, other: str) -> float:
        _, vocabulary = self.study.codebook.axis(axis)
        if term == other:
            return 1.0
        if vocabulary.not_applicable in (term, other):
            return 0.0
        if axis in self.plan.ordered:
            return 1 / (1 + abs(vocabulary.ids.index(term) - vocabulary.ids.index(other)))
        for group in vocabulary.groups:
            if {term, other} <= {*group.terms}:
                return 0.5
        return 0.0
