"""`corpus trace draw`."""

import sys
from pathlib import Path

import click

from corpus.cli.options import echo, echo_bytes, option, output_option
from corpus.cli.traces.input import DEFAULT_MB, READABLE, one_run, refuse_inputs, trace_option
from corpus.model.finding import UsageProblem
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.draw import FORMATS, LAYOUTS
from corpus.traces.draw import draw as draw_run

ENDINGS = {"": "text", "txt": "text"}


@click.command()
@click.argument("file", metavar="TRACE", type=READABLE)
@option(
    "--format",
    "Format of the picture; by default that of the ending of OUT.",
    "format_",
    type=click.Choice(FORMATS),
)
@option(
    "--layout",
    "Size of a figure: as the run needs, a slide of 16:9, or a column of a paper.",
    type=click.Choice(LAYOUTS),
    default="auto",
)
@output_option()
@trace_option
def draw(file: str, format_: str | None, layout: str, output: str | None, name: str | None) -> None:
    """Draw a trace: who acted when, what spawned whom, what the run waited for.

    There is one lane per agent. The critical path is bold, untrusted content that reached a trusted
    event is red, a wasted spawn is hatched, and what was inferred is dashed or hollow. A run too
    large for this is drawn on one page all the same: agents of one role, depth and spawner share a
    lane, strokes take the place of symbols, and arrows are bundled with their number. Without OUT
    and a format, the picture is text for the terminal.
    """
    # Without an ending there is nothing to tell a format by; text can be read anywhere.
    ending = Path(output or "").suffix.lower().removeprefix(".")
    kind = format_ or ENDINGS.get(ending, ending)
    if kind not in FORMATS:
        known = ", ".join((*FORMATS, *filter(None, ENDINGS)))
        raise UsageProblem(f"unknown picture format {ending}; end with {known}, or give --format")
    refuse_inputs((file,), output)
    run = one_run(file, DEFAULT_MB, name)
    picture = draw_run(run, kind, layout)
    if output:
        write_atomic(output, picture)
    elif kind == "text":
        echo(picture.decode(), kind)
    else:
        if sys.stdout.isatty():
            raise UsageProblem(f"{kind} cannot be shown in a terminal; name a file with -o")
        echo_bytes(picture)
