"""`corpus sparsity`."""

from __future__ import annotations

import os

import click

from corpus.cli.options import data_option, echo, echo_plain, format_option, where_option


@click.command()
@click.option(
    "--by",
    nargs=2,
    multiple=True,
    metavar="ROWS COLUMNS",
    help="Cross these two axes; repeatable. Reports only them instead of the codebook's cross-tabulations.",
)
@click.option("--threshold", type=click.IntRange(0), help="A cell with 1 to this many entries is thin.")
@click.option("--top", type=click.IntRange(0), default=12, show_default=True, help="How many gaps to list.")
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
    """Show which cells of the declared vocabulary are empty or thin, and what stands nearest to each gap.

    Cells that mean "not applicable" and cells that the codebook declares impossible stand apart from true gaps. csv
    and json hold every cell and, in csv by its rank, every gap.
    """
    from corpus.analysis.sparsity import report as render
    from corpus.analysis.sparsity.plan import sparsity_plan
    from corpus.analysis.sparsity.summary import sparsity_report
    from corpus.model.filters import parse_filters
    from corpus.printing import grid
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import CODEBOOK_FILE, find_data, shown_path

    folder = find_data(data)
    corpus = load_corpus(folder)
    plan = sparsity_plan(corpus.codebook, shown_path(os.path.join(folder, CODEBOOK_FILE)))
    filters = parse_filters(where, corpus.codebook.pool, corpus.codebook)
    report = sparsity_report(corpus.where(filters), plan, by, threshold)
    if format_ == "text":
        echo_plain(render.sparsity_text(report, top))
    elif format_ == "csv":
        echo(render.sparsity_csv(report), format_)
    elif format_ == "json":
        echo(render.sparsity_json(report), format_)
    else:
        write = grid.grid_markdown if format_ == "markdown" else grid.grid_latex
        echo(write(render.sparsity_grids(report, top)), format_)
