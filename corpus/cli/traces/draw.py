"""`corpus trace draw`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corpus.cli.options import echo, echo_bytes, output_option

if TYPE_CHECKING:
    from corpus.traces.run import Run

FORMATS = ("svg", "pdf", "png", "mermaid", "text")
ENDINGS = {
    ".svg": "svg",
    ".pdf": "pdf",
    ".png": "png",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".txt": "text",
    "": "text",
}


@click.command()
@click.argument("file", metavar="TRACE", type=click.Path(exists=True, allow_dash=True))
@click.option("--format", "format_", type=click.Choice(FORMATS), help="What to write; by default what OUT ends with.")
@click.option(
    "--view", type=click.Choice(("swimlane", "graph")), default="swimlane", show_default=True, help="Picture."
)
@output_option(metavar="OUT", help="Write here instead of to standard output.")
@click.option("--trace", "name", metavar="ID", help="Which trace, where the file has several.")
@click.option("--number", type=click.IntRange(1), help="The same by its place among the sound traces of the file.")
def draw(file: str, format_: str | None, view: str, output: str | None, name: str | None, number: int | None) -> None:
    """Draw one trace: who was there when, what made whom, what the run waited for.

    A swimlane has one lane an agent; the graph has every event and every edge. The critical path is bold, untrusted
    content that reached a trusted place is red, a wasted spawn is hatched, and what was inferred is dashed or hollow.
    Without OUT and a format, the picture is text for the terminal.
    """
    from corpus.cli.traces.input import DEFAULT_MB, one_run, refuse_inputs

    kind = format_ or _kind(output)
    refuse_inputs((file,), output)
    run = one_run(file, DEFAULT_MB, name, number)
    picture = _draw(run, kind, view)
    if output:
        from corpus.tables.atomic import write_atomic

        write_atomic(output, picture)
    elif kind in ("text", "mermaid"):
        echo(picture.decode(), kind)
    else:
        _to_stdout(picture, kind)
    if kind in ("svg", "pdf", "png"):
        _say_codes(run, view)


def _kind(output: str | None) -> str:
    """Return the format that the name of the output asks for."""
    from pathlib import Path

    from corpus.model.finding import UsageProblem

    ending = Path(output).suffix.lower() if output else ""
    if ending not in ENDINGS:
        raise UsageProblem(f"{ending} names no picture; end with {', '.join(filter(None, ENDINGS))}, or give --format")
    return ENDINGS[ending]


def _draw(run: Run, kind: str, view: str) -> bytes:
    from corpus.traces.draw import draw as drawn

    return drawn(run, kind, view)


def _say_codes(run: Run, view: str) -> None:
    from corpus.printing.escape import terminal
    from corpus.traces.draw import coded

    if letters := coded(run, view):
        shown = ", ".join(f"{terminal(letter)} (U+{ord(letter):04X})" for letter in letters[:8])
        more = f" and {len(letters) - 8} more" if len(letters) > 8 else ""
        click.echo(f"drawn as codes, since the typeface lacks them: {shown}{more}; --format text has them", err=True)


def _to_stdout(picture: bytes, kind: str) -> None:
    from corpus.model.finding import UsageProblem

    if sys.stdout.isatty():
        raise UsageProblem(f"{kind} is not for a terminal; name a file with -o")
    echo_bytes(picture)
