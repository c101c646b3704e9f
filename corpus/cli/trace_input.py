"""What the trace commands share: their arguments, and reading with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.trace.reading import Document
    from corpus.trace.run import Run

DEFAULT_MB = 512


def files_argument(command: Any) -> Any:
    """Add ``FILES...``: existing files and folders, or ``-``."""
    path = click.Path(exists=True, allow_dash=True)
    return click.argument("files", metavar="FILES...", nargs=-1, type=path)(command)


def size_option(command: Any) -> Any:
    """Add ``--max-mb``."""
    return click.option(
        "--max-mb",
        type=click.IntRange(1),
        default=DEFAULT_MB,
        show_default=True,
        help="Largest trace to read, unpacked.",
    )(command)


def jobs_option(command: Any) -> Any:
    """Add ``--jobs``; without it, the command gets the number of processors."""
    return click.option(
        "--jobs",
        type=click.IntRange(1),
        default=processors,
        help="Processes for many traces; the number of processors by default.",
    )(command)


def processors() -> int:
    """Return how many processors this process may use, at most four."""
    import os

    known = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(known or 1, 4)


@contextmanager
def reading(files: tuple[str, ...], max_mb: int) -> Iterator[Iterator[Document | Finding]]:
    """Read the documents of `files`; on a terminal a progress bar on stderr shows how far."""
    from corpus.model.finding import UsageProblem
    from corpus.trace.reading import Limits, documents, trace_files

    if not files:
        raise UsageProblem("name at least one file or folder, or - for standard input")
    found = list(trace_files(files))
    if not found:
        raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(files)}")
    limits = Limits(trace_bytes=max_mb << 20)
    stdin = sys.stdin.buffer
    if not sys.stderr.isatty() or found[0].name == "-":
        yield documents(found, limits, stdin)
        return
    from rich.console import Console
    from rich.progress import Progress

    # What goes to a terminal is written above the bar; what goes to a file or a pipe stays where it was sent.
    above = sys.stdout.isatty()
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=above, redirect_stderr=above) as bar:
        task = bar.add_task("reading", total=sum(path.stat().st_size for path in found if path.exists()))
        yield documents(found, limits, stdin, lambda count: bar.advance(task, count))


def sound_runs(files: tuple[str, ...], max_mb: int, broken: list[Finding]) -> Iterator[tuple[Document, Run]]:
    """Yield each trace without errors; what is wrong with the others goes to `broken`."""
    from corpus.trace.reading import Document
    from corpus.trace.validate import EACH, sound_run

    with reading(files, max_mb) as documents:
        for document in documents:
            if not isinstance(document, Document):
                broken.append(document)
                continue
            run, findings = sound_run(document)
            if run is None:
                broken.extend(findings[:EACH])
            else:
                yield document, run


def report_broken(broken: list[Finding]) -> int:
    """Write what could not be read to stderr; return the exit code."""
    if broken:
        from corpus.render.findings import findings_text

        click.echo(findings_text(broken), err=True, nl=False)
    return 1 if broken else 0


def one_run(file: str, max_mb: int, name: str | None = None) -> Run:
    """Read the only trace of a file, or the one called `name`; errors end the command."""
    from corpus.model.finding import CorpusError, UsageProblem

    broken: list[Finding] = []
    runs = [run for _, run in sound_runs((file,), max_mb, broken) if name in (None, run.trace.trace_id)]
    if broken and not (name and runs):
        raise CorpusError(broken)
    if len(runs) == 1:
        return runs[0]
    if not runs:
        raise UsageProblem(f"{file} has no trace {name!r}" if name else f"{file} has no trace")
    raise UsageProblem(
        f"{file} has {len(runs)} traces; name one with --trace ID" if not name else f"several are {name!r}"
    )
