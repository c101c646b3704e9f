"""From a figure's plan to the record that it draws."""

from __future__ import annotations

from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import UNKNOWN_ENTRY
from corpus.publishing.figures.kinds.bars import Bars, bars
from corpus.publishing.figures.kinds.decision_grid import DecisionGrid, decision_grid
from corpus.publishing.figures.kinds.flow import Flow, flow
from corpus.publishing.figures.kinds.heatmap import HeatmapData, heatmap
from corpus.publishing.figures.kinds.ladder import Ladder, ladder
from corpus.publishing.figures.kinds.ranges import Ranges, ranges
from corpus.publishing.figures.kinds.timeline import Timeline, timeline
from corpus.publishing.figures.plan import (
    BarsPlan,
    FigurePlan,
    FlowPlan,
    HeatmapPlan,
    LadderPlan,
    RangesPlan,
    TimelinePlan,
)
from corpus.tables.fast.tally import tally_table

FigureData = Bars | DecisionGrid | Flow | HeatmapData | Ladder | Ranges | Timeline


def figure_data(corpus: Study, plan: FigurePlan) -> FigureData:
    """Return the record that a figure draws.

    Raises
    ------
    CorpusError
        With C801, C802 or C803 findings where the data cannot be drawn as declared.
    """
    keys = {corpus.pool.key_of(row)[0] for row in corpus.pool.rows}
    unknown = [key for key in plan.labels if key not in keys]
    if unknown:
        raise CorpusError([_unknown(plan, key) for key in unknown])
    of = plan.of
    if isinstance(of, TimelinePlan):
        return timeline(corpus, of, plan.labels)
    if isinstance(of, LadderPlan):
        return ladder(corpus, of)
    if isinstance(of, FlowPlan):
        return flow(corpus, of)
    if isinstance(of, RangesPlan):
        return ranges(corpus, of, plan.labels)
    if isinstance(of, HeatmapPlan):
        return heatmap(_counted(corpus), of)
    if isinstance(of, BarsPlan):
        return bars(_counted(corpus), of)
    return decision_grid(corpus, of, plan.labels)


def _unknown(plan: FigurePlan, key: str) -> Finding:
    return UNKNOWN_ENTRY.at("codebook.toml", column=f"figures.{plan.name}.labels", value=key, figure=plan.name)


def _counted(corpus: Study) -> Contingency:
    names = tuple(column.name for column in corpus.codebook.pool.axes)
    return Contingency(corpus.codebook, names, tally_table(corpus.pool, corpus.codebook, names))
