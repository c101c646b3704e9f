"""What the trace commands share: their arguments, and reading with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from corpus.printing.grid import plural

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.traces.reading.reading import TraceText
    from corpus.traces.run import Run

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


def refuse_inputs(inputs: Iterable[str], *outputs: str | None) -> None:
    """Refuse to write over a file that is read: a recorded run may be the only copy."""
    from os.path import exists, samefile

    from corpus.model.finding import UsageProblem

    read = [one for one in inputs if exists(one)]
    for output in outputs:
        if output and exists(output) and any(samefile(output, one) for one in read):
            raise UsageProblem(f"{output} is what is read; write to another file")


def processors() -> int:
    """Return how many processors this process may use, at most four."""
    import os

    known = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(known or 1, 4)


@contextmanager
def reading(files: tuple[str, ...], max_mb: int) -> Iterator[Iterator[TraceText | Finding]]:
    """Read the documents of `files`; on a terminal a progress bar on stderr shows how far."""
    from corpus.model.finding import UsageProblem
    from corpus.traces.reading.reading import Limits, documents, is_store, trace_files

    if not files:
        raise UsageProblem("name at least one file or folder, or - for standard input")
    if store := next(filter(is_store, files), None):
        raise UsageProblem(f"{store} is a store: ask it alone, with corpus trace stats or corpus trace query")
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


def sound_runs(files: tuple[str, ...], max_mb: int, broken: list[Finding]) -> Iterator[tuple[TraceText, Run]]:
    """Yield each trace without errors; what is wrong with the others goes to `broken`."""
    from corpus.traces.checks.validate import EACH, sound_run
    from corpus.traces.reading.reading import TraceText

    with reading(files, max_mb) as documents:
        for document in documents:
            if not isinstance(document, TraceText):
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
        from corpus.printing.findings import findings_text

        click.echo(findings_text(broken), err=True, nl=False)
    return 1 if broken else 0


def one_run(file: str, max_mb: int, name: str | None = None, number: int | None = None) -> Run:
    """Read one trace of a file: the one called `name`, the sound one of this `number`, or the only one.

    Nothing is chosen in silence: several ones, and errors that may hide the one that is meant, end the command.
    """
    from corpus.model.finding import CorpusError, UsageProblem

    broken: list[Finding] = []
    found = None
    count = 0
    for _, run in sound_runs((file,), max_mb, broken):
        if name not in (None, run.trace.trace_id):
            continue
        count += 1
        if count == number:
            return run
        if number is None and found is not None:
            raise UsageProblem(f"several are {name!r}" if name else f"{file} has several traces; name one: --trace ID")
        found = run
    if broken and (found is None or name is None):
        raise CorpusError(broken)
    if found is None:
        raise UsageProblem(f"{file} has no trace {name!r}" if name else f"{file} has no trace")
    if number is not None:
        raise UsageProblem(f"{file} holds {plural(count, 'trace')}, not {number:,}")
    return found
