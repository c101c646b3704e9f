"""What the commands that change a corpus have in common: whom to ask, what to report."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from corpus.cli.change.asking import show
from corpus.cli.options import echo
from corpus.curation.edit.revision import (
    Make,
    MakeDocuments,
    Revision,
    no_documents,
    preview,
    revise,
)
from corpus.curation.lookup.services import by_hand, look_up
from corpus.curation.lookup.transport import Unreachable
from corpus.model.finding import Finding
from corpus.model.work import Work
from corpus.printing.escape import terminal
from corpus.printing.findings import findings_text
from corpus.printing.grid import cut, plural
from corpus.tables.location import shown_path

#: So many lines that mention a key are listed.
MENTIONS = 20


def fetched(reference: str) -> Work:
    """Ask the service that knows a reference.

    Without a connection, report it and take what the reference itself tells.
    """
    try:
        return look_up(reference)
    except Unreachable as error:
        show(f"{error.findings[0].message}; going on by hand")
        return by_hand(reference)


def change(
    folder: str,
    make: Make,
    dry_run: bool,
    gone: Sequence[str] = (),
    documents: MakeDocuments = no_documents,
    is_term: bool = False,
) -> Revision:
    """Write a change, or show the rows of a dry run; report what it moves.

    `gone` are names that nothing has afterwards: lines that still have them are listed. Where they
    are terms, which are words as well, lines of tables are not.
    """
    apply = preview if dry_run else revise
    revision = apply(folder, make, documents)
    report(revision)
    for name in gone:
        report_mentions(revision, name, not is_term)
    if dry_run:
        report_documents(revision)
        show_rows(revision)
    else:
        report_written(revision)
    return revision


def report(revision: Revision) -> None:
    """Report to stderr what a change moves, the most urgent first, and its new warnings."""
    lines = revision.consequences()
    click.echo("What changes:" if lines else "No count and no claim changes.", err=True)
    for line in lines:
        show(f"  {line}", indent=4)
    report_findings(revision.findings)


def report_written(revision: Revision, otherwise: str = "nothing changes") -> None:
    """Report to stderr which files were written."""
    written = f"written: {', '.join(revision.files)}"
    click.echo(written if revision.files else otherwise, err=True)


def report_documents(revision: Revision) -> None:
    """Report to stderr which codebook and documents a dry run would change."""
    if revision.documents:
        root = revision.before.root
        files = [shown_path(os.path.join(root, file)) for file in revision.documents]
        click.echo(f"Also changes: {', '.join(files)}", err=True)


def report_mentions(revision: Revision, key: str, in_tables: bool = True) -> None:
    """Report to stderr the lines that name a key which no entry has any more."""
    found = revision.mentions(key)
    if not in_tables:
        found = [mention for mention in found if mention.file.endswith(".toml")]
    if not found:
        return
    click.echo(terminal(f"Still named {key}, read these lines:"), err=True)
    for mention in found[:MENTIONS]:
        place = f"{mention.file}:{mention.line}"
        click.echo(terminal(f"  {place}: {cut(mention.where, 100)}"), err=True)
    more = len(found) - MENTIONS
    if more > 0:
        click.echo(f"  and {plural(more, 'line')} more", err=True)


def report_findings(findings: list[Finding]) -> None:
    """Write findings to stderr."""
    click.echo(findings_text(findings), err=True, nl=False)


def show_rows(revision: Revision) -> None:
    """Write the rows of a dry run to stdout; exit 1 where there are errors against them."""
    rows = revision.rows_csv()
    if rows:
        echo(rows, "csv")
    if revision.errors:
        raise SystemExit(1)
