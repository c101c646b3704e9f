"""`corpus trace ingest`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from filelock import FileLock, Timeout

from corpus.cli.options import Texts, option, progress, report_findings, tell
from corpus.cli.traces.input import size_option
from corpus.model.extras import optional_package
from corpus.model.finding import UsageProblem
from corpus.printing.grid import plural
from corpus.tables.writing.atomic import naming, new_folders
from corpus.traces.store.ingest import Mapped, input_files
from corpus.traces.store.ingest import ingest as ingested
from corpus.traces.store.store import LOCK, Store


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@option("-o --output STORE", "Folder of the store.", "root", required=True, type=click.Path())
@option("--scheduler ADDRESS", "Run on the Dask cluster of this scheduler.")
@option("--local-cluster N", "Run in N processes on this machine.", type=click.IntRange(1))
@size_option
def ingest(
    files: Texts, root: str, scheduler: str | None, local_cluster: int | None, max_mb: int
) -> None:
    """Add traces to a store of Parquet files, any number of them.

    FILES are files, folders and quoted patterns. A trace is added once, recognised by its bytes, so
    the command may be killed and run again, and files may grow. Broken traces are reported on
    standard error and left out. See `corpus docs traces-at-scale`.
    """
    if "-" in files:
        raise UsageProblem(
            "a store is made of files, since a killed ingest reads them again; save the input first"
        )
    Store.refuse_foreign(root)
    paths = input_files(files, root)
    if not paths:
        raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(files)}")
    with _mapping(scheduler, local_cluster) as mapped, _locked(Path(root)):
        store = Store.make(root)
        # What a killed ingest left behind counts for nothing and is removed.
        store.sweep()
        size = sum(path.stat().st_size for path in paths if path.exists())
        with progress("ingesting", size) as advance:
            outcome = ingested(store, paths, max_mb << 20, report_findings, advance, mapped)
        store.sweep()
        parts = store.parts()
    traces = sum(part.rows["traces"] for part in parts)
    counts = [f"{plural(outcome['added'], 'trace')} added", f"{outcome['known']:,} known before"]
    if outcome["skipped"]:
        counts.append(f"{plural(outcome['skipped'], 'file')} known before")
    counts.append(f"{outcome['broken']:,} broken")
    contents = f"{plural(traces, 'trace')} in {plural(len(parts), 'part')}"
    tell(f"{', '.join(counts)}; {store.root} has {contents}")
    if outcome["broken"]:
        raise SystemExit(1)


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    """Lock the store, so that no other ingest writes to it."""
    try:
        with new_folders(str(root)), naming(str(root)), FileLock(root / LOCK, timeout=0):
            try:
                yield
            except BaseException:
                # An interrupt as well: an empty store would look like one that has been filled.
                Store.remove_unfilled(root)
                raise
    except Timeout:
        raise UsageProblem(f"another ingest is writing to {root}; wait for it to end") from None


@contextmanager
def _mapping(scheduler: str | None, workers: int | None) -> Iterator[Mapped | None]:
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
