"""`corpus trace label`."""

import json
from collections.abc import Iterator
from itertools import chain, groupby
from operator import itemgetter

import click

from corpus.cli.options import echo, echo_grids, format_option
from corpus.cli.traces.input import Traces, traces_argument
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_list
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import labels
from corpus.traces.reading.structure import shown


@click.command()
@format_option("text", "json")
@traces_argument
def label(format_: str, traces: Traces) -> None:
    """Label events with the orchestration decisions.

    Each trace is listed event by event, each with the rule that labels it; JSON has one object per
    label. The rules are fixed: the same trace always gets the same labels.
    """
    rows = _rows(traces)
    if format_ == "json":
        members = (json.dumps(row, ensure_ascii=False) for row in rows)
        for piece in chain(("[\n",), json_list(members, "  "), ("]\n",)):
            echo(piece, "json")
    else:
        of_traces = groupby(rows, itemgetter("file", "line", "trace_id"))
        for number, ((_, _, trace), of_trace) in enumerate(of_traces):
            if number:
                echo("\n")
            echo_grids([_grid(trace, of_trace)])
    traces.end()


def _rows(traces: Traces) -> Iterator[JsonObject]:
    for document, run in traces.runs():
        file, line = document.place
        for place, *given in labels(run):
            event = run.events[place]
            yield {
                "file": file,
                "line": line,
                "trace_id": run.id,
                "event": event.id,
                "t": event.t,
                "type": event.type,
                "agent": event.agent,
                **dict(zip(("decision", "rule", "scope", "stop"), given, strict=True)),
            }


def _grid(trace: str, rows: Iterator[JsonObject]) -> Grid:
    """Return one line for each event that has labels."""
    lines = []
    for event, of_event in groupby(rows, itemgetter("event")):
        reasons = []
        for row in of_event:
            detail = ", ".join(filter(None, (row["scope"], row["stop"])))
            reason = f"{row['rule']}: {detail}".removesuffix(": ")
            reasons.append(f"{row['decision']} ({reason})")
        recorded = (f"{row['t']:g}", shown(event), row["type"], shown(row["agent"]))
        lines.append((*recorded, "; ".join(reasons)))
    header = ("t", "event", "type", "agent", "decisions (rule)")
    return Grid(shown(trace), header, tuple(lines), frozenset({0}))
