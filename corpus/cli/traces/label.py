"""`corpus trace label`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from corpus.cli.options import data_option, echo, format_option
from corpus.cli.traces.input import files_argument, report_broken, size_option, sound_runs

if TYPE_CHECKING:
    from corpus.analysis.sparsity.anchors import AnchorTable
    from corpus.model.finding import Finding
    from corpus.traces.measures.decisions import DecisionLabel
    from corpus.traces.run import Run

COLUMNS = ("file", "line", "trace_id", "event", "t", "type", "agent", "decision", "rule", "scope", "stop")


@click.command()
@files_argument
@format_option("text", "json", "csv")
@click.option("--no-corpus", is_flag=True, help="Leave out which entries of the corpus train each decision.")
@data_option
@size_option
@click.pass_context
def label(
    ctx: click.Context, files: tuple[str, ...], format_: str, no_corpus: bool, data: str | None, max_mb: int
) -> None:
    """Label events with the orchestration decisions O1 to O5 and the rule that gave each label.

    One trace is listed event by event; counts over all traces follow, beside the corpus entries that train each
    decision. The rules are fixed: the same trace always gets the same labels.
    """
    from corpus.cli.traces.trace_labels import Labelled
    from corpus.traces.measures.decisions import labels

    broken: list[Finding] = []
    rows: list[dict[str, Any]] = []
    found = Labelled()
    keep = format_ != "text"
    for document, run in sound_runs(files, max_mb, broken):
        given = labels(run)
        found.add(run, given)
        if keep or found.traces == 1:
            rows += _rows((document.file, document.line), run, given)
    if format_ == "csv":
        echo(_csv(rows), "csv")
    else:
        anchors = None if no_corpus else _anchors(data)
        write = _json if format_ == "json" else _text
        echo(write(rows, found, anchors), format_)
    ctx.exit(report_broken(broken))


def _rows(place: tuple[str, int], run: Run, given: list[DecisionLabel]) -> list[dict[str, Any]]:
    rows = []
    for one in given:
        event = run.events[one.event]
        cells = (*place, run.trace.trace_id, event.id, event.t, event.type, event.agent, *one[1:])
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows


def _anchors(data: str | None) -> AnchorTable | None:
    """Find the evidence table of the corpus whose rows are the five decisions; None where there is no such corpus."""
    from corpus.analysis.sparsity.anchors import anchor_table
    from corpus.analysis.sparsity.plan import sparsity_plan
    from corpus.model.finding import UsageProblem
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data
    from corpus.traces.measures.decisions import DECISIONS

    try:
        corpus = load_corpus(find_data(data))
    except UsageProblem:
        if data is not None:
            raise
        return None
    for plan in sparsity_plan(corpus.codebook).anchors:
        table = anchor_table(corpus, plan)
        if set(DECISIONS) <= set(table.rows.ids):
            return table
    return None


def _csv(rows: list[dict[str, Any]]) -> str:
    import csv
    import io

    from corpus.printing.escape import csv_cell

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in row.values()])
    return buffer.getvalue()


def _json(rows: list[dict[str, Any]], found: Any, anchors: AnchorTable | None) -> str:
    from corpus.traces.measures.decisions import DECISIONS

    document: dict[str, Any] = {"labels": rows, "traces": found.traces, "stops": found.stops, "decisions": {}}
    for decision, meaning in DECISIONS.items():
        entry: dict[str, Any] = {"meaning": meaning, "events": found.events[decision]}
        entry |= {"labelled_traces": found.with_label[decision], "rules": found.rules[decision]}
        if anchors is not None:
            entry["entries"] = {
                grade: [anchor.key for anchor in anchors.cells[decision, grade]] for grade in anchors.grades.ids
            }
        document["decisions"][decision] = entry
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _text(rows: list[dict[str, Any]], found: Any, anchors: AnchorTable | None) -> str:
    from corpus.cli.traces.trace_labels import anchor_grid, counts_grid, events_grid
    from corpus.printing.grid import grid_text

    grids = [events_grid(rows)] if found.traces == 1 else []
    grids.append(counts_grid(found))
    if anchors is not None:
        grids.append(anchor_grid(anchors))
    return "\n".join(grid_text(grid) for grid in grids)
