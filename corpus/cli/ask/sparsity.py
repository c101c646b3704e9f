"""`corpus sparsity` and `corpus evidence`."""

import click

from corpus.analysis.evidence.tables import evidence_json, evidence_plans, evidence_tables
from corpus.analysis.sparsity.sparsity_report import (
    TOP,
    sparsity_grids,
    sparsity_json,
    sparsity_report,
)
from corpus.cli.options import (
    Texts,
    axes_option,
    echo,
    echo_grids,
    echo_report,
    flag,
    format_option,
    option,
    study_option,
    terminal_columns,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study
from corpus.printing.grid import Grid, grid_blocks


@click.command()
@axes_option("Cross two axes, instead of the codebook's pairs; repeatable.")
@option("--threshold", "Count a cell with 1 to this many entries as thin.", type=click.IntRange(0))
@option("--top", "List at most this many gaps; 5, or 12 with --all.", type=click.IntRange(0))
@flag("--all", "Show every table, not the gaps alone.", "all_")
@where_option
@format_option("text", "markdown", "latex", "json")
@study_option
def sparsity(
    by: tuple[tuple[str, str], ...],
    threshold: int | None,
    top: int | None,
    all_: bool,
    where: Texts,
    format_: str,
    study: Study,
) -> None:
    """Show empty and thin cells, strict readings and ranked gaps.

    The gaps that are widest come first, each with its nearest entries; --all adds the tables of
    terms and pairs, which every other format and --by have anyway. Cells that mean "not applicable"
    and cells that the codebook declares impossible are not gaps. JSON has every cell and gap.
    """
    book = study.codebook
    kept = study.where(parse_filters(where, book.pool, book))
    report = sparsity_report(kept, by, threshold)
    if format_ == "text" and not (all_ or by):
        gaps = sparsity_grids(report, 5 if top is None else top)[-1]
        echo(grid_blocks(gaps, terminal_columns() or 80))
        echo("\nEvery table: corpus sparsity --all\n")
        return
    top = TOP if top is None else top
    echo_report(
        format_, lambda: sparsity_grids(report, top), width=80, json=lambda: sparsity_json(report)
    )


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@flag("--all", "Print all of them.", "all_")
@format_option("text", "markdown", "latex", "csv", "json")
@study_option
def evidence(names: Texts, all_: bool, format_: str, study: Study) -> None:
    """Print the evidence tables that the codebook declares.

    Judgements are crossed or listed as the section [evidence] of the codebook declares. Without
    NAME the tables are listed; other formats have all of them then. What a table lacks is named
    below it.
    """
    plans = {plan.name: plan for plan in evidence_plans(study.codebook)}
    if not plans:
        raise UsageProblem("the codebook of this corpus has no section [evidence]")
    refuse_unknown("evidence table", names, plans)
    chosen = map(plans.__getitem__, dict.fromkeys(names or plans))
    tables = evidence_tables(study, chosen)
    grids = [table.grid for table in tables]
    if format_ == "text" and not (names or all_):
        rows = [(table.name, table.grid.title, str(len(table.grid.rows))) for table in tables]
        index = Grid("Evidence tables", ("name", "title", "rows"), tuple(rows), {2})
        echo_grids([index], 80, "\nOne of them: corpus evidence NAME. All: corpus evidence --all\n")
        return
    echo_report(format_, lambda: grids, json=lambda: evidence_json(tables))
