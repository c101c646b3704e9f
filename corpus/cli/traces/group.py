"""`corpus trace`: the list of its subcommands, none of which is imported before it is run."""

from __future__ import annotations

import click

from corpus.cli.lazy import LazyGroup, command_table

SECTIONS = command_table("""
Commands
  validate = traces.validate:validate
    Validate traces against the schema and the rules of a plausible run.
  stats = traces.stats:stats
    Measure traces: critical path, parallelism, waste, cost, credit.
  label = traces.label:label
    Label events with the orchestration decisions O1 to O5.
  replay = traces.replay:replay
    Replay a trace, with the state after each event.
  diff = traces.diff:diff
    Compare two traces: where they diverge, which measures differ.
  draw = traces.draw:draw
    Draw a trace: who acted when, what spawned whom, what the run waited for.
  view = traces.view:view
    Write a page to step through runs in a browser, alone or side by side.
  convert = traces.convert:convert
    Convert recorded runs of other programs into traces, and traces into theirs.
  reward = traces.blame:reward
    Write rewards that were given elsewhere into traces.
  rows = traces.rows:rows
    Write training rows: decisions, steps, agents or runs, with rewards and credit.
  blame = traces.blame:blame
    Name the step to blame for a failure, by simple fixed rules.
  score = traces.blame:score
    Compare blamed agents and steps with labels.
  ingest = traces.stores:ingest
    Add traces to a store of Parquet files, any number of them.
  query = traces.stores:query
    Query a store in SQL: its traces, events and edges.
  formats = traces.convert:formats
    List the formats that `corpus trace convert` reads and writes.
""")


@click.group(cls=LazyGroup, sections=SECTIONS)
def trace() -> None:
    """Validate, measure, label, replay, draw and convert orchestration traces.

    Traces are read from JSON and JSONL files, also compressed with gzip, from folders of them, and
    from standard input where a file is named "-".
    """
