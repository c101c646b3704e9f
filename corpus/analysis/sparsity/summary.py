"""Everything `corpus sparsity` says, as one frozen record."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.anchors import AnchorTable, anchor_table
from corpus.analysis.sparsity.cells import SparseTable, sparse_table
from corpus.analysis.sparsity.gaps import Gap, ranked_gaps
from corpus.analysis.sparsity.plan import SparsityPlan
from corpus.analysis.sparsity.strictness import Readings, readings
from corpus.model.codebook import Codebook
from corpus.model.contingency import Contingency
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.tables.fast.tally import tally_table


class SparsityReport(NamedTuple):
    """The sparsity of a corpus: single axes, pairs, strict readings, anchors by grade, and all gaps in rank order."""

    book: Codebook
    entries: int
    threshold: int
    axes: tuple[SparseTable, ...]
    pairs: tuple[SparseTable, ...]
    readings: tuple[Readings, ...]
    anchors: tuple[AnchorTable, ...]
    gaps: tuple[Gap, ...]


def sparsity_report(
    corpus: Study,
    plan: SparsityPlan,
    pairs: tuple[tuple[str, str], ...] = (),
    threshold: int | None = None,
) -> SparsityReport:
    """Work out the sparsity of a corpus.

    Parameters
    ----------
    corpus : Study
        As :func:`corpus.tables.corpus_reader.load_corpus` returns it.
    plan : SparsityPlan
        What the codebook declares.
    pairs : tuple of (str, str)
        Axes to cross; without any, the codebook's cross-tabulations. Given pairs are ranked even where the plan does
        not rank their axes, and then only they and their axes are reported.
    threshold : int, optional
        Instead of the plan's.

    Raises
    ------
    UsageProblem
        Where a pair names no axis, or one twice.
    """
    for rows, columns in pairs:
        if rows == columns:
            raise UsageProblem(f"{rows} cannot be crossed with itself")
    book = corpus.codebook
    limit = plan.threshold if threshold is None else threshold
    names = tuple(column.name for column in book.pool.axes)
    if pairs:
        names = tuple(dict.fromkeys(axis for pair in pairs for axis in pair))
        plan = plan._replace(axes=names, readings=tuple(r for r in plan.readings if r.axis in names), anchors=())
    counted = Contingency(book, names, tally_table(corpus.pool, book, tuple(book.axis(name)[0].name for name in names)))
    singles = tuple(sparse_table(counted, (name,), limit) for name in names)
    chosen = pairs or tuple((crosstab.rows, crosstab.columns) for crosstab in book.crosstabs)
    crossed = tuple(sparse_table(counted, pair, limit) for pair in chosen)
    anchors = tuple(anchor_table(corpus, item) for item in plan.anchors)
    return SparsityReport(
        book,
        counted.entries,
        limit,
        singles,
        crossed,
        tuple(readings(corpus, item) for item in plan.readings),
        anchors,
        ranked_gaps(corpus, plan, (*singles, *crossed), anchors),
    )
