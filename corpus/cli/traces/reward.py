"""`corpus trace reward`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from corpus.cli.options import EXISTING_FILE, echo, output_option
from corpus.cli.traces.input import (
    documents_of,
    files_argument,
    refuse_inputs,
    report_broken,
    size_option,
)
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.grid import plural
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.reading.runs import of_run
from corpus.traces.training.rewards import RewardRow, Rewards, read_rewards


@click.command()
@files_argument
@click.option(
    "--from",
    "sources",
    metavar="FILE",
    multiple=True,
    required=True,
    type=EXISTING_FILE,
    help="Rewards: a table, or results of Harbor, Inspect, verifiers, rLLM, NeMo Gym or tau2.",
)
@click.option("--trace", "name", metavar="ID", default="", help="All rewards are of this trace.")
@output_option(metavar="OUT", help="Write here instead of to standard output; .jsonl for several.")
@size_option
@click.pass_context
def reward(
    ctx: click.Context,
    files: tuple[str, ...],
    sources: tuple[str, ...],
    name: str,
    output: str | None,
    max_mb: int,
) -> None:
    """Write rewards that were given elsewhere into traces.

    A table is CSV or JSON lines with a value for a trace (by its id or session), or for the only
    trace of a task; with agent, call or step, for this part of it. The traces are written with
    their rewards, one per line. A reward stays with what it was given for: none is divided among
    sub-agents. Where rewards contradict each other, nothing is written.
    """
    refuse_inputs((*files, *sources), output)
    rows: list[RewardRow] = []
    for source in sources:
        rows += read_rewards(Path(source), name)
    findings: list[Finding] = []
    rewards = Rewards(rows)
    lines = _lines(files, max_mb, rewards, findings)
    if output is None:
        for line in list(lines):
            echo(line, "json")
    else:
        write_atomic(output, _only_one(lines) if output.endswith(".json") else lines)
    left = list(rewards.unmatched())
    report_broken([*findings, *left])
    click.echo(f"{plural(len(rows) - len(left), 'reward')} of {len(rows):,} matched", err=True)
    ctx.exit(1 if any(one.is_error for one in findings) else 0)


def _lines(
    files: tuple[str, ...], max_mb: int, rewards: Rewards, findings: list[Finding]
) -> Iterator[str]:
    """Yield each trace with its rewards; broken ones are left out, and `findings` has them.

    Raises
    ------
    CorpusError
        Where rewards contradict each other, once all traces were read.
    """
    wrong: list[Finding] = []
    with documents_of(files, max_mb) as documents:
        for item in documents:
            found = of_run(item, lambda document, run: (json.loads(document.raw), run))
            findings += found.findings
            if found.value is None:
                continue
            trace, run = found.value
            wrong += rewards.attach(trace, run)
            yield json.dumps(trace, ensure_ascii=True, allow_nan=False) + "\n"
    if any(one.is_error for one in wrong):
        raise CorpusError(wrong)
    findings += wrong


def _only_one(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number:
            raise UsageProblem("a .json file has one trace; let OUT end with .jsonl for several")
        yield line
