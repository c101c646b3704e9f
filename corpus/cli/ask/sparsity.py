"""`corpus sparsity` and `corpus evidence`."""

import click

from corpus.analysis.evidence.tables import evidence_json, evidence_plans, evidence_tables
from corpus.analysis.sparsity.report import (
    sparsity_csv,
    sparsity_grids,
    sparsity_json,
    sparsity_report,
)
from corpus.cli.options import (
    Texts,
    axes_option,
    echo_report,
    format_option,
    option,
    study_option,
    top_option,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study


@click.command()
@axes_option(
    "Cross two axes; repeatable. Reports these instead of the codebook's cross-tabulations."
)
@option("--threshold", "Count a cell with 1 to this many entries as thin.", type=click.IntRange(0))
@top_option(12, "List at most this many gaps.")
@where_option
@format_option("text", "markdown", "latex", "csv", "json")
@study_option
def sparsity(
    by: tuple[tuple[str, str], ...],
    threshold: int | None,
    top: int,
    where: Texts,
    format_: str,
    study: Study,
) -> None:
    """Show empty and thin cells, strict readings and ranked gaps.

    Each gap has its nearest entries. Cells that mean "not applicable" and cells that the codebook
    declares impossible are not gaps. csv and json have every cell and, in csv by its rank, every
    gap.
    """
    book = study.codebook
    kept = study.where(parse_filters(where, book.pool, book))
    report = sparsity_report(kept, by, threshold)
    echo_report(
        format_,
        lambda: sparsity_grids(report, top),
        width=80,
        csv=lambda: sparsity_csv(report),
        json=lambda: sparsity_json(report),
    )


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@format_option("text", "markdown", "latex", "csv", "json")
@study_option
def evidence(names: Texts, format_: str, study: Study) -> None:
    """Print the evidence tables that the codebook declares.

    Judgements are crossed or listed as the section [evidence] of the codebook declares; NAME is one
    of its tables, all without one. What a table lacks is named below it.
    """
    plans = {plan.name: plan for plan in evidence_plans(study.codebook)}
    if not plans:
        raise UsageProblem("the codebook of this corpus has no section [evidence]")
    refuse_unknown("evidence table", names, plans)
    chosen = map(plans.__getitem__, dict.fromkeys(names or plans))
    tables = evidence_tables(study, chosen)
    grids = [table.grid for table in tables]
    echo_report(format_, lambda: grids, json=lambda: evidence_json(tables))
