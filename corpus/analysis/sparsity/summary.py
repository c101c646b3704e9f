"""Everything that `corpus sparsity` reports, as one record."""

from itertools import chain, product
from typing import NamedTuple

from corpus.analysis.sparsity.cells import SparseTable, sparse_table
from corpus.analysis.sparsity.gaps import Gap, ranked_gaps
from corpus.analysis.sparsity.plan import SparsityPlan
from corpus.analysis.sparsity.strictness import AnchorTable, Strictness, anchor_table, strictness_of
from corpus.model.codebook import Codebook
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.tables.fast.tally import contingency_of


class SparsityReport(NamedTuple):
    """The sparsity of a corpus: axes, pairs, strictness of tags, anchors, and ranked gaps.

    `plan` is what the codebook declares, or what was asked for instead.
    """

    book: Codebook
    plan: SparsityPlan
    entries: int
    axes: tuple[SparseTable, ...]
    pairs: tuple[SparseTable, ...]
    strictness: tuple[Strictness, ...]
    anchors: tuple[AnchorTable, ...]
    gaps: tuple[Gap, ...]

    @property
    def threshold(self) -> int:
        """A cell with so many entries or fewer is thin."""
        return self.plan.threshold

    def is_ranked(self, table: SparseTable) -> bool:
        """Whether an empty cell of a table is a gap: all of its axes are ranked."""
        return set(table.axes) <= set(self.plan.axes)

    def anchor_table(self, gap: Gap) -> AnchorTable:
        """Return the table that a gap of anchors is in, which is named in place of an axis."""
        return next(table for table in self.anchors if table.title == gap.axes[0])


def sparsity_report(
    study: Study,
    plan: SparsityPlan,
    pairs: tuple[tuple[str, str], ...] = (),
    threshold: int | None = None,
) -> SparsityReport:
    """Work out the sparsity of a corpus.

    Parameters
    ----------
    study : Study
        The corpus, or the part of it that passes some filters.
    plan : SparsityPlan
        What the codebook declares.
    pairs : tuple of (str, str)
        Axes to cross; without any, the codebook's cross-tabulations. Given pairs are ranked even
        where the plan does not rank their axes, and then only they and their axes are reported.
    threshold : int, optional
        Instead of the plan's.

    Raises
    ------
    UsageProblem
        Where a pair names an unknown axis, or one axis twice.
    """
    book = study.codebook
    for rows, columns in pairs:
        if rows == columns:
            raise UsageProblem(f"{rows} cannot be crossed with itself")
        book.axis(rows)
        book.axis(columns)
    names = book.pool.axis_names
    crossed = tuple((crosstab.rows, crosstab.columns) for crosstab in book.crosstabs)
    if pairs:
        crossed = pairs
        names = tuple(dict.fromkeys(chain.from_iterable(pairs)))
        wanted = tuple(item for item in plan.strictness if item.axis in names)
        plan = plan._replace(axes=names, strictness=wanted, anchors=())
    if threshold is not None:
        plan = plan._replace(threshold=threshold)
    counted = contingency_of(study, names)
    tables = [sparse_table(counted, axes, plan.threshold) for axes in (*product(names), *crossed)]
    anchors = tuple(anchor_table(study, item) for item in plan.anchors)
    return SparsityReport(
        book,
        plan,
        counted.entries,
        tuple(tables[: len(names)]),
        tuple(tables[len(names) :]),
        tuple(strictness_of(study, item) for item in plan.strictness),
        anchors,
        ranked_gaps(study, plan, tables, anchors),
    )
