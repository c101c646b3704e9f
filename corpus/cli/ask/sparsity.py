"""`corpus sparsity`."""

from __future__ import annotations

import os

import click

from corpus.analysis.sparsity import report as printed
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.cli.options import (
    axes_option,
    data_option,
    echo_report,
    format_option,
    top_option,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import CODEBOOK_FILE, find_data, shown_path


@click.command()
@axes_option(
    "Cross two axes; repeatable. Reports these instead of the codebook's cross-tabulations."
)
@click.option(
    "--threshold", type=click.IntRange(0), help="Count a cell with 1 to this many entries as thin."
)
@top_option(12, "List at most this many gaps.")
@where_option
@format_option("text", "markdown", "latex", "csv", "json")
@data_option
def sparsity(
    by: tuple[tuple[str, str], ...],
    threshold: int | None,
    top: int,
    where: tuple[str, ...],
    format_: str,
    data: str | None,
) -> None:
    """Show empty and thin cells, strict readings and ranked gaps.

    Each gap has its nearest entries. Cells that mean "not applicable" and cells that the codebook
    declares impossible are not gaps. csv and json have every cell and, in csv by its rank, every
    gap.
    """
    folder = find_data(data)
    study = load_corpus(folder)
    book = study.codebook
    codebook = shown_path(os.path.join(folder, CODEBOOK_FILE))
    plan = sparsity_plan(book, codebook)
    kept = study.where(parse_filters(where, book.pool, book))
    report = sparsity_report(kept, plan, by, threshold)
    echo_report(
        format_,
        lambda: printed.sparsity_grids(report, top),
        width=80,
        csv=lambda: printed.sparsity_csv(report),
        json=lambda: printed.sparsity_json(report),
    )
