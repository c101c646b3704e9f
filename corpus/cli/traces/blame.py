"""`corpus trace blame`, `corpus trace score` and `corpus trace reward`."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from corpus.analysis.agreement.coefficients import raw_agreement
from corpus.cli.options import (
    EXISTING_FILE,
    Texts,
    echo_grids,
    option,
    output_option,
    report_findings,
    tell,
)
from corpus.cli.traces.input import Traces, deliver, refuse_inputs, traces_argument
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.grid import Grid, plural
from corpus.traces.document import read_document
from corpus.traces.training.blame import EVERY, Label, blamed, read_labels, scored
from corpus.traces.training.rewards import Rewards, read_rewards


@click.command()
@output_option()
@traces_argument
def blame(output: str | None, traces: Traces) -> None:
    """Name the step to blame for a failure: the first of the most active agent.

    One JSON line for each trace has the agent and the step, of which the orchestrator is left out;
    null where nobody else took a step. The rule needs no model: it is what a method has to surpass.
    `corpus trace score` compares both with labels. FILES may be one store instead.
    """
    rows = (json.dumps(blamed(run)) + "\n" for _, run in traces.runs())
    deliver(rows, output)
    traces.end()


@click.command()
@click.argument("predictions", metavar="PREDICTIONS", type=EXISTING_FILE)
@option(
    "--labels FILE",
    "CSV or JSON lines with trace, agent and step, or logs of Who&When.",
    "sources",
    type=EXISTING_FILE,
    multiple=True,
    required=True,
)
@option("--within K", "Also count steps that are at most K off.", type=click.IntRange(0), default=1)
def score(predictions: str, sources: Texts, within: int) -> None:
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
    tallies, unlabelled = scored(labels, predictions, document.rows, within, findings)
    echo_grids([score_grid(tallies, unlabelled, within)])
    if report_findings([*document.findings, *findings]):
        raise SystemExit(1)


def score_grid(tallies: dict[tuple[str, str], Counter[str]], unlabelled: int, within: int) -> Grid:
    """Return the accuracy of each rule by framework, and of all where there are several."""
    has_several = len({name for name, _ in tallies} - {EVERY}) > 1
    lines = []
    for name, rule in sorted(tallies, key=lambda of: (of[0] == EVERY, of[0])):
        if name == EVERY and not has_several:
            continue
        tally = tallies[name, rule]
        shares = ["no prediction"] * 3
        if tally["predicted"]:
            found = (raw_agreement(tally[key], tally["runs"]) for key in ("agent", "step", "near"))
            shares = [f"{one.value:.1%} [{one.low:.1%}, {one.high:.1%}]" for one in found]
        lines.append((name, rule, f"{tally['runs']:,}", f"{tally['predicted']:,}", *shares))
    header = ("framework", "rule", "runs", "predicted", "agent", "step", f"within {within}")
    note = "Percentages of the labelled runs that are right, with 95 % intervals of Wilson."
    if unlabelled:
        note += f" Left out: {plural(unlabelled, 'prediction')} for runs without a label."
    return Grid("Accuracy of predictions", header, tuple(lines), frozenset(range(2, 7)), note)


@click.command()
@option(
    "--from FILE",
    "Rewards: a table, or results of Harbor, Inspect or tau2.",
    "sources",
    multiple=True,
    required=True,
    type=EXISTING_FILE,
)
@option("--trace ID", "All rewards are of this trace.", "name", default="")
@output_option("OUT", "Write here instead of to standard output; .jsonl for several.")
@traces_argument
def reward(sources: Texts, name: str, output: str | None, traces: Traces) -> None:
    """Write rewards that were given elsewhere into traces.

    A table is CSV or JSON lines with a value for a trace (by its id or session), or for the only
    trace of a task; with agent, call or step, for this part of it. The traces are written with
    their rewards, one per line. A reward stays with what it was given for: none is divided among
    sub-agents. Where rewards contradict each other, nothing is written.
    """
    refuse_inputs(sources, output)
    rows = []
    for source in sources:
        rows += read_rewards(Path(source), name)
    rewards = Rewards(rows)
    doubts = []

    def rewarded() -> Iterator[str]:
        for number, (document, run) in enumerate(traces.runs()):
            if number and output is not None and output.endswith(".json"):
                raise UsageProblem(
                    "a .json file has one trace; let OUT end with .jsonl for several"
                )
            trace = json.loads(document.raw)
            doubts.extend(rewards.attach(trace, run))
            yield json.dumps(trace, allow_nan=False) + "\n"
        # All contradictions are reported, so all traces were read.
        if any(one.is_error for one in doubts):
            raise CorpusError(doubts)

    # On standard output, not even the first traces are written then.
    deliver(list(rewarded()) if output is None else rewarded(), output)
    left = list(rewards.unmatched())
    report_findings([*traces.broken, *doubts, *left])
    tell(f"{plural(len(rows) - len(left), 'reward')} of {len(rows):,} matched")
    if traces.broken:
        raise SystemExit(1)
