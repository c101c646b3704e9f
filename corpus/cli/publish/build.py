"""`corpus build`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from corpus.cli.options import data_option, echo, format_option


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say which files are stale and why, and exit 1 if any is.")
@click.option(
    "--force",
    is_flag=True,
    help="Do the work even where nothing seems to have changed; draw every figure again where the pinned versions of "
    "the drawing libraries are installed.",
)
@click.option(
    "--out", metavar="DIR", type=click.Path(), help="Folder of figures/ and reports/; the one above data/ if not given."
)
@format_option("text", "json", "github")
@data_option
@click.pass_context
def build(ctx: click.Context, check: bool, force: bool, out: str | None, format_: str, data: str | None) -> None:
    """Write every generated file: all of figures/ and reports/.

    A file is written only where its content changes, so that a second run changes nothing. Nothing is done where the
    manifest records that data, program and files are as they were.

    --check compares texts with what would be written now, and figures with the SHA-256 in the manifest. --check --force
    draws the figures again and compares their bytes, so that an edit of a figure and of the manifest is found, too.
    """
    from corpus.publishing.outputs.manifest import is_current, root_of
    from corpus.tables.documents import read_codebook
    from corpus.tables.location import find_data

    folder = find_data(data)
    root = out or root_of(folder)
    if not (check or force) and is_current(root, folder, read_codebook(folder)):
        echo("nothing to do\n")
        return
    redraw = force and _can_redraw()
    if check:
        _check(ctx, folder, root, format_, redraw)
    else:
        _build(folder, root, redraw)


def _can_redraw() -> bool:
    """Return whether a figure that is drawn again has the same bytes; report why where it has not."""
    from corpus.canvas.versions import other_versions

    others = other_versions()
    if others:
        click.echo(
            f"figures are not drawn again, only compared with the manifest: {', '.join(others)}; constraints.txt "
            "has the versions that draw the same bytes",
            err=True,
        )
    return not others


def _check(ctx: click.Context, folder: str, root: str, format_: str, redraw: bool) -> None:
    from corpus.printing.findings import RENDERERS
    from corpus.publishing.outputs.build import stale
    from corpus.publishing.outputs.catalogue import artefacts
    from corpus.publishing.outputs.sources import Sources

    sources = Sources(folder)
    with _progress(len(artefacts(sources))) as step:
        findings = stale(sources, root, step, redraw)
    if findings or format_ == "json":
        echo(RENDERERS[format_](findings), format_)
    if findings:
        ctx.exit(1)
    if format_ == "text":
        echo("every generated file is current\n")


def _build(folder: str, root: str, redraw: bool) -> None:
    from corpus.printing.findings import findings_text
    from corpus.publishing.outputs.build import build as make
    from corpus.publishing.outputs.build import orphans
    from corpus.publishing.outputs.catalogue import artefacts
    from corpus.publishing.outputs.sources import Sources

    sources = Sources(folder)
    known = artefacts(sources)
    with _progress(len(known)) as step:
        built = make(sources, root, step, redraw)
    echo("".join(f"wrote {path}\n" for path in built.written) or "nothing changed\n")
    left = orphans(known, root)
    if left:
        click.echo(findings_text(left), err=True, nl=False)
    if not any(artefact.path.endswith(".pdf") and artefact.local for artefact in known):
        click.echo("no PDF of the appendix: no LaTeX engine found; `corpus render-appendix --format pdf` says how to "
                   "get one", err=True)  # fmt: skip


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on a terminal; say nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total + 1)

        def step(path: str) -> None:
            progress.update(task, advance=1, description=path)

        yield step
