"""`corpus diff`."""

from functools import partial

import click

from corpus.cli.options import data_option, echo, echo_report, flag, format_option, terminal_columns
from corpus.curation.changes import render
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import notes_of
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.note import Note
from corpus.model.finding import CorpusError
from corpus.tables.location import find_data


@click.command()
@click.argument("base", required=False)
@click.argument("head", required=False)
@flag("--all", "Print every line of the report, not only the most urgent ones.", "all_")
@format_option("text", "markdown", "json")
@data_option
def diff(base: str | None, head: str | None, all_: bool, format_: str, data: str | None) -> None:
    """Show what a change does to rows, counts, cells and claims.

    BASE and HEAD are git revisions, or folders with a corpus. Without HEAD the working tree is
    compared; without BASE, with the commit at which the current branch left the default branch.

    Where codebook or protocol differ, every entry that does is listed.

    Exit code 1 where the newer state has errors, which are then listed first.
    """
    try:
        delta = Delta.of(find_data(data, own=True), base, head)
        notes = notes_of(delta)
    except CorpusError as error:  # a codebook that cannot be read
        if format_ != "markdown":
            raise
        unread = Note("totals", "The states cannot be compared until this is fixed.")
        found = [finding_note("findings", finding) for finding in error.findings]
        echo(render.to_markdown([*found, unread]), format_)
        raise SystemExit(1) from None
    states = {
        "before": delta.before.label,
        "after": delta.after.label,
        "unread": sorted(delta.unread),
    }
    echo_report(
        format_,
        text=partial(render.to_text, notes, terminal_columns(), all_),
        json=partial(render.to_json, notes, states),
        markdown=partial(render.to_markdown, notes),
    )
    if any(note.is_error for note in notes) or any(one.is_error for one in delta.findings):
        raise SystemExit(1)
