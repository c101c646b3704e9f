"""`corpus trace label`."""

import json
from collections import Counter, defaultdict
from functools import partial
from itertools import groupby
from operator import itemgetter

import click

from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.analysis.sparsity.strictness import AnchorTable, anchor_table
from corpus.cli.options import data_option, echo_report, flag, format_option
from corpus.cli.traces.input import Traces, traces_argument
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid, plural, safe_csv
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import DECISIONS, labels, stop_kind
from corpus.traces.reading.structure import shown

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
    stops: Counter[str] = Counter()
    with_label: Counter[str] = Counter()
    # Labelled events of each decision by the rule that labels them.
    rules: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document, run in traces.runs():
        given = labels(run)
        stops[stop_kind(run)] += 1
        with_label.update({one.decision for one in given})
        for one in given:
            rules[one.decision][one.rule] += 1
            # Text lists the events of a single trace only; more rows would fill memory.
            if format_ == "text" and stops.total() > 1:
                continue
            event = run.events[one.event]
            of_event = (run.id, event.id, event.t, event.type, event.agent)
            # All of a label but its event.
            cells = (*document.place, *of_event, *one[1:])
            rows.append(dict(zip(COLUMNS, cells, strict=True)))
    anchors = None
    if format_ != "csv" and not no_corpus:
        anchors = _anchors(data)
    decisions = {}
    for decision, meaning in DECISIONS.items():
        entry: JsonObject = {
            "meaning": meaning,
            "events": rules[decision].total(),
            "labelled_traces": with_label[decision],
            "rules": rules[decision],
        }
        if anchors is not None:
            # The keys of the entries that train the decision, by grade of the evidence.
            entry["entries"] = {}
            for grade in anchors.grades.ids:
                entry["entries"][grade] = [anchor.key for anchor in anchors.cells[decision, grade]]
        decisions[decision] = entry
    report = {"labels": rows, "traces": stops.total(), "stops": stops, "decisions": decisions}
    echo_report(
        format_,
        partial(_grids, report, anchors),
        json=partial(json.dumps, report, ensure_ascii=False, indent=1),
        csv=partial(safe_csv, [COLUMNS, *(row.values() for row in rows)]),
    )
    traces.end()


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


def _grids(report: JsonObject, anchors: AnchorTable | None) -> list[Grid]:
    """Return the tables of a single trace, of all traces, and of the entries of the corpus."""
    grids = []
    if report["traces"] == 1:
        rows = report["labels"]
        # One row for each event that has labels.
        lines = []
        for event, labelled in groupby(rows, itemgetter("event")):
            reasons = []
            for row in labelled:
                detail = ", ".join(filter(None, (row["scope"], row["stop"])))
                reason = f"{row['rule']}: {detail}".removesuffix(": ")
                reasons.append(f"{row['decision']} ({reason})")
            of_event = (f"{row['t']:g}", shown(event), row["type"], shown(row["agent"]))
            lines.append((*of_event, "; ".join(reasons)))
        title = shown(rows[0]["trace_id"]) if rows else ""
        header = ("t", "event", "type", "agent", "decisions (rule)")
        grids.append(Grid(title, header, tuple(lines), frozenset({0})))
    counts, entries = [], []
    for decision, one in report["decisions"].items():
        numbers = (f"{one['events']:,}", f"{one['labelled_traces']:,}")
        counts.append((decision, one["meaning"], *numbers, _most_common(one["rules"])))
        cells = [decision]
        for keys in one.get("entries", {}).values():
            # Of many the number alone.
            cells.append(", ".join(keys) if 0 < len(keys) < 4 else f"{len(keys)}")
        entries.append(tuple(cells))
    title = plural(report["traces"], "trace")
    header = ("decision", "", "events", "traces", "rules")
    note = f"Stops: {_most_common(report['stops'])}."
    grids.append(Grid(title, header, tuple(counts), frozenset({2, 3}), note))
    if anchors is not None:
        title = "Entries of the corpus for each decision, by grade of evidence"
        grades = (grade.label for grade in anchors.grades.terms)
        grids.append(Grid(title, ("decision", *grades), tuple(entries)))
    return grids


def _most_common(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.most_common())
