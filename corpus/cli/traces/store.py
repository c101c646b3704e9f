"""`corpus trace ingest`, and what a store adds to `corpus trace stats`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from corpus.cli.options import echo
from corpus.cli.terminal_progress import progress
from corpus.cli.traces.input import size_option
from corpus.printing.grid import plural

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.traces.store.ingest import IngestOutcome, Piece, Task
    from corpus.traces.store.stats import Mapped
    from corpus.traces.store.store import Store


def cluster_options(command: Any) -> Any:
    """Add ``--scheduler`` and ``--local-cluster``."""
    command = click.option(
        "--local-cluster", metavar="N", type=click.IntRange(1), help="Of a store: do the work in N processes here."
    )(command)
    return click.option(
        "--scheduler", metavar="ADDRESS", help="Of a store: do the work on the Dask cluster of this scheduler."
    )(command)


@contextmanager
def mapping(scheduler: str | None, workers: int | None) -> Iterator[Mapped | None]:
    """Yield what maps functions over a cluster; None where none is asked for."""
    from corpus.model.finding import UsageProblem

    if scheduler is None and workers is None:
        yield None
        return
    if scheduler is not None and workers is not None:
        raise UsageProblem("--scheduler and --local-cluster exclude each other")
    try:
        from corpus.traces.store.cluster import connected, local
    except ModuleNotFoundError as error:
        raise UsageProblem(f"this needs {error.name}: pip install 'mas-rl-corpus[dask]'") from None
    with local(workers or 1) if scheduler is None else connected(scheduler) as cluster:
        yield cluster


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@click.option("-o", "--output", "root", metavar="STORE", required=True, type=click.Path(), help="Folder of the store.")
@cluster_options
@size_option
@click.pass_context
def ingest(
    ctx: click.Context, files: tuple[str, ...], root: str, scheduler: str | None, local_cluster: int | None, max_mb: int
) -> None:
    """Bring traces into a store: a folder of Parquet files that holds any number of them.

    FILES are files, folders and quoted patterns. A trace is taken up once, known by its bytes, so that the command may
    be killed and run again, and files may grow. Broken traces are named on standard error and left out. See
    docs/traces-at-scale.md.
    """
    from corpus.model.finding import UsageProblem
    from corpus.traces.reading.reading import Limits
    from corpus.traces.store.ingest import gather, input_files, plan
    from corpus.traces.store.store import Store

    if "-" in files:
        raise UsageProblem("a store is made of files, since a killed ingest reads them again; save the input first")
    Store.refuse_foreign(root)
    paths = input_files(files, root)
    if not paths:
        raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(files)}")
    with _held(root), mapping(scheduler, local_cluster) as mapped:
        store = Store.make(root)
        store.sweep()
        tasks = list(plan(store, paths, Limits(trace_bytes=max_mb << 20)))
        size = sum(path.stat().st_size for path in paths if path.exists())
        with progress("ingesting", size) as advance:
            outcome = gather(store, _pieces(tasks, advance, mapped), _report)
        store.sweep()
        click.echo(_says(store, outcome), err=True)
    ctx.exit(1 if outcome.broken else 0)


def _pieces(tasks: list[Task], advance: Callable[[int], None], mapped: Mapped | None) -> Iterator[Piece]:
    """Do the tasks on a cluster, or in this process, where every part counts as soon as it is written."""
    from corpus.traces.store.ingest import RunningTask, weight, work

    if mapped is None:
        for task in tasks:
            yield from RunningTask(task, advance).pieces()
        return
    for task, pieces in zip(tasks, mapped(work, tasks), strict=True):
        yield from pieces
        advance(weight(task))


@contextmanager
def _held(root: str) -> Iterator[None]:
    """Hold the store, so that no other ingest writes to it."""
    import os

    from filelock import FileLock, Timeout

    from corpus.model.finding import UsageProblem
    from corpus.tables.replacing import naming, new_folders
    from corpus.traces.store.store import LOCK, Store

    try:
        with new_folders(root), naming(root), FileLock(os.path.join(root, LOCK), timeout=0):
            try:
                yield
            except BaseException:
                Store.remove_unfilled(root)
                raise
    except Timeout:
        raise UsageProblem(f"another ingest is writing to {root}; wait for it to end") from None


def _report(findings: list[Finding]) -> None:
    from corpus.printing.findings import findings_text

    click.echo(findings_text(findings), err=True, nl=False)


def _says(store: Store, outcome: IngestOutcome) -> str:
    """Say in one line what an ingest did."""
    parts = store.parts()
    held = sum(part.rows["traces"] for part in parts)
    told = [f"{plural(outcome.added, 'trace')} added", f"{outcome.known:,} known before"]
    if outcome.skipped:
        told.append(f"{plural(outcome.skipped, 'file')} known before")
    told.append(f"{outcome.broken:,} broken")
    return f"{', '.join(told)}; {store.root} holds {plural(held, 'trace')} in {plural(len(parts), 'part')}"


def one_store(files: tuple[str, ...]) -> str | None:
    """Return the store that is meant, if the only file named is one."""
    import os

    return files[0] if len(files) == 1 and os.path.isfile(os.path.join(files[0], "store.json")) else None


def write_summary(root: str, format_: str, verify: bool, cluster: tuple[str | None, int | None]) -> None:
    """Write the measures of a whole store."""
    from corpus.model.finding import UsageProblem
    from corpus.traces.store.stats import here, summary
    from corpus.traces.store.store import Store

    if format_ not in ("text", "json"):
        problem = f"the rows of a store are {root}/traces/*.parquet already; see `corpus trace query`"
        raise UsageProblem(f"a store is summed up as text or json; {problem}")
    with mapping(*cluster) as mapped:
        found = summary(Store(root), mapped or here, verify)
    if format_ == "json":
        spreads = {name: spread._asdict() for name, spread in found.spreads().items()}
        counts = {"traces": found.traces, "stops": found.stops, "topologies": found.topologies}
        types = {"events_by_type": found.events, "edges_by_type": found.edges, "tokens_by_type": found.tokens}
        summed = {**counts, **types, "measures": spreads}
        import msgspec

        text = msgspec.json.encode({"store": {"parts": found.parts}, "summary": summed})
        echo(msgspec.json.format(text, indent=2).decode(), format_)
        return
    from corpus.printing.grid import Grid, grid_text
    from corpus.traces.measures.trace_tables import number, summary_grid

    kinds = tuple(
        (kind, number(count), number(found.tokens.get(kind)) if kind in found.tokens else "-")
        for kind, count in found.events.items()
    )
    edges = tuple((kind, number(count)) for kind, count in found.edges.items())
    right = frozenset({1, 2})
    grids = [
        summary_grid(found),
        Grid("", ("events by type", "events", "tokens"), kinds, right),
        Grid("", ("edges by type", "edges"), edges, right),
    ]
    echo("\n".join(grid_text(grid) for grid in grids))
