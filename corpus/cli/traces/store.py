"""What a store adds to the trace commands: its options, a cluster, and its summary.

Stores need pyarrow, which takes longer to load than most commands take on files. So every import of
:mod:`corpus.traces.store` is inside a function that runs only once a store is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
import msgspec

from corpus.cli.options import echo, echo_grids, option
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid
from corpus.printing.numerals import number
from corpus.traces.measures.output import summary_grid
from corpus.traces.reading.reading import is_store

if TYPE_CHECKING:
    from corpus.traces.store.stats import Mapped, StoreSummary


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


def write_summary(
    root: str, format_: str, verify: bool, cluster: tuple[str | None, int | None]
) -> None:
    """Write the measures of a whole store."""
    from corpus.traces.store.stats import here, summary
    from corpus.traces.store.store import Store

    if format_ not in ("text", "json"):
        raise UsageProblem(
            "the summary of a store is written as text or json; "
            f"its rows are {root}/traces/*.parquet already; see `corpus trace query`"
        )
    with mapping(*cluster) as mapped:
        found = summary(Store(root), mapped or here, verify)
    if format_ == "json":
        echo(_json(found), format_)
    else:
        echo_grids(_grids(found))


def _json(found: StoreSummary) -> str:
    summary = {
        "traces": found.traces,
        "stops": found.stops,
        "topologies": found.topologies,
        "events_by_type": found.events,
        "edges_by_type": found.edges,
        "tokens_by_type": found.tokens,
        "measures": {name: spread._asdict() for name, spread in found.spreads().items()},
    }
    text = msgspec.json.encode({"store": {"parts": found.parts}, "summary": summary})
    return msgspec.json.format(text, indent=2).decode()


def _grids(found: StoreSummary) -> list[Grid]:
    events = []
    for kind, count in found.events.items():
        tokens = number(found.tokens.get(kind))
        events.append((kind, number(count), tokens))
    edges = [(kind, number(count)) for kind, count in found.edges.items()]
    right = frozenset({1, 2})
    events_header = ("events by type", "events", "tokens")
    edges_header = ("edges by type", "edges")
    return [
        summary_grid(found),
        Grid("", events_header, tuple(events), right),
        Grid("", edges_header, tuple(edges), right),
    ]
