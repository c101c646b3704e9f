"""`corpus trace reward`."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from corpus.cli.options import EXISTING_FILE, Texts, option, output_option, report_findings, tell
from corpus.cli.traces.input import Traces, deliver, refuse_inputs, traces_argument
from corpus.model.finding import CorpusError, UsageProblem
from corpus.printing.grid import plural
from corpus.traces.training.rewards import Rewards, read_rewards


@click.command()
@option(
    "--from FILE",
    "Rewards: a table, or results of Harbor or Inspect.",
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

    A table is CSV or JSON lines with a value for a trace (by its id or session); with agent, call
    or step, for this part of it. The traces are written with their rewards, one per line. A reward
    stays with what it was given for: none is divided among sub-agents. Where rewards contradict
    each other, nothing is written.
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
