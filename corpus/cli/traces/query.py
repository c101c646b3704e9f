"""`corpus trace query`."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from corpus.cli.options import echo, format_option

if TYPE_CHECKING:
    from corpus.traces.store.query import QueryResult


@click.command()
@click.argument("root", metavar="STORE", type=click.Path(exists=True))
@click.argument("question", metavar="SQL")
@click.option("--rows", type=click.IntRange(1), default=200, show_default=True, help="Rows that text shows at most.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=300, show_default=True, help="Seconds.")
@click.option("--memory", type=click.IntRange(50), default=2000, show_default=True, help="Megabytes for DuckDB.")
@format_option("text", "csv", "json")
def query(root: str, question: str, rows: int, timeout: float, memory: int, format_: str) -> None:
    """Ask a store in SQL (DuckDB): tables traces, events and edges, joined by digest.

    Read only: one SELECT, without access to other files, the network or extensions. The columns are listed by
    'DESCRIBE traces' and explained in docs/traces-at-scale.md.
    """
    from corpus.cli.traces.input import processors
    from corpus.model.finding import UsageProblem
    from corpus.printing.escape import terminal
    from corpus.traces.store.store import Store

    try:
        from corpus.traces.store.query import Bounds, ask
    except ModuleNotFoundError as error:
        raise UsageProblem(f"this needs {error.name}: pip install 'mas-rl-corpus[duckdb]'") from None
    write = {"text": lambda answer: _text(answer, rows), "csv": _csv, "json": _json}[format_]
    try:
        with ask(Store(root), question, Bounds(timeout, memory, processors())) as answer:
            for piece in write(answer):
                echo(piece, format_)
    except UsageProblem as problem:
        raise UsageProblem("\n".join(terminal(line) for line in str(problem).splitlines())) from None


def _text(answer: QueryResult, most: int) -> Iterator[str]:
    from corpus.printing.grid import Grid, grid_text

    found = list(islice(answer.rows, most + 1))
    note = f"only the first {most:,} rows are shown; see --rows and --format" if len(found) > most else ""
    cells = tuple(tuple(_cell(value) for value in row) for row in found[:most])
    numeric = frozenset(
        place for place in range(len(answer.columns)) if found and isinstance(found[0][place], int | float)
    )
    yield grid_text(Grid("", tuple(answer.columns), cells, numeric, note))


def _csv(answer: QueryResult) -> Iterator[str]:
    from corpus.printing.escape import csv_cell

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([csv_cell(name) for name in answer.columns])
    for row in answer.rows:
        writer.writerow([value if isinstance(value, int | float) else csv_cell(_cell(value)) for value in row])
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _json(answer: QueryResult) -> Iterator[str]:
    from corpus.model.finding import UsageProblem

    if len(set(answer.columns)) < len(answer.columns):
        raise UsageProblem("two columns have one name, which JSON cannot say; name them with AS")
    held = ""
    for row in answer.rows:
        values = dict(zip(answer.columns, map(_value, row), strict=True))
        yield f"{held},\n" if held else "[\n"
        held = "  " + json.dumps(values, ensure_ascii=False, default=str)
    yield f"{held}\n]\n" if held else "[]\n"


def _value(value: Any) -> Any:
    """Return a value as JSON has it: what is no number there is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell(value: Any) -> str:
    """Write a value as text; an absent one is empty."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
