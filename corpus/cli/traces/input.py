"""What the trace commands share: arguments, and reading with a progress bar on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from corpus.cli.options import echo, option, progress
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.findings import findings_text
from corpus.printing.grid import plural
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.batches import Batches
from corpus.traces.contents import Contents
from corpus.traces.reading import runs
from corpus.traces.reading.reading import TraceText, documents, is_store, trace_files
from corpus.traces.reading.runs import of_run
from corpus.traces.run import Run

if TYPE_CHECKING:
    from corpus.traces.store.stats import Mapped

# Stores need pyarrow, which takes longer to load than most commands take on files. So every import
# of corpus.traces.store is in a function that runs only once a store is named.

DEFAULT_MB: Final = 512
#: Findings of a command that reports them last; the rest are counted.
SHOWN: Final = 10
#: Findings that are written together.
AT_ONCE: Final = 1_000
_Documents: TypeAlias = AbstractContextManager[Iterator[TraceText | Finding]]


def processors() -> int:
    """Return how many processors this process may use, at most four."""
    if hasattr(os, "sched_getaffinity"):
        known = len(os.sched_getaffinity(0))
    else:
        known = os.cpu_count() or 1
    return min(known, 4)


#: A file or folder that exists, or ``-`` for standard input.
READABLE: Final = click.Path(exists=True, allow_dash=True)
files_argument = click.argument("files", metavar="FILES...", nargs=-1, type=READABLE)
trace_option = option("--trace ID", "Choose this trace where the file has several.", "name")
size_option = option(
    "--max-mb", "Largest trace to read, expanded.", type=click.IntRange(1), default=DEFAULT_MB
)
jobs_option = option(
    "--jobs",
    "Processes for many traces; the number of processors by default.",
    type=click.IntRange(1),
    default=processors,
    show_default=False,
)


def refuse_inputs(inputs: Iterable[str], *outputs: str | None) -> None:
    """Refuse to overwrite a file that is read: a recorded run may be the only copy."""
    # By the file itself: a link, or another way to write its name, is the same recording.
    read = [Path(name) for name in inputs if Path(name).exists()]
    for output in outputs:
        if not output or not Path(output).exists():
            continue
        if any(path.samefile(output) for path in read):
            raise UsageProblem(f"{output} is an input; write to another file")


def cluster_options(command: Any) -> Any:
    """Add ``--scheduler`` and ``--local-cluster``."""
    remote = option("--scheduler ADDRESS", "Of a store: run on the Dask cluster of this scheduler.")
    help = "Of a store: run in N processes on this machine."
    return remote(option("--local-cluster N", help, type=click.IntRange(1))(command))


@contextmanager
def optional_package(extra: str) -> Iterator[None]:
    """Import an optional package in this context; where it is missing, its extra is named."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = f"pip install 'mas-rl-corpus[{extra}]'"
        raise UsageProblem(f"this needs {error.name}: {hint}") from None


@contextmanager
def mapping(scheduler: str | None, workers: int | None) -> Iterator[Mapped | None]:
    """Yield what maps functions over a cluster; None where no cluster is wanted."""
    if scheduler is None and workers is None:
        yield None
        return
    if scheduler is not None and workers is not None:
        raise UsageProblem("--scheduler and --local-cluster exclude each other")
    with optional_package("dask"):
        from corpus.traces.store.cluster import connected, local
    context = local(workers or 1) if scheduler is None else connected(scheduler)
    with context as cluster:
        yield cluster


def one_store(files: tuple[str, ...]) -> str | None:
    """Return the store, if the only file named is one."""
    # A store among files would be summed up beside them: it is asked alone.
    if len(files) == 1 and is_store(files[0]):
        return files[0]
    return None


@contextmanager
def reading(files: tuple[str, ...], max_mb: int) -> Iterator[Iterator[TraceText | Finding]]:
    """Read the documents of `files`; on a terminal, a progress bar on stderr shows how far."""
    if not files:
        raise UsageProblem("name at least one file or folder, or - for standard input")
    for name in files:
        if is_store(name):
            raise UsageProblem(
                f"{name} is a store: name it alone, in corpus trace stats or corpus trace query"
            )
    found = list(trace_files(files))
    if not found:
        raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(files)}")
    largest = max_mb << 20
    # Nobody knows how much will come from standard input.
    if found[0].name == "-":
        yield documents(found, largest, sys.stdin.buffer)
        return
    total = sum(path.stat().st_size for path in found if path.exists())
    with progress("reading", total, above=sys.stdout.isatty()) as advance:
        yield documents(found, largest, sys.stdin.buffer, advance)


@contextmanager
def documents_of(files: tuple[str, ...], max_mb: int) -> Iterator[Iterator[TraceText | Finding]]:
    """Read the traces of files, or of the only store."""
    root = one_store(files)
    if root is None:
        with reading(files, max_mb) as documents:
            yield documents
        return
    from corpus.traces.store.store import Store, stored

    store = Store(root)
    yield chain.from_iterable(stored(store, part) for part in store.parts())


def valid_runs(
    files: tuple[str, ...],
    max_mb: int,
    broken: list[Finding],
    source: Callable[[tuple[str, ...], int], _Documents] = reading,
) -> Iterator[tuple[TraceText, Run]]:
    """Yield each trace without errors; the findings of the others are added to `broken`.

    Where `source` is :func:`documents_of`, the only file may be a store.
    """
    with source(files, max_mb) as found:
        yield from runs.valid_runs(found, broken)


def contents_of(file: str = "") -> Contents:
    """Open a file of contents, or a temporary one, until the command ends.

    Raises
    ------
    CorpusError
        With a finding for each line that does not fit its hash.
    """
    contents = Contents(open(file, "rb") if file else None)  # noqa: SIM115 # the context closes it
    click.get_current_context().call_on_close(contents.close)
    findings = contents.take(file)
    if findings:
        raise CorpusError(findings)
    return contents


def report_broken(broken: list[Finding], most: int | None = None) -> bool:
    """Write findings to stderr, after `most` of them only their number; whether there are any."""
    if broken:
        click.echo(findings_text(broken[:most]), err=True, nl=False)
    if most is not None and len(broken) > most:
        click.echo(f"and {len(broken) - most:,} more findings", err=True)
    return bool(broken)


def deliver(pieces: Iterable[str | bytes], output: str | None, format_: str = "json") -> None:
    """Write to a file, whole or not at all, or to standard output as the pieces come."""
    if output is not None:
        # A file is whole or not there: half a table looks like a small one.
        write_atomic(output, pieces)
        return
    for piece in pieces:
        text = piece if isinstance(piece, str) else piece.decode()
        echo(text, format_)


class FileResults:
    """Results for each valid trace of some files; findings of the others go to `report`."""

    def __init__(
        self,
        files: tuple[str, ...],
        max_mb: int,
        jobs: int,
        report: Callable[[list[Finding]], object] = report_broken,
        source: Callable[[tuple[str, ...], int], _Documents] = reading,
    ) -> None:
        self.files = files
        self.max_mb = max_mb
        self.jobs = jobs
        self.report = report
        self.source = source
        self.broken = 0

    def __call__(self, function: Callable[[TraceText, Run], Any]) -> Iterator[Any]:
        """Yield the result of `function` for each valid trace."""
        batches = Batches(self.jobs, partial(of_run, function=function))
        unreported: list[Finding] = []
        with self.source(self.files, self.max_mb) as documents:
            for result in batches(documents):
                if not result.findings:
                    yield result.value
                    continue
                self.broken += 1
                unreported += result.findings
                # Together, so that equal hints are written once and not below each finding.
                if len(unreported) >= AT_ONCE:
                    self.report(unreported)
                    unreported.clear()
        self.report(unreported)


def one_run(file: str, max_mb: int, name: str | None = None, number: int | None = None) -> Run:
    """Read one trace of a file: the one called `name`, the one of this `number`, or the only one.

    Raises
    ------
    UsageProblem
        Where several traces fit, or none does.
    CorpusError
        Where a trace has errors, so that the one that is meant may be hidden by them.
    """
    broken: list[Finding] = []
    fitting = (
        run
        for _, run in valid_runs((file,), max_mb, broken)
        if name is None or name == run.trace.trace_id
    )
    which = f" {name!r}" if name else ""
    passed = len(list(islice(fitting, (number or 1) - 1)))
    found = next(fitting, None)
    if found is not None and number is None and next(fitting, None) is not None:
        if name:
            raise UsageProblem(f"{file} has several traces{which}")
        raise UsageProblem(f"{file} has several traces; choose one by --trace ID")
    # A name that was found is not hidden by broken traces; everything else may be.
    if broken and (found is None or (name is None and number is None)):
        raise CorpusError(broken)
    if found is None and passed:
        raise UsageProblem(f"{file} has {plural(passed, 'trace')}, not {number:,}")
    if found is None:
        raise UsageProblem(f"{file} has no trace{which}")
    return found
