"""What the trace commands share: arguments, and reading with a progress bar on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from corpus.cli.options import option, progress
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.findings import findings_text
from corpus.printing.grid import plural
from corpus.traces.batches import Batches
from corpus.traces.contents import Contents
from corpus.traces.reading import runs
from corpus.traces.reading.reading import Limits, TraceText, documents, is_store, trace_files
from corpus.traces.reading.runs import of_run
from corpus.traces.run import Run

if TYPE_CHECKING:
    from corpus.traces.store.stats import Mapped

# Stores need pyarrow, which takes longer to load than most commands take on files. So every import
# of corpus.traces.store is in a function that runs only once a store is named.

DEFAULT_MB: Final = 512
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
    command = option(
        "--local-cluster N",
        "Of a store: run in N processes on this machine.",
        type=click.IntRange(1),
    )(command)
    return option("--scheduler ADDRESS", "Of a store: run on the Dask cluster of this scheduler.")(
        command
    )


@contextmanager
def mapping(scheduler: str | None, workers: int | None) -> Iterator[Mapped | None]:
    """Yield what maps functions over a cluster; None where no cluster is wanted."""
    if scheduler is None and workers is None:
        yield None
        return
    if scheduler is not None and workers is not None:
        raise UsageProblem("--scheduler and --local-cluster exclude each other")
    try:
        # Dask is an optional package.
        from corpus.traces.store.cluster import connected, local
    except ModuleNotFoundError as error:
        hint = "pip install 'mas-rl-corpus[dask]'"
        raise UsageProblem(f"this needs {error.name}: {hint}") from None
    context = local(workers or 1) if scheduler is None else connected(scheduler)
    with context as cluster:
        yield cluster


def one_store(files: tuple[str, ...]) -> str | None:
    """Return the store, if the only file named is one."""
    # A store among files would be summed up beside them: it is asked alone.
    if len(files) != 1:
        return None
    (only,) = files
    return only if is_store(only) else None


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
    limits = Limits(trace_bytes=max_mb << 20)
    # Nobody knows how much will come from standard input.
    if found[0].name == "-":
        yield documents(found, limits, sys.stdin.buffer)
        return
    total = sum(path.stat().st_size for path in found if path.exists())
    with progress("reading", total, above=sys.stdout.isatty()) as advance:
        yield documents(found, limits, sys.stdin.buffer, advance)


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
    files: tuple[str, ...], max_mb: int, broken: list[Finding]
) -> Iterator[tuple[TraceText, Run]]:
    """Yield each trace without errors; the findings of the others are added to `broken`."""
    with reading(files, max_mb) as found:
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


def report_broken(broken: list[Finding]) -> int:
    """Write findings to stderr, if any; return the exit code."""
    if not broken:
        return 0
    click.echo(findings_text(broken), err=True, nl=False)
    return 1


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
        self._unreported: list[Finding] = []

    def __call__(self, function: Callable[[TraceText, Run], Any]) -> Iterator[Any]:
        """Yield the result of `function` for each valid trace."""
        batches = Batches(self.jobs, partial(of_run, function=function))
        with self.source(self.files, self.max_mb) as documents:
            for result in batches(documents):
                if not result.findings:
                    yield result.value
                    continue
                self.broken += 1
                self._unreported += result.findings
                # Together, so that equal hints are written once and not below each finding.
                if len(self._unreported) >= AT_ONCE:
                    self._report()
        self._report()

    def _report(self) -> None:
        self.report(self._unreported)
        self._unreported.clear()


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
    found = None
    count = 0
    for _, run in valid_runs((file,), max_mb, broken):
        if name is not None and name != run.trace.trace_id:
            continue
        count += 1
        if count == number:
            return run
        if number is None and found is not None:
            if name:
                raise UsageProblem(f"{file} has several traces {name!r}")
            raise UsageProblem(f"{file} has several traces; choose one by --trace ID")
        found = run
    # A name that was found is not hidden by broken traces; everything else may be.
    if broken and (found is None or name is None):
        raise CorpusError(broken)
    if found is None:
        which = f" {name!r}" if name else ""
        raise UsageProblem(f"{file} has no trace{which}")
    if number is not None:
        raise UsageProblem(f"{file} has {plural(count, 'trace')}, not {number:,}")
    return found
