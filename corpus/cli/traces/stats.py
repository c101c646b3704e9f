"""`corpus trace stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.core import ParameterSource

from corpus.cli.options import (
    EXISTING_FILE,
    echo,
    echo_grids,
    flag,
    format_option,
    option,
    output_option,
    tell,
    terminal_columns,
)
from corpus.cli.traces.input import (
    Traces,
    cluster_options,
    deliver,
    jobs_option,
    mapping,
    refuse_inputs,
    traces_argument,
)
from corpus.model.finding import CorpusError, UsageProblem, printable
from corpus.printing.grid import Grid
from corpus.printing.numerals import number
from corpus.traces.measures.baseline import Baseline
from corpus.traces.measures.credit import credited
from corpus.traces.measures.output import CREDIT_WRITERS, WRITERS, summary_grid
from corpus.traces.measures.prices import read_prices
from corpus.traces.measures.summary import MeasuredTrace, measured

if TYPE_CHECKING:
    from corpus.traces.store.stats import StoreSummary


@click.command()
@flag("--credit", "Show which units each reward channel can be attached to.")
@option(
    "--baseline TRACE", "Compare with this run of a single agent.", type=click.Path(exists=True)
)
@option("--success NAME", "Metric or reward (0 to 1) that tells how well a run did.")
@option(
    "--prices TABLE",
    "Price tokens by this CSV: model, kind, price of a million.",
    type=EXISTING_FILE,
)
@output_option("FILE", "Write here; .csv, .json, .parquet set the format.")
@flag("--verify", "Of a store: check its files against their digests.")
@jobs_option
@cluster_options
@format_option("text", "json", "csv", "parquet")
@traces_argument
@click.pass_context
def stats(
    ctx: click.Context,
    credit: bool,
    baseline: str | None,
    success: str | None,
    prices: str | None,
    output: str | None,
    verify: bool,
    jobs: int,
    scheduler: str | None,
    local_cluster: int | None,
    format_: str,
    traces: Traces,
) -> None:
    """Measure traces: critical path, parallelism, waste, cost, credit.

    One trace is shown in full, several as a summary; csv, json and parquet have one row per trace.
    Each measure is defined in `corpus docs traces`. Traces with errors are reported on standard
    error and left out. Instead of files, one store (`corpus trace ingest`) may be named; it is
    summed up in bounded memory.
    """
    # A store is summed up where it is; options that would need its traces again are refused.
    if traces.store is not None:
        is_summed = format_ in ("text", "json")
        if credit or baseline or success or prices or output or not is_summed:
            raise UsageProblem(
                "a store is summed up as text or json; --credit, --baseline, --success, --prices "
                "and -o are for files; rows are in traces/*.parquet (corpus docs traces-at-scale)"
            )
        from corpus.traces.store.stats import summary
        from corpus.traces.store.store import Store

        with mapping(scheduler, local_cluster) as mapped:
            whole = summary(Store(traces.store), mapped or map, verify)
        if format_ == "text":
            echo_grids(_store_grids(whole))
            return
        summary_of_all = whole.as_dict(
            events_by_type=whole.events, edges_by_type=whole.edges, tokens_by_type=whole.tokens
        )
        text = msgspec.json.encode({"store": {"parts": whole.parts}, "summary": summary_of_all})
        echo(msgspec.json.format(text, indent=2).decode(), format_)
        return
    if verify or scheduler or local_cluster:
        raise UsageProblem(
            "--verify, --scheduler and --local-cluster are for a store; see corpus trace ingest"
        )
    ending = Path(output or "").suffix.lower().removeprefix(".")
    if ending in WRITERS and ctx.get_parameter_source("format_") is ParameterSource.DEFAULT:
        format_ = ending
    if format_ == "parquet" and not output:
        raise UsageProblem("--format parquet needs -o FILE")
    if success and not baseline:
        raise UsageProblem("--success needs a --baseline to compare with")
    if credit and (baseline or prices or format_ not in CREDIT_WRITERS):
        raise UsageProblem("--credit goes with text or json, without --baseline and --prices")
    refuse_inputs(filter(None, (baseline, prices)), output)
    # Filled while the traces are written, and reported after them.
    unpriced: Counter[tuple[str, str]] = Counter()

    def noted(measures: Iterator[MeasuredTrace]) -> Iterator[MeasuredTrace]:
        for measured_trace in measures:
            for one in measured_trace.details.get("unpriced", ()):
                unpriced[one["model"], one["kind"]] += one["tokens"]
            yield measured_trace

    write: Any
    if credit:
        write = CREDIT_WRITERS[format_]
        found = traces.results(credited, jobs, at_once=True)
    else:
        write = WRITERS[format_]
        single = None
        if baseline is not None:
            of_one = Traces((baseline,), traces.max_mb)
            runs = [run for _, run in of_one.runs()]
            if of_one.broken:
                raise CorpusError(of_one.broken)
            if len(runs) != 1:
                raise UsageProblem(f"--baseline takes one trace; {baseline} has {len(runs)}")
            single = Baseline(runs[0], success)
        measure = partial(measured, baseline=single, prices=read_prices(prices) if prices else None)
        found = noted(traces.results(measure, jobs, at_once=True))
    if format_ == "text" and not output:
        write = partial(write, columns=terminal_columns())
    deliver(write(found), output, format_)
    # They make the price undefined.
    for (model, kind), tokens in sorted(unpriced.items()):
        name = printable(model) if model else "(model not stated)"
        tell(f"no price for {name} {kind}: {number(tokens)} tokens")
    traces.end()


def _store_grids(found: StoreSummary) -> list[Grid]:
    events = []
    for kind, count in found.events.items():
        events.append((kind, number(count), number(found.tokens.get(kind))))
    edges = [(kind, number(count)) for kind, count in found.edges.items()]
    right = frozenset({1, 2})
    return [
        summary_grid(found),
        Grid("", ("events by type", "events", "tokens"), tuple(events), right),
        Grid("", ("edges by type", "edges"), tuple(edges), right),
    ]
