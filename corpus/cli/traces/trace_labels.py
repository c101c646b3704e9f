"""Labels of traces, counted and as tables to print."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from corpus.printing.grid import Grid, plural
from corpus.traces.measures.decisions import DECISIONS, stop_kind
from corpus.traces.reading.structure import shown

if TYPE_CHECKING:
    from corpus.analysis.sparsity.anchors import AnchorTable
    from corpus.traces.measures.decisions import DecisionLabel
    from corpus.traces.run import Run


class Labelled:
    """Counts labels over traces: events and traces by decision, rules, stops."""

    def __init__(self) -> None:
        self.traces = 0
        self.stops: Counter[str] = Counter()
        self.events = dict.fromkeys(DECISIONS, 0)
        self.with_label = dict.fromkeys(DECISIONS, 0)
        self.rules: dict[str, Counter[str]] = {decision: Counter() for decision in DECISIONS}

    def add(self, run: Run, given: list[DecisionLabel]) -> None:
        """Count the labels of one run."""
        self.traces += 1
        self.stops[stop_kind(run)] += 1
        for decision in {one.decision for one in given}:
            self.with_label[decision] += 1
        for one in given:
            self.events[one.decision] += 1
            self.rules[one.decision][one.rule] += 1


def events_grid(rows: list[dict[str, Any]]) -> Grid:
    """One row an event that has labels."""
    found: dict[str, list[str]] = {}
    for row in rows:
        detail = ", ".join(part for part in (row["scope"], row["stop"]) if part)
        text = f"{row['decision']} ({row['rule']}{': ' + detail if detail else ''})"
        cells = found.setdefault(
            row["event"], [f"{row['t']:g}", shown(row["event"]), row["type"], shown(row["agent"]), ""]
        )
        cells[-1] += ("; " if cells[-1] else "") + text
    title = shown(rows[0]["trace_id"]) if rows else ""
    header = ("t", "event", "type", "agent", "decisions (rule)")
    return Grid(title, header, tuple(tuple(cells) for cells in found.values()), frozenset({0}))


def counts_grid(found: Labelled) -> Grid:
    """One row a decision: labelled events, traces that have any, and by which rules."""
    rows = tuple(
        (
            decision,
            meaning,
            f"{found.events[decision]:,}",
            f"{found.with_label[decision]:,}",
            ", ".join(f"{rule} {count:,}" for rule, count in found.rules[decision].most_common()),
        )
        for decision, meaning in DECISIONS.items()
    )
    stops = ", ".join(f"{kind} {count:,}" for kind, count in found.stops.most_common())
    header = ("decision", "", "events", "traces", "rules")
    return Grid(plural(found.traces, "trace"), header, rows, frozenset({2, 3}), f"Stops: {stops}.")


def anchor_grid(anchors: AnchorTable) -> Grid:
    """One row a decision: the corpus entries that stand for it, by the grade of the evidence."""
    labels = {term.id: term.label for term in anchors.grades.terms}
    rows = tuple(
        (decision, *(", ".join(a.key for a in anchors.cells[decision, grade]) or "-" for grade in anchors.grades.ids))
        for decision in DECISIONS
    )
    header = ("decision", *(labels[grade] for grade in anchors.grades.ids))
    return Grid("Entries of the corpus for each decision, by grade of evidence", header, rows)
