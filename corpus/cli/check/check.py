"""`corpus check`."""

from __future__ import annotations

import click

from corpus.analysis.claims.evaluate import DOCUMENT, claim_findings
from corpus.analysis.claims.releases import release_findings
from corpus.cli.check.catalogue import explain as explained
from corpus.cli.options import data_option, echo, format_option
from corpus.model.finding import CorpusError, Finding
from corpus.printing.findings import RENDERERS
from corpus.printing.grid import plural
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook, read_documents
from corpus.tables.location import find_data, shown_path


@click.command()
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@click.option(
    "--explain",
    metavar="CODE",
    help="Show what a finding's code means and how to fix it, and stop.",
)
@click.option(
    "--near-titles/--no-near-titles",
    default=True,
    show_default=True,
    help="Look for nearly equal titles.",
)
@format_option("text", "json", "github")
@data_option
def check(
    strict: bool, explain: str | None, near_titles: bool, format_: str, data: str | None
) -> None:
    """Validate every table and its cross-references.

    Findings go to stdout, sorted by place, each with a hint; the summary goes to stderr. Exit code
    1 where there is an error, or with --strict a warning. Accepted warnings are listed, with
    reasons, in the corpus' table of role "accepted".
    """
    if explain is not None:
        echo(explained(explain))
        return
    # Arrow is slow to load, and --help and --explain do without.
    from corpus.curation.check.check import check_corpus

    folder = find_data(data)
    found = check_corpus(folder, near_titles=near_titles)
    findings = sorted([*found, *_claim_findings(folder), *release_findings(folder)])
    report = RENDERERS[format_](findings)
    if report:
        echo(report, format_)
    click.echo(_summary(findings, shown_path(folder)), err=True)
    if any(finding.is_error or strict for finding in findings):
        raise SystemExit(1)


def _claim_findings(folder: str) -> list[Finding]:
    """Check the claims of a corpus that can be counted.

    Broken rows would break claims that are true.
    """
    try:
        documents = read_documents(folder, read_codebook(folder))
        return claim_findings(load_corpus(folder)) if DOCUMENT in documents.decoded else []
    except CorpusError:  # check_corpus reports it
        return []


def _summary(findings: list[Finding], folder: str) -> str:
    errors = sum(finding.is_error for finding in findings)
    warnings = len(findings) - errors
    if not findings:
        return f"{folder}: no findings"
    return f"{folder}: {plural(errors, 'error')}, {plural(warnings, 'warning')}"
