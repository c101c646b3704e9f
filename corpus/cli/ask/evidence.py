"""`corpus evidence`."""

from __future__ import annotations

import os

import click

from corpus.analysis.evidence.plan import EvidencePlan, evidence_plans
from corpus.analysis.evidence.report import evidence_grids, evidence_json
from corpus.analysis.evidence.tables import evidence_tables
from corpus.cli.options import data_option, echo_report, format_option
from corpus.model.finding import UsageProblem
from corpus.model.suggestions import unknown
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import CODEBOOK_FILE, find_data, shown_path


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@format_option("text", "markdown", "latex", "csv", "json")
@data_option
def evidence(names: tuple[str, ...], format_: str, data: str | None) -> None:
    """Print the evidence tables that the codebook declares.

    Judgements are crossed or listed as the section [evidence] of the codebook declares; NAME is one
    of its tables, all without one. What a table lacks is named below it.
    """
    folder = find_data(data)
    study = load_corpus(folder)
    codebook = shown_path(os.path.join(folder, CODEBOOK_FILE))
    plans = _chosen(names, evidence_plans(study.codebook, codebook))
    tables = evidence_tables(study, plans)
    echo_report(format_, lambda: evidence_grids(tables), json=lambda: evidence_json(tables))


def _chosen(names: tuple[str, ...], plans: tuple[EvidencePlan, ...]) -> tuple[EvidencePlan, ...]:
    by_name = {plan.name: plan for plan in plans}
    if not plans:
        raise UsageProblem("the codebook of this corpus has no section [evidence]")
    for name in names:
        if name not in by_name:
            raise UsageProblem(unknown("evidence table", name, by_name))
    if not names:
        return plans
    return tuple(by_name[name] for name in dict.fromkeys(names))
