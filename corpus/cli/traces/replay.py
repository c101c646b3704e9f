"""`corpus trace replay`."""

import json
from dataclasses import asdict

import click

from corpus.cli.options import echo
from corpus.cli.traces.input import READABLE, one_run, size_option, trace_option
from corpus.traces.measures.metrics import plain
from corpus.traces.replay import digest, states


@click.command()
@click.argument("file", metavar="FILE", type=READABLE)
@trace_option
@size_option
def replay(file: str, name: str | None, max_mb: int) -> None:
    """Replay a trace: write the state after each event, one line of JSON each.

    Events come in their happened-before order; nothing is executed. The digest on the last line is
    the same on every machine. To step through a run, open `corpus trace view`.
    """
    run = one_run(file, max_mb, name)
    for state in states(run):
        document = asdict(state)
        # A sum too large for a double is null, as JSON has no infinity.
        for key in ("t", "tokens", "steps"):
            document[key] = plain(document[key])
        echo(json.dumps(document, ensure_ascii=False), "json")
    echo(json.dumps({"digest": digest(run), "events": len(run.events)}), "json")
