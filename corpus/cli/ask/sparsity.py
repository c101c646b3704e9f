"""`corpus sparsity` and `corpus evidence`."""

import click

from corpus.analysis.evidence.tables import (
    EvidencePlan,
    evidence_grids,
    evidence_json,
    evidence_plans,
    evidence_tables,
)
from corpus.analysis.sparsity import report as printed
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.summary import sparsity_report
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
from corpus.model.finding import UsageProblem, unknown
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
    report = sparsity_report(kept, sparsity_plan(book), by, threshold)
    echo_report(
        format_,
        lambda: printed.sparsity_grids(report, top),
        width=80,
        csv=lambda: printed.sparsity_csv(report),
        json=lambda: printed.sparsity_json(report),
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
    tables = evidence_tables(study, _chosen(names, evidence_plans(study.codebook)))
    echo_report(format_, lambda: evidence_grids(tables), json=lambda: evidence_json(tables))


def _chosen(names: Texts, plans: tuple[EvidencePlan, ...]) -> tuple[EvidencePlan, ...]:
    by_name = {plan.name: plan for plan in plans}
    if not plans:
        raise UsageProblem("the codebook of this corpus has no section [evidence]")
    for name in names:
        if name not in by_name:
            raise UsageProblem(unknown("evidence table", name, by_name))
    return tuple(map(by_name.__getitem__, dict.fromkeys(names or by_name)))
