"""`corpus evidence`."""

from __future__ import annotations

import os

import click

from corpus.analysis.evidence.plan import EvidencePlan, evidence_plans
from corpus.analysis.evidence.report import evidence_grids, evidence_json
from corpus.analysis.evidence.tables import evidence_tables
from corpus.cli.options import (
    data_option,
    echo,
    echo_grids,
    echo_plain,
    format_option,
    terminal_columns,
)
from corpus.model.finding import UsageProblem
from corpus.model.suggestions import unknown
from corpus.printing.grid import grid_text
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
    if format_ == "json":
        echo(evidence_json(tables), format_)
        return
    grids = evidence_grids(tables)
    if format_ == "text":
        columns = terminal_columns()
        echo_plain("\n".join(grid_text(grid, columns) for grid in grids))
        return
    echo_grids(grids, format_)


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
