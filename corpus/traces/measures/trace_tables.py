"""Measures of traces as tables to print."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corpus.printing.grid import Grid, plural

if TYPE_CHECKING:
    from corpus.traces.measures.credit import Channel, Support
    from corpus.traces.measures.metrics import Number
    from corpus.traces.measures.rows import Line, Summary

RIGHT = frozenset({1})


def number(value: Number) -> str:
    """Write a measure: whole numbers with separators, others with four significant digits, a dash for none."""
    if value is None or value == math.inf:
        return "-"
    if abs(value) >= 1e15:
        return f"{value:.4g}"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def measures_grids(line: Line) -> list[Grid]:
    """Tables for one trace: measures, events by type and agent, cost per reward."""
    from corpus.traces.measures.baseline import COMPARISON
    from corpus.traces.measures.metrics import CATALOGUE
    from corpus.traces.reading.structure import shown

    values: dict[str, Any] = line.cells
    topology = values["topology"] or "not said"
    title = f"{shown(values['trace_id'])} ({values['file']}; topology {topology}; stop {values['stop']})"
    known = [metric for metric in (*CATALOGUE, *COMPARISON) if metric.name in values]
    rows = tuple((metric.name, number(values[metric.name]), metric.unit) for metric in known)
    grids = [Grid(title, ("measure", "value", "unit"), rows, RIGHT)]
    for what, counts in (("type", line.by_type), ("agent", line.by_agent)):
        most = sorted(counts.items(), key=lambda item: -item[1])[:20]
        pairs = tuple((shown(key), number(count)) for key, count in most)
        note = f"and {len(counts) - 20} more" if len(counts) > 20 else ""
        grids.append(Grid("", (f"events by {what}", "events"), pairs, RIGHT, note))
    if line.rewards:
        costs = tuple((shown(key), number(cost[0]), number(cost[1])) for key, cost in line.rewards.items())
        grids.append(Grid("", ("cost of one unit of reward", "tokens", "seconds"), costs, frozenset({1, 2})))
    return grids


def summary_grid(summary: Summary) -> Grid:
    """One row for each measure, over all traces."""
    rows = tuple(
        (name, *(number(value) for value in (s.number, s.mean, s.least, s.median, s.ninth, s.most, s.total)))
        for name, s in summary.spreads().items()
    )
    header = ("measure", "traces", "mean", "least", "median", "9th decile", "most", "total")
    counts = "; ".join(
        f"{what} " + ", ".join(f"{key} {count:,}" for key, count in sorted(found.items(), key=lambda item: -item[1]))
        for what, found in (("stop", summary.stops), ("topology", summary.topologies))
    )
    return Grid(plural(summary.traces, "trace"), header, rows, frozenset(range(1, 8)), counts)


def credit_grids(name: str, found: list[Channel], units: list[Support]) -> list[Grid]:
    """Which units carry credit in a trace, and what each channel asks for."""
    from corpus.traces.reading.structure import shown

    rows = tuple((unit.unit, "yes" if unit.supported else "no", number(unit.number), unit.reason) for unit in units)
    yes = [unit.unit for unit in units if unit.supported]
    asked = tuple(
        (
            shown(channel.name),
            number(channel.value),
            ", ".join(yes),
            ", ".join(unit.unit for unit in units if not unit.supported),
            channel.names or "-",
            "-" if not channel.names else "yes" if channel.names in yes else "no",
        )
        for channel in found
    )
    header = ("reward channel", "value", "can be attached to", "cannot", "its name asks for", "possible")
    note = "" if found else "The trace has no reward to attach."
    units_grid = Grid(
        f"credit in {shown(name)}", ("unit", "supported", "number", "why not"), rows, frozenset({2}), note
    )
    return [units_grid, Grid("", header, asked, frozenset({1}))] if found else [units_grid]
