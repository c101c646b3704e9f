"""`corpus audit` with its subcommands, and `corpus agreement`."""

import os
from functools import partial

import click

from corpus.analysis.agreement.agreement import agreement_grids, agreement_json, agreement_reports
from corpus.analysis.audit.audit import ROLE, evidence_audit_grids, evidence_audits, evidence_sheet
from corpus.cli.commands import AUDIT
from corpus.cli.lazy import LazyGroup
from corpus.cli.options import echo, echo_report, format_option, option, study_option
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.tables.writing.atomic import write_atomic


@click.group(cls=LazyGroup, table=AUDIT)
def audit() -> None:
    """Draw evidence rows for a second reader, and report what the sample proves."""


@click.command()
@option("--size", "Draw this many rows.", type=click.IntRange(1), required=True)
@option("--seed", "Another text draws another sample.", default="1")
@option("--reader NAME", "Write this name into the sheet.", default="")
@option("-o --output FILE", "Write the sheet here.", required=True, type=click.Path(dir_okay=False))
@study_option
def plan(size: int, seed: str, reader: str, output: str, study: Study) -> None:
    """Draw rows of the evidence tables, and write the sheet to fill in.

    The draw depends on the seed and the keys of the rows alone, so that anyone can repeat it. A
    sheet that exists is never replaced.
    """
    if os.path.exists(output):
        raise UsageProblem(f"{output} exists already, perhaps with a reader's work in it")
    write_atomic(output, evidence_sheet(study, size, seed, reader))
    spec = study.table_of(ROLE).spec
    echo(f"{output}: {size} rows drawn. Fill it in, and add it to {spec.file}.\n")


@click.command()
@format_option("text", "markdown", "json")
@study_option
def report(format_: str, study: Study) -> None:
    """Bound the wrong evidence rows, from those that were drawn and checked.

    The bound is exact: with more wrong rows than it names, so few would be found in fewer than 5 %
    of all samples.
    """
    audits = evidence_audits(study)
    if not audits:
        raise UsageProblem("no evidence rows were drawn; `corpus audit plan` draws a sample")
    checked = [{**found._asdict(), "bound": found.most_wrong} for found in audits]
    document = {"evidence_rows": checked}
    grids = partial(evidence_audit_grids, audits)
    echo_report(format_, grids, json=partial(json_text, document))


@click.command()
@format_option("text", "markdown", "json")
@study_option
def agreement(format_: str, study: Study) -> None:
    """Measure how far the readers of the pool agree.

    For each table of the role "audit": raw agreement, Cohen's kappa, Gwet's AC1 and Krippendorff's
    alpha of every field with 95 % intervals, each disagreement, and what was not read.
    """
    reports = agreement_reports(study)
    if not reports:
        raise UsageProblem('no table of this corpus has the role "audit" and refers to the pool')
    grids = partial(agreement_grids, reports)
    echo_report(format_, grids, json=partial(agreement_json, reports))
