"""`corpus trace rows`."""

from functools import partial
from itertools import chain

import click

from corpus.cli.options import Texts, echo_grids, flag, option, output_option, report_findings, tell
from corpus.cli.traces.input import (
    SHOWN,
    Traces,
    cluster_options,
    deliver,
    jobs_option,
    mapping,
    traces_argument,
)
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid, plural
from corpus.printing.numerals import number
from corpus.traces.store.stats import PartQuestion
from corpus.traces.store.store import Store
from corpus.traces.training.credit import variant
from corpus.traces.training.groups import deviation, grouped, mean, missing
from corpus.traces.training.rows import UNITS, RowTable, part_rows
from corpus.traces.training.rows import rows as rows_of


@click.command()
@option("--unit", "", type=click.Choice(UNITS), default="step")
@option(
    "--credit SCHEME",
    "Add advantages: NAME or NAME:OPTION=VALUE,..., as in docs/traces.md.",
    "scheme",
)
@option("--channel NAME", "Reward channel of the credit.", default="")
@option("--train NAME", "Agent, role or model that is trained.", multiple=True)
@flag("--all", "With --unit decision: also steps in which it was not taken.", "with_negatives")
@flag("--groups", "Show the groups of runs of one task instead.")
@output_option("OUT", "Write here: .parquet or .jsonl; JSON lines without it.")
@jobs_option
@cluster_options
@traces_argument
@click.pass_context
def rows(
    ctx: click.Context,
    unit: str,
    scheme: str | None,
    channel: str,
    train: Texts,
    with_negatives: bool,
    groups: bool,
    output: str | None,
    jobs: int,
    scheduler: str | None,
    local_cluster: int | None,
    traces: Traces,
) -> None:
    """Write training rows: decisions, steps, agents or runs, with rewards and credit.

    Each row has the state before it, its outcome, its reward and the reward to go of each channel.
    With --all, decisions come with negatives: steps in which an agent could have taken them. The
    columns and the credit schemes are in docs/traces.md. FILES may be one store instead.
    """
    if output and not output.endswith((".parquet", ".jsonl")):
        raise UsageProblem("rows are written as .parquet or .jsonl")
    if (scheduler or local_cluster) and traces.store is None:
        raise UsageProblem("--scheduler and --local-cluster are for a store")
    table = RowTable(unit, variant(scheme, channel) if scheme else None)
    ctx.call_on_close(table.close)
    find = partial(rows_of, unit=unit, train=train, with_negatives=with_negatives)
    with mapping(scheduler, local_cluster) as mapped:
        found = traces.results(find, jobs)
        if mapped is not None:
            store = Store(str(traces.store))
            root = str(store.root.absolute())
            questions = [PartQuestion(root, part) for part in store.parts()]
            parts = mapped(partial(part_rows, find_rows=find), questions)
            found = traces.values(chain.from_iterable(parts))
        for of_trace in found:
            table.add(of_trace)
    if groups:
        echo_grids([_grid(table, channel)])
    else:
        is_parquet = output is not None and output.endswith(".parquet")
        deliver(table.parquet() if is_parquet else table.lines(), output)
        if output is not None:
            tell(f"{plural(table.count, 'row')} of {plural(len(table.rollouts), 'trace')}")
    findings = [*traces.broken, *table.findings]
    if table.chosen is not None:
        for group in grouped(table.rollouts):
            findings += missing(group, table.chosen.channel)
    report_findings(findings, SHOWN)
    if traces.broken:
        raise SystemExit(1)


def _grid(table: RowTable, channel: str) -> Grid:
    """Return the groups with their rewards and what they lack."""
    named = channel or table.channel()
    lines = []
    for group in grouped(table.rollouts):
        rewards = [one.rewards[named] for one in group if named in one.rewards]
        middle = spread = ""
        if rewards:
            middle = number(mean(rewards))
        if len(rewards) > 1:
            spread = number(deviation(rewards))
        lacks = "; ".join(dict.fromkeys(one.message for one in missing(group, named)))
        name = group[0].group or "(no task, no prompt)"
        lines.append((name, f"{len(group):,}", middle, spread, lacks))
    header = ("group", "runs", f"mean {named}", "deviation", "missing")
    return Grid(plural(len(lines), "group"), header, tuple(lines), frozenset({1, 2, 3}))
