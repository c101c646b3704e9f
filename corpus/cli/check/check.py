"""`corpus check`."""

from __future__ import annotations

import click

from corpus.cli.check.catalogue import explain as explained
from corpus.cli.options import completing, data_option, echo, format_option
from corpus.model.finding import CorpusError, Finding
from corpus.printing.findings import RENDERERS, findings_json
from corpus.printing.grid import plural
from corpus.tables.location import find_data, shown_path


@click.command()
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@click.option(
    "--explain",
    metavar="CODE",
    shell_complete=completing("codes"),
    help="Show what a finding's code means and how to fix it, and stop.",
)
@click.option(
    "--since",
    metavar="REVISION",
    help="Count what was accepted since then as not accepted, as for a proposed change.",
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
    strict: bool,
    explain: str | None,
    since: str | None,
    near_titles: bool,
    format_: str,
    data: str | None,
) -> None:
    """Validate every table and its cross-references.

    Findings go to stdout, sorted by place, each with a hint; the summary goes to stderr. Exit code
    1 where there is an error, or with --strict a warning. A to-do, such as a row that a new entry
    still lacks, fails nothing until a release. `corpus accept` lists a warning, with the
    reason, in the corpus' table of role "accepted".
    """
    if explain is not None:
        echo(explained(explain))
        return
    # Arrow is slow to load, and --help and --explain do without.
    from corpus.curation.check.check import all_findings

    folder = find_data(data)
    unaccepted: frozenset[tuple[str, int]] = frozenset()
    proposed: list[Finding] = []
    if since is not None:
        # git, and the comparison of two states, are for proposed changes alone.
        from corpus.curation.changes.proposed import proposed_acceptances, proposed_findings
        from corpus.tables.git.repository import folder_snapshot, named_snapshot

        study = folder_snapshot(folder).corpus
        before = named_snapshot(since, folder, may_lack=True).corpus
        unaccepted = proposed_acceptances(before, study)
        proposed = proposed_findings(study, unaccepted)
    findings = sorted([*all_findings(folder, near_titles, unaccepted), *proposed])
    if format_ == "json":
        report = findings_json(findings, _names(findings, folder))
    else:
        report = RENDERERS[format_](findings)
    if report:
        echo(report, format_)
    click.echo(_summary(findings, shown_path(folder)), err=True)
    if any(finding.is_error or (strict and not finding.is_todo) for finding in findings):
        raise SystemExit(1)


def _names(findings: list[Finding], folder: str) -> dict[Finding, str]:
    """Return the keys of the rows; none where the codebook cannot be read."""
    # Only a document for programs has them.
    from corpus.curation.edit.acceptance import row_names
    from corpus.tables.corpus_reader import read_corpus

    try:
        study, _ = read_corpus(folder)
    except CorpusError:
        return {}
    return row_names(findings, study)


def _summary(findings: list[Finding], folder: str) -> str:
    errors = sum(finding.is_error for finding in findings)
    todos = sum(finding.is_todo for finding in findings)
    if not findings:
        return f"{folder}: no findings"
    numbers = [plural(errors, "error"), plural(len(findings) - errors - todos, "warning")]
    if todos:
        numbers.append(plural(todos, "to-do"))
    return f"{folder}: {', '.join(numbers)}"
