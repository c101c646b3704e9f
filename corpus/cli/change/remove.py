"""`corpus remove`."""

from __future__ import annotations

import click

from corpus.cli.change.writing import change
from corpus.cli.options import cascade_option, data_option, dry_run_option
from corpus.curation.edit.renaming import declared_mentions, mentions
from corpus.curation.edit.rows import refuse_references, removed
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import terminal
from corpus.printing.grid import plural
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import writable_data


@click.command()
@click.argument("key")
@click.option(
    "--force", is_flag=True, help="Remove it all the same; nothing will tell that it was here."
)
@cascade_option
@dry_run_option("Write nothing; show what the removal changes.")
@data_option
def remove(key: str, force: bool, cascade: bool, dry_run: bool, data: str | None) -> None:
    """Remove an entry without a record; `corpus exclude` keeps one.

    A paper that was looked at and not kept belongs in the exclusion log, with a reason. So this
    removes an entry only with --force, such as one that was added by mistake. Lines that name it
    are listed; where evidence or an audit refers to it, this needs --cascade, and a codebook that
    names it is corrected first.
    """
    folder = writable_data(data)
    corpus = load_corpus(folder)
    corpus.entry(key)  # refuses an unknown key, with the nearest ones
    if not force and not dry_run:
        _propose_exclusion(corpus, key)
    if not cascade:
        refuse_references(corpus, key)
    declared = declared_mentions(corpus, key)
    if declared:
        places = ", ".join(f"{mention.file}:{mention.line}" for mention in declared)
        raise UsageProblem(f"{places} names {key}; correct the codebook first")

    def make(now: Study) -> dict[str, list[tuple[str, ...]]]:
        now.entry(key)
        return removed(now, key)

    change(folder, make, dry_run, gone=[key])


def _propose_exclusion(corpus: Study, key: str) -> None:
    """Show how many lines name an entry, and raise UsageProblem with what to do instead."""
    found = mentions(corpus.root, key)
    by_file: dict[str, int] = {}
    for mention in found:
        by_file[mention.file] = by_file.get(mention.file, 0) + 1
    click.echo(terminal(f"{key} is named in:"), err=True)
    for file, number in by_file.items():
        click.echo(terminal(f"  {file}: {plural(number, 'line')}"), err=True)
    if corpus.codebook.by_role("exclusions"):
        raise UsageProblem(
            f"corpus exclude {key} moves it into the exclusion log, with a reason; "
            f"corpus remove {key} --force removes it without a record"
        )
    raise UsageProblem(
        "this corpus keeps no exclusion log, so nothing would tell that the entry was here; "
        f"corpus remove {key} --force removes it all the same"
    )
