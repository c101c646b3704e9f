"""`corpus trace score`."""

from __future__ import annotations

from pathlib import Path

import click

from corpus.analysis.agreement.coefficients import raw_agreement
from corpus.cli.options import echo_plain, terminal_columns
from corpus.cli.traces.input import report_broken
from corpus.model.finding import Finding
from corpus.printing.grid import Grid, grid_text, plural
from corpus.traces.convert.document import read_document
from corpus.traces.training.score import EVERY, Label, Score, read_labels

_FILE = click.Path(exists=True, dir_okay=False)


@click.command()
@click.argument("predictions", metavar="PREDICTIONS", type=_FILE)
@click.option(
    "--labels",
    "sources",
    metavar="FILE",
    type=_FILE,
    multiple=True,
    required=True,
    help="CSV or JSON lines with trace, agent and step, or logs of Who&When.",
)
@click.option(
    "--within", metavar="K", type=click.IntRange(0), default=1, show_default=True,
    help="Also count steps that are at most K off.",
)  # fmt: skip
@click.pass_context
def score(ctx: click.Context, predictions: str, sources: tuple[str, ...], within: int) -> None:
    """Compare blamed agents and steps with labels.

    PREDICTIONS are JSON lines as `corpus trace blame` writes them: trace, agent and step, and
    optionally rule and framework. Where they list the agents and count the steps of the trace, a
    label that does not fit them is reported and left out. A prediction without agent or step
    counts as missed.
    """
    findings: list[Finding] = []
    labels: list[Label] = []
    for source in sources:
        labels += read_labels(Path(source), findings)
    document = read_document(Path(predictions))
    found = Score(labels, within, findings)
    found.add(predictions, document.rows)
    echo_plain(grid_text(score_grid(found), terminal_columns()))
    ctx.exit(report_broken([*document.findings, *findings, *found.unmatched()]))


def score_grid(found: Score) -> Grid:
    """Return the accuracy of each rule by framework, and of all where there are several."""
    frameworks = {name for name, _ in found.tallies if name != EVERY}
    shown = sorted(frameworks)
    if len(shown) > 1:
        shown.append(EVERY)
    lines: list[tuple[str, ...]] = []
    for framework in shown:
        for (name, rule), tally in found.tallies.items():
            if name != framework:
                continue
            shares = ["no prediction"] * 3
            if tally.predicted:
                hits = (tally.agent, tally.step, tally.near)
                shares = [_percent(one, tally.runs) for one in hits]
            lines.append((name, rule, f"{tally.runs:,}", f"{tally.predicted:,}", *shares))
    header = ("framework", "rule", "runs", "predicted", "agent", "step", f"within {found.within}")
    note = "Percentages of the labelled runs that are right, with 95 % intervals of Wilson."
    if found.unlabelled:
        note += f" Left out: {plural(found.unlabelled, 'prediction')} for runs without a label."
    title = "Accuracy of predictions"
    return Grid(title, header, tuple(lines), frozenset(range(2, 7)), note)


def _percent(hits: int, runs: int) -> str:
    found = raw_agreement(hits, runs)
    if found.value is None or found.low is None or found.high is None:
        return ""
    return f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}]"
