"""`corpus check`."""

import click

from corpus.cli.check.catalogue import explain as explained
from corpus.cli.options import (
    data_option,
    dry_run_option,
    echo,
    echo_findings,
    flag,
    format_option,
    option,
    tell,
)
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.findings import counts
from corpus.printing.grid import plural
from corpus.tables.location import find_data, shown_path
from corpus.tables.writing.lock import writable_data


@click.command()
@flag("--strict", "Warnings fail as well.")
@option("--explain CODE", "Show what a code (or all) means and how to fix it, and stop.")
@option("--since REVISION", "Count what was accepted since then as not accepted.")
@option("--near-titles/--no-near-titles", "Look for nearly equal titles.", default=True)
@flag("--fix", "Repair what has one right answer, then check.")
@flag("--yes", "With --fix: do not ask.")
@dry_run_option("With --fix: show the difference and write nothing.")
@format_option("text", "json", "github")
@data_option
def check(
    strict: bool,
    explain: str | None,
    since: str | None,
    near_titles: bool,
    fix: bool,
    yes: bool,
    dry_run: bool,
    format_: str,
    data: str | None,
) -> None:
    """Validate every table and its cross-references.

    Findings go to stdout, sorted by place, each with a hint; the summary goes to stderr. Exit code
    1 where there is an error, or with --strict a warning. A to-do, such as a row that a new entry
    still lacks, fails nothing until a release. `corpus accept` lists a warning, with the
    reason, in the corpus' table of role "accepted".

    --fix repairs the canonical form of tables, spellings of names that differ in spaces and full
    stops, and rows that are equal in every cell. It shows the difference and asks.
    """
    if (yes or dry_run) and not fix:
        raise UsageProblem("--yes and --dry-run go with --fix")
    if explain is not None:
        echo(explained(explain, format_))
        return
    # Arrow is slow to load, and --help and --explain do without.
    from corpus.curation.check.check import check_corpus

    folder = writable_data(data) if fix else find_data(data, own=True)
    if fix:
        _fix(folder, yes, dry_run)
    unaccepted: frozenset[tuple[str, int]] = frozenset()
    proposed: list[Finding] = []
    if since is not None:
        # git, and the comparison of two states, are for proposed changes alone.
        from corpus.curation.changes.delta import Delta
        from corpus.curation.changes.effects import gate_findings

        delta = Delta.of(folder, since)
        unaccepted = delta.waivers
        proposed = gate_findings(delta)
    found = check_corpus(folder, None, near_titles, unaccepted=unaccepted, complete=True)
    findings = [*found, *proposed]
    echo_findings(format_, findings)
    errors, warnings, todos = counts(findings).values()
    numbers = ["no findings"]
    if findings:
        numbers = [plural(errors, "error"), plural(warnings, "warning")]
    if todos:
        numbers.append(plural(todos, "to-do"))
    tell(f"{shown_path(folder)}: {', '.join(numbers)}")
    if errors or (strict and warnings):
        raise SystemExit(1)


def _fix(folder: str, yes: bool, dry_run: bool) -> None:
    """Show what can be repaired without a person, and write it where that is wanted."""
    from corpus.curation.edit.fixes import difference, fixed_tables
    from corpus.tables.documents import read_codebook
    from corpus.tables.writing.journal import replace_tables
    from corpus.tables.writing.lock import locked

    book = read_codebook(folder)
    texts = fixed_tables(folder, book)
    if texts:
        tell(difference(texts))
    if not texts or dry_run:
        return
    if not yes:
        click.confirm("Write this?", default=True, abort=True, err=True)
    with locked(folder, book):
        replace_tables(folder, fixed_tables(folder, book))
