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
    contents = contents_of(contents_file) if contents_file else None
    traces = Traces(files, max_mb)
    shown = []
    rollouts = []
    for document, run in traces.runs():
        if scheme:
            # Also those that are not shown are compared.
            rollouts.append(Rollout(run))
        if not names or run.id in names:
            shown.append((document, run))
        # The page refuses more; a file of a million traces need not be read to its end.
        if len(shown) > MOST_RUNS:
            break
    if traces.broken:
        raise CorpusError(traces.broken)
    missing = [repr(name) for name in names if name not in {run.id for _, run in shown}]
    if missing or not shown:
        raise UsageProblem(f"no {' '.join(['trace', *missing])} in {', '.join(files)}")
    if scheme:
        credit(rollouts, variant(scheme, channel_of(rollouts, channel)))
    # Of each run the advantages of its steps, by their events.
    given: dict[int, dict[int, float]] = {}
    for one in rollouts:
        steps = zip(one.places, one.advantages, strict=True)
        given[id(one.run)] = {place: number for place, number in steps if number is not None}
    runs = [RunText(*read, contents, given.get(id(read[1]), {})) for read in shown]
    deliver([viewer_page(runs)], output, "html")
