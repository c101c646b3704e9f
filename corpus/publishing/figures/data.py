"""From a figure's plan to the record that it draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.publishing.figures.figure_rules import UNKNOWN_ENTRY
from corpus.publishing.figures.kinds.bars import Bars, bars
from corpus.publishing.figures.kinds.decision_grid import DecisionGrid, decision_grid
from corpus.publishing.figures.kinds.flow import Flow, flow
from corpus.publishing.figures.kinds.heatmap import HeatmapData, heatmap
from corpus.publishing.figures.kinds.ladder import Ladder, ladder
from corpus.publishing.figures.kinds.named_map import NamedMap, named_map
from corpus.publishing.figures.kinds.scatter import Scatter, scatter
from corpus.publishing.figures.kinds.timeline import Timeline, timeline
from corpus.publishing.figures.plan import FigurePlan

FigureData = Bars | DecisionGrid | Flow | HeatmapData | Ladder | NamedMap | Scatter | Timeline

#: What counts or reads the data of a kind, from the plan of the kind and the names of entries.
_DATA: Mapping[str, Callable[[Study, Any, Mapping[str, str]], FigureData]] = {
    "timeline": timeline,
    "heatmap": heatmap,
    "bars": bars,
    "ladder": ladder,
    "grid": decision_grid,
    "flow": flow,
    "map": named_map,
    "scatter": scatter,
}


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
    return _DATA[plan.kind](study, plan.of, plan.labels)


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
