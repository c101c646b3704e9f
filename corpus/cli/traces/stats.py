"""`corpus trace stats`."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from corpus.cli.options import (
    EXISTING_FILE,
    echo,
    echo_grids,
    option,
    output_option,
    tell,
    terminal_columns,
)
from corpus.cli.traces.input import SHOWN, Traces, deliver, refuse_inputs, traces_argument
from corpus.model.finding import UsageProblem, printable
from corpus.printing.numerals import number
from corpus.traces.measures.output import WRITERS, summary_grid
from corpus.traces.measures.prices import read_prices
from corpus.traces.measures.summary import MeasuredTrace, measured


@click.command()
@option(
    "--prices TABLE",
    "Price tokens by this CSV: model, kind, price of a million.",
    type=EXISTING_FILE,
)
@output_option("FILE", "Write here; .csv and .json set the format.")
@option(
    "--format",
    "Else that of the ending of FILE, or text.",
    "kind",
    type=click.Choice(list(WRITERS)),
)
@traces_argument
def stats(prices: str | None, output: str | None, kind: str | None, traces: Traces) -> None:
    """Measure traces: critical path, parallelism, waste, cost.

    One trace is shown in full, several as a summary; csv and json have one row per trace.
    Each measure is defined in `corpus docs traces`. Traces with errors are reported on standard
    error and left out. Instead of files, one store (`corpus trace ingest`) may be named; it is
    summed up in bounded memory.
    """
    if traces.store is not None:
        if prices or output or kind == "csv":
            raise UsageProblem(
                "a store is summed up as text or json, without --prices and -o; its rows are in "
                "traces/*.parquet (corpus docs traces-at-scale)"
            )
        # A store needs pyarrow, which takes longer to load than most commands take on files.
        from corpus.traces.store.stats import summary
        from corpus.traces.store.store import Store

        whole = summary(Store(traces.store))
        if kind == "json":
            # A sum too large for a double is null, as JSON has no infinity.
            text = msgspec.json.encode({"summary": whole})
            echo(msgspec.json.format(text, indent=2).decode(), kind)
        else:
            echo_grids([summary_grid(whole)])
        return
    ending = Path(output or "").suffix.lower().removeprefix(".")
    format_ = kind or (ending if ending in WRITERS else "text")
    refuse_inputs(filter(None, (prices,)), output)
    table = read_prices(prices) if prices else None
    # Filled while the traces are written, and reported after them.
    unpriced: Counter[tuple[str, str]] = Counter()

    def measures() -> Iterator[MeasuredTrace]:
        for document, run in traces.runs():
            found = measured(document, run, table)
            for one in found.details.get("unpriced", ()):
                unpriced[one["model"], one["kind"]] += one["tokens"]
            yield found

    write: Any = WRITERS[format_]
    if format_ == "text" and not output:
        write = partial(write, columns=terminal_columns())
    deliver(write(measures()), output, format_)
    # They make the price undefined.
    for (model, kind), tokens in sorted(unpriced.items()):
        name = printable(model) if model else "(model not stated)"
        tell(f"no price for {name} {kind}: {number(tokens)} tokens")
    traces.end(SHOWN)
