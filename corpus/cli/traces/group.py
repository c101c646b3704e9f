"""`corpus trace`: the list of its subcommands, none of which is imported before it is run."""

from __future__ import annotations

import click

from corpus.cli.lazy import LazyGroup

COMMANDS = {
    "validate": ("corpus.cli.traces.validate:validate", "Hold traces against the schema and the rules."),
    "stats": ("corpus.cli.traces.stats:stats", "Measure traces: critical path, parallelism, waste, cost, credit."),
    "label": ("corpus.cli.traces.label:label", "Say where the decisions O1 to O5 fell, and which entries train them."),
    "replay": ("corpus.cli.traces.replay:replay", "Play a trace again, with the state after each event."),
    "diff": ("corpus.cli.traces.diff:diff", "Compare two traces: where they part, which measures differ."),
    "draw": ("corpus.cli.traces.draw:draw", "Draw a trace: swimlane or graph; SVG, PDF, PNG, Mermaid, text."),
    "convert": ("corpus.cli.traces.convert:convert", "Turn recorded runs of other programs into traces."),
    "ingest": ("corpus.cli.traces.store:ingest", "Bring any number of traces into a store of Parquet files."),
    "query": ("corpus.cli.traces.query:query", "Ask a store in SQL: its traces, events and edges."),
    "formats": ("corpus.cli.traces.convert:formats", "List the formats that convert reads, with what each loses."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def trace() -> None:
    """Check, measure, label, replay, draw and convert orchestration traces.

    Traces are read from JSON and JSONL files, also packed with gzip, from folders of them, and from standard input
    where a file is named "-".
    """
