"""`corpus agreement`."""

from __future__ import annotations

import click

from corpus.analysis.agreement import report as printed
from corpus.analysis.agreement.agreement import agreement_reports
from corpus.analysis.claims.evaluate import load_claims
from corpus.cli.options import echo, echo_plain, format_option, study_option, terminal_columns
from corpus.model.finding import UsageProblem
from corpus.model.study import Study


@click.command()
@format_option("text", "markdown", "json")
@study_option
def agreement(format_: str, study: Study) -> None:
    """Measure how far the readers of the pool agree.

    For each table of the role "audit": raw agreement, Cohen's kappa, Gwet's AC1 and Krippendorff's
    alpha of every field with 95 % intervals, each disagreement with the claims that the other tag
    would move, and what was not read.
    """
    reports = agreement_reports(study, load_claims(study).claims)
    if not reports:
        raise UsageProblem('no table of this corpus has the role "audit" and refers to the pool')
    if format_ == "json":
        echo(printed.agreement_json(reports), "json")
    elif format_ == "markdown":
        echo(printed.agreement_markdown(reports), "markdown")
    else:
        echo_plain(printed.agreement_text(reports, terminal_columns()))
