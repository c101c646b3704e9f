"""`corpus trace rows`."""

from pathlib import Path

import click

from corpus.canvas.style import DPI, encode, style
from corpus.cli.options import Texts, echo_grids, flag, option, output_option, report_findings, tell
from corpus.cli.traces.input import SHOWN, Traces, deliver, traces_argument
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid, plural
from corpus.printing.numerals import number
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.draw import FIGURES
from corpus.traces.training.audit import audit_figure, audited, schemes_of, titled
from corpus.traces.training.credit import CreditVariant, variant
from corpus.traces.training.groups import channel_of, deviation, grouped, mean, missing
from corpus.traces.training.training_rows import UNITS, RowTable, TraceRows
from corpus.traces.training.training_rows import rows as rows_of


@click.command()
@option("--unit", "", type=click.Choice(UNITS), default="step")
@option(
    "--credit SCHEME",
    "Add advantages: NAME or NAME:OPTION=VALUE,..., as in `corpus docs traces`.",
    "scheme",
)
@option("--channel NAME", "Reward channel of the credit.", default="")
@option("--train NAME", "Agent, role or model that is trained.", multiple=True)
@flag("--groups", "Show the groups of runs of one task instead.")
@option(
    "--audit SCHEME[,SCHEME...]",
    "Show where the credit of these schemes falls; OUT is a figure.",
    "audit",
)
@output_option("OUT", "Write here: .parquet or .jsonl; JSON lines without it.")
@traces_argument
@click.pass_context
def rows(
    ctx: click.Context,
    unit: str,
    scheme: str | None,
    channel: str,
    train: Texts,
    groups: bool,
    audit: str | None,
    output: str | None,
    traces: Traces,
) -> None:
    """Write training rows, one per step or decision, with rewards and credit.

    Each row has the state before it, its outcome, its reward and the reward to go of each channel.
    The columns, the credit schemes and the audit are in `corpus docs traces`.
    """
    endings = tuple(f".{kind}" for kind in FIGURES) if audit else (".parquet", ".jsonl")
    if output and not output.endswith(endings):
        raise UsageProblem(f"let OUT end with {' or '.join(endings)}")
    if audit and (scheme or groups):
        raise UsageProblem("--audit goes without --credit and --groups")
    if audit:
        unit = "decision"
    table = RowTable(variant(scheme, channel) if scheme else None)
    ctx.call_on_close(table.close)
    kept = []
    for document, run in traces.runs():
        found = rows_of(document, run, unit, train)
        if audit:
            kept.append(found)
        else:
            table.add(found)
    if audit:
        _audit(kept, schemes_of(audit, channel), output)
    elif groups:
        echo_grids([_grid(table, channel)])
    else:
        is_parquet = output is not None and output.endswith(".parquet")
        deliver(table.parquet() if is_parquet else table.lines(), output)
        if output is not None:
            tell(f"{plural(sum(table.counts), 'row')} of {plural(len(table.rollouts), 'trace')}")
    findings = [*traces.broken]
    if table.chosen is not None:
        for group in grouped(table.rollouts):
            findings += missing(group, table.chosen.channel)
    report_findings(findings, SHOWN)
    if traces.broken:
        raise SystemExit(1)


def _audit(rows: list[TraceRows], schemes: list[CreditVariant], output: str | None) -> None:
    """Print where the credit falls, and draw it where there is a file for that."""
    channel = channel_of([one.rollout for one in rows], schemes[0].channel)
    audits = audited(rows, [one._replace(channel=channel) for one in schemes])
    lines = []
    for name in audits[0].parts:
        for one in audits:
            part = one.parts[name]
            values = [f"{part.steps:,}", f"{part.steps - len(part.advantages):,}"]
            average = number(round(mean(part.advantages), 12)) if part.advantages else ""
            values += [f"{part.share:.1%}", average, f"{part.opposed:,}"]
            lines.append((titled(name), one.scheme.scheme, *values))
    schemes_lines = []
    for one in audits:
        per_turn = "undefined" if one.per_turn is None else number(round(one.per_turn, 12))
        schemes_lines.append((str(one.scheme), f"{one.groups:,}", f"{one.silent:,}", per_turn))
    header = ("steps of", "scheme", "steps", "without", "share", "mean", "opposed")
    of_schemes = ("scheme", "groups", "without a signal", "per further turn")
    echo_grids(
        [
            Grid("Credit", header, tuple(lines), frozenset(range(2, 7))),
            Grid("Schemes", of_schemes, tuple(schemes_lines), frozenset({1, 2, 3})),
        ]
    )
    if output is not None:
        with style():
            figure = audit_figure(audits)
            write_atomic(output, encode(figure, Path(output).suffix[1:], {}, DPI))


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
