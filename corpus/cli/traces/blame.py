"""`corpus trace blame`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import click

from corpus.cli.options import echo, output_option
from corpus.cli.traces.input import (
    documents_of,
    files_argument,
    refuse_inputs,
    report_broken,
    size_option,
)
from corpus.model.finding import Finding
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.convert.lookup import JsonObject
from corpus.traces.reading.runs import of_run
from corpus.traces.training.blame import RULES, Blame


@click.command()
@files_argument
@click.option("--rule", "rules", type=click.Choice(list(RULES)), multiple=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the rule random.")
@output_option(metavar="OUT", help="Write here instead of to standard output.")
@size_option
@click.pass_context
def blame(
    ctx: click.Context,
    files: tuple[str, ...],
    rules: tuple[str, ...],
    seed: int,
    output: str | None,
    max_mb: int,
) -> None:
    """Name the step to blame for a failure, by simple fixed rules.

    One JSON line for each trace and rule has the agent and the step, or why there is none; the
    rules are in docs/traces.md. `corpus trace score` compares them with labels. FILES may be one
    store instead.
    """
    refuse_inputs(files, output)
    findings: list[Finding] = []
    unknown: Counter[tuple[str, str]] = Counter()
    rows = _rows(files, max_mb, Blame(rules or tuple(RULES), seed), findings)
    lines = _lines(rows, unknown)
    if output is None:
        for line in lines:
            echo(line, "json")
    else:
        write_atomic(output, lines)
    for (rule, why), count in sorted(unknown.items()):
        click.echo(f"{rule}: no prediction for {count:,}: {why}", err=True)
    ctx.exit(report_broken(findings))


def _rows(
    files: tuple[str, ...], max_mb: int, blamed: Blame, findings: list[Finding]
) -> Iterator[JsonObject]:
    with documents_of(files, max_mb) as documents:
        for item in documents:
            found = of_run(item, lambda _, run: list(blamed.rows(run)))
            findings += found.findings
            yield from found.value or ()
    yield from blamed.left()


def _lines(rows: Iterator[JsonObject], unknown: Counter[tuple[str, str]]) -> Iterator[str]:
    """Yield the predictions, and count those that are none."""
    for row in rows:
        if row["agent"] is None:
            unknown[row["rule"], row["why"]] += 1
        yield json.dumps(row) + "\n"
