"""From a figure's plan to the record that it draws."""

from __future__ import annotations

from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import UNKNOWN_ENTRY
from corpus.publishing.figures.kinds.bars import Bars, bars
from corpus.publishing.figures.kinds.decision_grid import DecisionGrid, decision_grid
from corpus.publishing.figures.kinds.flow import Flow, flow
from corpus.publishing.figures.kinds.heatmap import HeatmapData, heatmap
from corpus.publishing.figures.kinds.ladder import Ladder, ladder
from corpus.publishing.figures.kinds.named_map import NamedMap, named_map
from corpus.publishing.figures.kinds.ranges import Ranges, ranges
from corpus.publishing.figures.kinds.spread import SpreadData, spread
from corpus.publishing.figures.kinds.timeline import Timeline, timeline
from corpus.publishing.figures.plan import (
    BarsPlan,
    FigurePlan,
    FlowPlan,
    HeatmapPlan,
    LadderPlan,
    MapPlan,
    RangesPlan,
    SpreadPlan,
    TimelinePlan,
)
from corpus.tables.fast.tally import contingency_of

FigureData = (
    Bars | DecisionGrid | Flow | HeatmapData | Ladder | NamedMap | Ranges | SpreadData | Timeline
)


def figure_data(study: Study, plan: FigurePlan) -> FigureData:
    """Return the record that a figure draws.

    Raises
    ------
    CorpusError
        With C801 to C804 findings where the data cannot be drawn as declared.
    """
    unknown = _unknown_labels(study, plan)
    if unknown:
        raise CorpusError(unknown)
    of = plan.of
    if isinstance(of, TimelinePlan):
        return timeline(study, of, plan.labels)
    if isinstance(of, LadderPlan):
        return ladder(study, of)
    if isinstance(of, FlowPlan):
        return flow(study, of)
    if isinstance(of, RangesPlan):
        return ranges(study, of, plan.labels)
    if isinstance(of, HeatmapPlan):
        return heatmap(contingency_of(study), of)
    if isinstance(of, BarsPlan):
        return bars(contingency_of(study), of)
    if isinstance(of, MapPlan):
        return named_map(study, contingency_of(study), of, plan.labels)
    if isinstance(of, SpreadPlan):
        return spread(study, of, plan.labels)
    return decision_grid(study, of, plan.labels)


def _unknown_labels(study: Study, plan: FigurePlan) -> list[Finding]:
    """Return a finding for each short name of an entry that the pool does not have."""
    keys = {study.pool.key_of(row)[0] for row in study.pool.rows}
    column = f"figures.{plan.name}.labels"
    findings = []
    for key in plan.labels:
        if key not in keys:
            finding = UNKNOWN_ENTRY.at("codebook.toml", column=column, value=key, figure=plan.name)
            findings.append(finding)
    return findings
