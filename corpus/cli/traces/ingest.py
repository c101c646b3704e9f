"""`corpus trace ingest`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from filelock import FileLock, Timeout

from corpus.cli.terminal import progress
from corpus.cli.traces.input import report_broken, size_option
from corpus.cli.traces.store import cluster_options, mapping
from corpus.model.finding import UsageProblem
from corpus.printing.grid import plural
from corpus.tables.writing.atomic import naming, new_folders
from corpus.traces.reading.reading import Limits
from corpus.traces.store.ingest import (
    IngestOutcome,
    Piece,
    RunningTask,
    Task,
    gather,
    input_files,
    plan,
    weight,
    work,
)
from corpus.traces.store.stats import Mapped
from corpus.traces.store.store import LOCK, Store


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "root",
    metavar="STORE",
    required=True,
    type=click.Path(),
    help="Folder of the store.",
)
@cluster_options
@size_option
@click.pass_context
def ingest(
    ctx: click.Context,
    files: tuple[str, ...],
    root: str,
    scheduler: str | None,
    local_cluster: int | None,
    max_mb: int,
) -> None:
    """Add traces to a store of Parquet files, any number of them.

    FILES are files, folders and quoted patterns. A trace is added once, recognised by its bytes, so
    the command may be killed and run again, and files may grow. Broken traces are reported on
    standard error and left out. See docs/traces-at-scale.md.
    """
    if "-" in files:
        raise UsageProblem(
            "a store is made of files, since a killed ingest reads them again; save the input first"
        )
    Store.refuse_foreign(root)
    paths = input_files(files, root)
    if not paths:
        raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(files)}")
    with _locked(Path(root)), mapping(scheduler, local_cluster) as mapped:
        store = Store.make(root)
        # What a killed ingest left behind counts for nothing and is removed.
        store.sweep()
        limits = Limits(trace_bytes=max_mb << 20)
        tasks = list(plan(store, paths, limits))
        size = sum(path.stat().st_size for path in paths if path.exists())
        with progress("ingesting", size) as advance:
            outcome = gather(store, _pieces(tasks, advance, mapped), report_broken)
        store.sweep()
        click.echo(_summary(store, outcome), err=True)
    ctx.exit(1 if outcome.broken else 0)


def _pieces(
    tasks: list[Task], advance: Callable[[int], None], mapped: Mapped | None
) -> Iterator[Piece]:
    """Run the tasks on a cluster, or in this process, where a part counts once it is written."""
    if mapped is None:
        for task in tasks:
            yield from RunningTask(task, advance).pieces()
        return
    for task, pieces in zip(tasks, mapped(work, tasks), strict=True):
        yield from pieces
        advance(weight(task))


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    """Lock the store, so that no other ingest writes to it."""
    try:
        lock = FileLock(root / LOCK, timeout=0)
        with new_folders(str(root)), naming(str(root)), lock:
            try:
                yield
            except BaseException:
                # An interrupt as well: an empty store would look like one that has been filled.
                Store.remove_unfilled(root)
                raise
    except Timeout:
        raise UsageProblem(f"another ingest is writing to {root}; wait for it to end") from None


def _summary(store: Store, outcome: IngestOutcome) -> str:
    """Return in one line what an ingest did."""
    parts = store.parts()
    traces = sum(part.rows["traces"] for part in parts)
    counts = [f"{plural(outcome.added, 'trace')} added", f"{outcome.known:,} known before"]
    if outcome.skipped:
        counts.append(f"{plural(outcome.skipped, 'file')} known before")
    counts.append(f"{outcome.broken:,} broken")
    contents = f"{plural(traces, 'trace')} in {plural(len(parts), 'part')}"
    return f"{', '.join(counts)}; {store.root} has {contents}"
