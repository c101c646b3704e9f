"""`corpus check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corpus.cli.options import data_option, echo, format_option

if TYPE_CHECKING:
    from corpus.model.finding import Finding


@click.command()
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@click.option("--explain", metavar="CODE", help="Say what a finding's code means and how to mend it, and stop.")
@click.option(
    "--near-titles/--no-near-titles",
    default=True,
    show_default=True,
    help="Look for nearly equal titles.",
)
@format_option("text", "json", "github")
@data_option
def check(strict: bool, explain: str | None, near_titles: bool, format_: str, data: str | None) -> None:
    """Hold every table against the codebook and each other.

    Findings go to stdout, sorted by place, each with a hint; the summary goes to stderr. Exit code 1 where there is
    an error, or with --strict a warning. Accepted warnings stand, with reasons, in the corpus' table of role
    "accepted".
    """
    if explain is not None:
        from corpus.cli.check.catalogue import explain as explained

        echo(explained(explain))
        return
    from corpus.curation.check.check import check_corpus
    from corpus.printing.findings import RENDERERS
    from corpus.tables.location import find_data, shown_path

    folder = find_data(data)
    findings = sorted([*check_corpus(folder, near_titles=near_titles), *_claim_findings(folder)])
    report = RENDERERS[format_](findings)
    if report:
        echo(report, format_)
    click.echo(_summary(findings, shown_path(folder)), err=True)
    if any(finding.is_error or strict for finding in findings):
        raise SystemExit(1)


def _claim_findings(folder: str) -> list[Finding]:
    """Hold the claims against a corpus that can be counted; where rows are broken, what they yield says nothing."""
    from corpus.analysis.claims.evaluate import DOCUMENT, claim_findings
    from corpus.model.finding import CorpusError
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.documents import read_codebook, read_documents

    try:
        documents = read_documents(folder, read_codebook(folder))
        return claim_findings(load_corpus(folder)) if DOCUMENT in documents.decoded else []
    except CorpusError:  # said by check_corpus already
        return []


def _summary(findings: list[Finding], folder: str) -> str:
    errors = sum(finding.is_error for finding in findings)
    warnings = len(findings) - errors
    if not findings:
        return f"{folder}: no findings"

    def counted(number: int, noun: str) -> str:
        return f"{number} {noun}{'' if number == 1 else 's'}"

    return f"{folder}: {counted(errors, 'error')}, {counted(warnings, 'warning')}"
