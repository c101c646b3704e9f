"""`corpus trace label`."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import AnchorTable, anchor_table
from corpus.cli.options import data_option, echo_report, flag, format_option
from corpus.cli.traces.input import Traces, traces_argument
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid, plural, safe_csv
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data
from corpus.traces.measures.decisions import DECISIONS, DecisionLabel, labels, stop_kind
from corpus.traces.reading.structure import shown
from corpus.traces.run import Run

# fmt: off
COLUMNS = (
    "file", "line", "trace_id", "event", "t", "type", "agent", "decision", "rule", "scope", "stop",
)
# fmt: on


@click.command()
@format_option("text", "json", "csv")
@flag("--no-corpus", "Leave out which entries of the corpus train each decision.")
@data_option
@traces_argument
def label(format_: str, no_corpus: bool, data: str | None, traces: Traces) -> None:
    """Label events with the orchestration decisions.

    One trace is listed event by event, each with the rule that labels it; counts over all traces
    follow, beside the corpus entries that train each decision. The rules are fixed: the same trace
    always gets the same labels.
    """
    rows = []
    counts = LabelCounts()
    for document, run in traces.runs():
        given = labels(run)
        counts.add(run, given)
        # Text lists the events of a single trace only, so more rows would fill memory for nothing.
        if format_ == "text" and counts.traces > 1:
            continue
        for one in given:
            event = run.events[one.event]
            place = (*document.place, run.trace.trace_id)
            of_event = (event.id, event.t, event.type, event.agent)
            of_label = (one.decision, one.rule, one.scope, one.stop)
            rows.append(dict(zip(COLUMNS, (*place, *of_event, *of_label), strict=True)))
    anchors = None
    if format_ != "csv" and not no_corpus:
        anchors = _anchors(data)
    echo_report(
        format_,
        lambda: list(_grids(rows, counts, anchors)),
        json=partial(_json, rows, counts, anchors),
        csv=partial(safe_csv, [COLUMNS, *(row.values() for row in rows)]),
    )
    traces.end()


class LabelCounts:
    """Counts labels over traces: traces by decision, rules, stops."""

    def __init__(self) -> None:
        self.traces = 0
        self.stops: Counter[str] = Counter()
        self.with_label: Counter[str] = Counter()
        #: Labelled events of each decision by the rule that labels them.
        self.rules: dict[str, Counter[str]] = {decision: Counter() for decision in DECISIONS}

    def add(self, run: Run, given: list[DecisionLabel]) -> None:
        """Count the labels of one run."""
        self.traces += 1
        self.stops[stop_kind(run)] += 1
        self.with_label.update({one.decision for one in given})
        for one in given:
            self.rules[one.decision][one.rule] += 1


def _anchors(data: str | None) -> AnchorTable | None:
    """Find the evidence table whose rows are the five decisions; None without such a corpus."""
    try:
        corpus = load_corpus(find_data(data))
    except UsageProblem:
        # Traces are labelled anywhere; only a corpus that was asked for must be there.
        if data is not None:
            raise
        return None
    for plan in sparsity_plan(corpus.codebook).anchors:
        table = anchor_table(corpus, plan)
        if set(DECISIONS) <= set(table.rows.ids):
            return table
    return None


def _json(rows: list[dict[str, Any]], counts: LabelCounts, anchors: AnchorTable | None) -> str:
    decisions = {}
    for decision, meaning in DECISIONS.items():
        entry: dict[str, Any] = {
            "meaning": meaning,
            "events": counts.rules[decision].total(),
            "labelled_traces": counts.with_label[decision],
            "rules": counts.rules[decision],
        }
        if anchors is not None:
            entry["entries"] = _keys_by_grade(anchors, decision)
        decisions[decision] = entry
    document = {
        "labels": rows,
        "traces": counts.traces,
        "stops": counts.stops,
        "decisions": decisions,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _keys_by_grade(anchors: AnchorTable, decision: str) -> dict[str, list[str]]:
    """Return the keys of the entries that train a decision, by grade of the evidence."""
    found = {}
    for grade in anchors.grades.ids:
        found[grade] = [anchor.key for anchor in anchors.cells[decision, grade]]
    return found


def _grids(
    rows: list[dict[str, Any]], counts: LabelCounts, anchors: AnchorTable | None
) -> Iterator[Grid]:
    if counts.traces == 1:
        yield _events_grid(rows)
    yield _counts_grid(counts)
    if anchors is not None:
        yield _anchor_grid(anchors)


def _events_grid(rows: list[dict[str, Any]]) -> Grid:
    """Return the table of one trace: one row per event that has labels."""
    cells: dict[str, tuple[str, ...]] = {}
    decisions: dict[str, list[str]] = {}
    for row in rows:
        event = row["event"]
        cells[event] = (f"{row['t']:g}", shown(event), row["type"], shown(row["agent"]))
        reason = row["rule"]
        detail = ", ".join(filter(None, (row["scope"], row["stop"])))
        if detail:
            reason += f": {detail}"
        decisions.setdefault(event, []).append(f"{row['decision']} ({reason})")
    lines = [(*cells[event], "; ".join(made)) for event, made in decisions.items()]
    title = shown(rows[0]["trace_id"]) if rows else ""
    header = ("t", "event", "type", "agent", "decisions (rule)")
    return Grid(title, header, tuple(lines), frozenset({0}))


def _counts_grid(counts: LabelCounts) -> Grid:
    """Return the table of all traces: labelled events, traces and rules of each decision."""
    rows = []
    for decision, meaning in DECISIONS.items():
        rules = counts.rules[decision]
        numbers = (f"{rules.total():,}", f"{counts.with_label[decision]:,}")
        rows.append((decision, meaning, *numbers, _most_common(rules)))
    header = ("decision", "", "events", "traces", "rules")
    note = f"Stops: {_most_common(counts.stops)}."
    return Grid(plural(counts.traces, "trace"), header, tuple(rows), frozenset({2, 3}), note)


def _most_common(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.most_common())


def _anchor_grid(anchors: AnchorTable) -> Grid:
    """Return the entries of the corpus for each decision, by grade; of many the number alone."""
    rows = []
    for decision in DECISIONS:
        cells = []
        for keys in _keys_by_grade(anchors, decision).values():
            named = 0 < len(keys) < 4
            cells.append(", ".join(keys) if named else f"{len(keys)}")
        rows.append((decision, *cells))
    header = ("decision", *(grade.label for grade in anchors.grades.terms))
    title = "Entries of the corpus for each decision, by grade of evidence"
    return Grid(title, header, tuple(rows))
