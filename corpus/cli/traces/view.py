"""`corpus trace view`."""

import click

from corpus.cli.options import Texts, option, output_option
from corpus.cli.traces.input import (
    READABLE,
    Traces,
    contents_of,
    deliver,
    refuse_inputs,
    size_option,
)
from corpus.model.finding import CorpusError, UsageProblem
from corpus.traces.training.credit import credit, variant
from corpus.traces.training.groups import Rollout, channel_of
from corpus.traces.view.run_data import RunText
from corpus.traces.view.viewer import MOST_RUNS, viewer_page


@click.command()
@click.argument("files", metavar="RUN...", nargs=-1, type=READABLE)
@output_option()
@option("--trace ID", "Show this trace only; repeatable.", "names", multiple=True)
@option(
    "--contents FILE",
    "Show the texts of this file of `corpus trace convert --contents`.",
    "contents_file",
)
@option("--credit SCHEME", "Show the advantages of a scheme, as in corpus trace rows.", "scheme")
@option("--channel NAME", "Reward channel of the credit.", default="")
@size_option
def view(
    files: Texts,
    output: str | None,
    names: Texts,
    contents_file: str | None,
    scheme: str | None,
    channel: str,
    max_mb: int,
) -> None:
    """Write a page to step through runs in a browser, alone or side by side.

    The page is one file, makes no request and works from disk. It shows a lane per agent over time
    with zoom, search, and the details of every event; the critical path, the decisions, what was
    wasted, how untrusted content spread, texts, rewards and the mistakes that people marked. Of
    several runs, each is compared with the first.
    """
    refuse_inputs([*files, *filter(None, [contents_file])], output)
    contents = None
    if contents_file:
        contents = contents_of(contents_file)
    traces = Traces(files, max_mb)
    runs = []
    rollouts = []
    for document, run in traces.runs():
        if scheme:
            # Also those that are not shown are compared.
            rollouts.append(Rollout(run))
        if not names or run.id in names:
            runs.append(RunText(document, run, contents))
        # The page refuses more; a file of a million traces need not be read to its end.
        if len(runs) > MOST_RUNS:
            break
    if traces.broken:
        raise CorpusError(traces.broken)
    found = [source.run.id for source in runs]
    missing = [repr(name) for name in names if name not in found]
    if missing or not runs:
        raise UsageProblem(f"no {' '.join(['trace', *missing])} in {', '.join(files)}")
    if scheme:
        credit(rollouts, variant(scheme, channel_of(rollouts, channel)))
        given = {id(one.run): one for one in rollouts}
        runs = [source._replace(advantages=_advantages(given[id(source.run)])) for source in runs]
    deliver([viewer_page(runs)], output, "html")


def _advantages(one: Rollout) -> dict[int, float]:
    """Return the advantages of steps by their events."""
    steps = zip(one.places, one.advantages, strict=True)
    return {place: advantage for place, advantage in steps if advantage is not None}
