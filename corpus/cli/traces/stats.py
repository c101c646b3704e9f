"""`corpus trace stats`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from corpus.cli.options import echo, format_option, output_option
from corpus.cli.traces.input import (
    files_argument,
    jobs_option,
    reading,
    refuse_inputs,
    report_broken,
    size_option,
    sound_runs,
)
from corpus.cli.traces.store import cluster_options, one_store, write_summary
from corpus.traces.measures import output as trace_lines

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.traces.batches import Item
    from corpus.traces.measures.baseline import Baseline


ENDINGS = {".csv": "csv", ".json": "json", ".parquet": "parquet"}
"""Formats that the name of an output asks for."""
AT_ONCE = 1_000
"""Findings that are written together."""


@click.command()
@files_argument
@click.option("--credit", is_flag=True, help="Say which units each reward channel can be attached to.")
@click.option("--baseline", metavar="TRACE", type=click.Path(exists=True), help="A single agent's run to compare with.")
@click.option("--success", metavar="NAME", help="Metric or reward (0 to 1) that says how well a run did.")
@output_option(metavar="FILE", help="Write here; .csv, .json, .parquet set the format.")
@click.option("--verify", is_flag=True, help="Of a store: hold its files against their digests first.")
@jobs_option
@cluster_options
@format_option("text", "json", "csv", "parquet")
@size_option
@click.pass_context
def stats(
    ctx: click.Context,
    files: tuple[str, ...],
    credit: bool,
    baseline: str | None,
    success: str | None,
    output: str | None,
    verify: bool,
    jobs: int,
    scheduler: str | None,
    local_cluster: int | None,
    format_: str,
    max_mb: int,
) -> None:
    """Measure traces: size, critical path, parallelism, steps, waste, cost per reward.

    One trace is shown in full, several as a summary; csv, json and parquet have one row a trace. Each measure is
    defined in docs/traces.md. Traces with errors are named on standard error and left out. Instead of files, one
    store (`corpus trace ingest`) may be named; it is summed up in bounded memory.
    """
    from corpus.model.finding import UsageProblem

    if store := one_store(files):
        if credit or baseline or success or output:
            raise UsageProblem("--credit, --baseline, --success and -o are for files, not for a store")
        write_summary(store, format_, verify, (scheduler, local_cluster))
        return
    if verify or scheduler or local_cluster:
        raise UsageProblem("--verify, --scheduler and --local-cluster are for a store; see corpus trace ingest")
    if output and ctx.get_parameter_source("format_") is ParameterSource.DEFAULT:
        format_ = ENDINGS.get(os.path.splitext(output)[1].lower(), format_)
    if format_ == "parquet" and not output:
        raise UsageProblem("--format parquet needs -o FILE")
    if credit and format_ not in ("text", "json"):
        raise UsageProblem("--credit is written as text or json")
    if success and not baseline:
        raise UsageProblem("--success says how well a run did beside a --baseline; name one")
    if credit and baseline:
        raise UsageProblem("--credit and --baseline are two questions; ask one at a time")
    refuse_inputs(files, output)
    told = Told(files, max_mb, jobs)
    pieces: Iterator[str | bytes]
    if credit:
        from corpus.traces.measures.credit import credited

        pieces = trace_lines.CREDIT_WRITERS[format_](told(credited))
    else:
        from corpus.traces.measures.rows import measured

        pieces = trace_lines.WRITERS[format_](told(partial(measured, baseline=_baseline(baseline, success, max_mb))))
    _deliver(pieces, output, format_)
    ctx.exit(1 if told.broken else 0)


class Told:
    """What is told of each sound trace of some files; the others are named on stderr as they come."""

    def __init__(self, files: tuple[str, ...], max_mb: int, jobs: int) -> None:
        self.files, self.max_mb, self.jobs = files, max_mb, jobs
        self.broken = 0
        self._untold: list[Finding] = []

    def __call__(self, work: Callable[[Item], Any]) -> Iterator[Any]:
        """Yield what `work` makes of each sound trace."""
        from corpus.traces.batches import Batches

        with reading(self.files, self.max_mb) as documents:
            for line in Batches(self.jobs, work)(documents):
                if line.findings:
                    self.broken += 1
                    self._tell(line.findings, AT_ONCE)
                else:
                    yield line
        self._tell([], 1)

    def _tell(self, findings: list[Finding], least: int) -> None:
        """Write findings to stderr once there are so many that a hint need not stand below each."""
        self._untold += findings
        if len(self._untold) >= least:
            report_broken(self._untold)
            self._untold.clear()


def _baseline(path: str | None, success: str | None, max_mb: int) -> Baseline | None:
    from corpus.model.finding import CorpusError, UsageProblem
    from corpus.traces.measures.baseline import Baseline

    if path is None:
        return None
    broken: list[Finding] = []
    runs = [run for _, run in sound_runs((path,), max_mb, broken)]
    if broken:
        raise CorpusError(broken)
    if len(runs) != 1:
        raise UsageProblem(f"--baseline takes one trace; {path} has {len(runs)}")
    return Baseline(runs[0], success)


def _deliver(pieces: Iterator[str | bytes], output: str | None, format_: str) -> None:
    """Write to a file, whole or not at all, or to standard output as the pieces come."""
    if output is not None:
        from corpus.tables.atomic import write_atomic

        write_atomic(output, pieces)
        return
    for piece in pieces:
        text = piece if isinstance(piece, str) else piece.decode()
        echo(text, format_)
