"""`corpus trace ingest` and `corpus trace query`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from filelock import FileLock, Timeout

from corpus.cli.options import (
    EXISTING_FILE,
    Texts,
    format_option,
    option,
    progress,
    report_findings,
    tell,
    terminal_columns,
)
from corpus.cli.traces.input import (
    cluster_options,
    deliver,
    mapping,
    optional_package,
    processors,
    size_option,
)
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid, grid_text, plural, safe_csv
from corpus.printing.json_document import json_list
from corpus.tables.writing.atomic import naming, new_folders
from corpus.traces.measures.output import joined
from corpus.traces.measures.prices import read_prices
from corpus.traces.store.ingest import gather, input_files, pieces, plan, size_of
from corpus.traces.store.store import LOCK, Store


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@option("-o --output STORE", "Folder of the store.", "root", required=True, type=click.Path())
@cluster_options
@size_option
def ingest(
    files: Texts, root: str, scheduler: str | None, local_cluster: int | None, max_mb: int
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
        tasks = list(plan(store, paths, max_mb << 20))
        size = sum(map(size_of, paths))
        with progress("ingesting", size) as advance:
            outcome = gather(store, pieces(tasks, advance, mapped), report_findings)
        store.sweep()
        parts = store.parts()
        traces = sum(part.rows["traces"] for part in parts)
        counts = [
            f"{plural(outcome['added'], 'trace')} added",
            f"{outcome['known']:,} known before",
        ]
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


if TYPE_CHECKING:
    from corpus.traces.store.query import QueryResult


@click.command()
@click.argument("root", metavar="STORE", type=click.Path(exists=True))
@click.argument("question", metavar="SQL")
@option("--rows", "Show at most this many rows as text.", type=click.IntRange(1), default=200)
@option(
    "--timeout",
    "Stop after this many seconds.",
    type=click.FloatRange(0, min_open=True),
    default=300,
)
@option(
    "--memory", "Let DuckDB use at most this many megabytes.", type=click.IntRange(50), default=2000
)
@option(
    "--prices TABLE",
    "CSV of model, kind and price of a million tokens; adds prices to the table spending.",
    type=EXISTING_FILE,
)
@format_option("text", "csv", "json")
def query(
    root: str,
    question: str,
    rows: int,
    timeout: float,
    memory: int,
    prices: str | None,
    format_: str,
) -> None:
    """Query a store in SQL: its traces, events and edges.

    DuckDB answers; the tables are joined by digest.

    The table spending has the tokens of each trace, agent and model, and their price with --prices.
    Read only: one SELECT, without access to other files, the network or extensions. The columns are
    listed by 'DESCRIBE traces' and explained in docs/traces-at-scale.md.
    """
    with optional_package("duckdb"):
        from corpus.traces.store.query import ask
    table = None if prices is None else read_prices(prices)
    with ask(Store(root), question, timeout, memory, processors(), table) as answer:
        if format_ == "json":
            pieces = _json(answer)
        elif format_ == "text":
            pieces = _answer_text(answer, rows)
        else:
            lines = (safe_csv([map(_plain, row)]) for row in answer.rows)
            pieces = joined(chain([safe_csv([answer.columns])], lines))
        deliver(pieces, None, format_)


def _answer_text(answer: QueryResult, most: int) -> Iterator[str]:
    found = list(islice(answer.rows, most + 1))
    note = ""
    # One row more than is shown was asked for, which tells that there are more.
    if len(found) > most:
        note = f"only the first {most:,} rows are shown; see --rows and --format"
    cells = [tuple(map(str, map(_plain, row))) for row in found[:most]]
    # The columns of an answer have one type each, so the first row tells it.
    first = enumerate(found[0] if found else ())
    numeric = frozenset(place for place, value in first if isinstance(value, int | float))
    grid = Grid("", tuple(answer.columns), tuple(cells), numeric, note)
    yield grid_text(grid, terminal_columns())


def _json(answer: QueryResult) -> Iterator[str]:
    if len(set(answer.columns)) < len(answer.columns):
        raise UsageProblem(
            "two columns have the same name, which JSON does not allow; rename one with AS"
        )
    yield "[\n"
    rows = (dict(zip(answer.columns, map(_json_value, row), strict=True)) for row in answer.rows)
    yield from json_list((json.dumps(row, ensure_ascii=False, default=str) for row in rows), "  ")
    yield "]\n"


def _json_value(value: Any) -> Any:
    """Return a value as JSON has it: infinity and NaN become null, keys of a map texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return list(map(_json_value, value))
    if isinstance(value, dict):
        # DuckDB has maps whose keys are days or numbers; JSON has texts only.
        return {str(key): _json_value(item) for key, item in value.items()}
    return value


def _plain(value: Any) -> Any:
    """Return a number as it is, anything else as text; an absent value is empty."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(_json_value(value), ensure_ascii=False, default=str)
    return value if isinstance(value, int | float) else str(value)
