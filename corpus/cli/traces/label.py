"""`corpus trace label`."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import click

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import AnchorTable, anchor_table
from corpus.cli.options import data_option, echo, echo_grids, flag, format_option
from corpus.cli.traces.input import files_argument, report_broken, size_option, valid_runs
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.grid import Grid, plural, safe_csv
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data
from corpus.traces.measures.decisions import DECISIONS, DecisionLabel, labels, stop_kind
from corpus.traces.reading.structure import shown
from corpus.traces.run import Run

COLUMNS: Final = (
    "file",
    "line",
    "trace_id",
    "event",
    "t",
    "type",
    "agent",
    "decision",
    "rule",
    "scope",
    "stop",
)


@click.command()
@files_argument
@format_option("text", "json", "csv")
@flag("--no-corpus", "Leave out which entries of the corpus train each decision.")
@data_option
@size_option
def label(
    files: tuple[str, ...], format_: str, no_corpus: bool, data: str | None, max_mb: int
) -> None:
    """Label events with the orchestration decisions.

    One trace is listed event by event, each with the rule that labels it; counts over all traces
    follow, beside the corpus entries that train each decision. The rules are fixed: the same trace
    always gets the same labels.
    """
    broken: list[Finding] = []
    rows: list[dict[str, Any]] = []
    counts = LabelCounts()
    for document, run in valid_runs(files, max_mb, broken):
        given = labels(run)
        counts.add(run, given)
        # Text lists the events of a single trace only, so more rows would fill memory for nothing.
        if format_ != "text" or counts.traces == 1:
            place = (document.file, document.line)
            rows += _rows(place, run, given)
    if format_ == "csv":
        echo(safe_csv([COLUMNS, *(row.values() for row in rows)]), "csv")
    else:
        anchors = None if no_corpus else _anchors(data)
        if format_ == "json":
            echo(_json(rows, counts, anchors), format_)
        else:
            echo_grids(_grids(rows, counts, anchors))
    if report_broken(broken):
        raise SystemExit(1)


class LabelCounts:
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


def _rows(place: tuple[str, int], run: Run, given: list[DecisionLabel]) -> list[dict[str, Any]]:
    rows = []
    for one in given:
        event = run.events[one.event]
        of_event = (run.trace.trace_id, event.id, event.t, event.type, event.agent)
        of_label = (one.decision, one.rule, one.scope, one.stop)
        cells = (*place, *of_event, *of_label)
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows


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
            "events": counts.events[decision],
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
        cell = anchors.cells[decision, grade]
        found[grade] = [anchor.key for anchor in cell]
    return found


def _grids(
    rows: list[dict[str, Any]], counts: LabelCounts, anchors: AnchorTable | None
) -> list[Grid]:
    grids = []
    if counts.traces == 1:
        grids.append(_events_grid(rows))
    grids.append(_counts_grid(counts))
    if anchors is not None:
        grids.append(_anchor_grid(anchors))
    return grids


def _events_grid(rows: list[dict[str, Any]]) -> Grid:
    """Return the table of one trace: one row per event that has labels."""
    cells: dict[str, tuple[str, str, str, str]] = {}
    decisions: dict[str, list[str]] = {}
    for row in rows:
        event = row["event"]
        cells[event] = (f"{row['t']:g}", shown(event), row["type"], shown(row["agent"]))
        reason = row["rule"]
        detail = ", ".join(filter(None, (row["scope"], row["stop"])))
        if detail:
            reason = f"{reason}: {detail}"
        decisions.setdefault(event, []).append(f"{row['decision']} ({reason})")
    lines = []
    for event, of_event in cells.items():
        made = "; ".join(decisions[event])
        lines.append((*of_event, made))
    title = shown(rows[0]["trace_id"]) if rows else ""
    header = ("t", "event", "type", "agent", "decisions (rule)")
    return Grid(title, header, tuple(lines), frozenset({0}))


def _counts_grid(counts: LabelCounts) -> Grid:
    """Return the table of all traces: labelled events, traces and rules of each decision."""
    rows = []
    for decision, meaning in DECISIONS.items():
        events = f"{counts.events[decision]:,}"
        traces = f"{counts.with_label[decision]:,}"
        rules = _most_common(counts.rules[decision])
        row = (decision, meaning, events, traces, rules)
        rows.append(row)
    header = ("decision", "", "events", "traces", "rules")
    note = f"Stops: {_most_common(counts.stops)}."
    title = plural(counts.traces, "trace")
    return Grid(title, header, tuple(rows), frozenset({2, 3}), note)


def _most_common(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.most_common())


def _few_or_number(keys: list[str]) -> str:
    return ", ".join(keys) if 0 < len(keys) < 4 else f"{len(keys)}"


def _anchor_grid(anchors: AnchorTable) -> Grid:
    """Return the entries of the corpus for each decision, by grade; of many the number alone."""
    rows = []
    for decision in DECISIONS:
        cells = map(_few_or_number, _keys_by_grade(anchors, decision).values())
        rows.append((decision, *cells))
    header = ("decision", *(grade.label for grade in anchors.grades.terms))
    title = "Entries of the corpus for each decision, by grade of evidence"
    return Grid(title, header, tuple(rows))
