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
from corpus.traces.view.run_data import RunText
from corpus.traces.view.viewer import MOST_RUNS, viewer_page


@click.command()
@click.argument("files", metavar="RUN...", nargs=-1, type=READABLE)
@output_option()
@option("--trace ID", "Show this trace only; repeatable.", "names", multiple=True)
@option(
    "--contents FILE",
    "Show the texts of this file, which `corpus trace convert --contents` wrote.",
    "contents_file",
)
@size_option
def view(
    files: Texts, output: str | None, names: Texts, contents_file: str | None, max_mb: int
) -> None:
    """Write a page to step through runs in a browser, alone or side by side.

    The page is one file, makes no request and works from disk. It shows a lane per agent over time
    with zoom, search, and the details of every event; the critical path, the decisions, what was
    wasted and how untrusted content spread. Of several runs, each is compared with the first.
    """
    refuse_inputs([*files, *filter(None, [contents_file])], output)
    contents = None
    if contents_file:
        contents = contents_of(contents_file)
    traces = Traces(files, max_mb)
    runs = []
    for document, run in traces.runs():
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
    deliver([viewer_page(runs)], output, "html")
