"""`corpus accept`."""

from __future__ import annotations

import click

from corpus.cli.change.writing import change
from corpus.cli.options import completing, data_option, dry_run_option
from corpus.curation.check.accepted import accepted_rows
from corpus.curation.check.check import all_findings
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.tables.location import writable_data


@click.command()
@click.argument("code", shell_complete=completing("codes"))
@click.argument("key", shell_complete=completing("records"))
@click.argument("column", default="")
@click.option("--reason", required=True, metavar="TEXT", help="Why the warning is accepted.")
@dry_run_option("Write nothing; show the rows that would accept it.")
@data_option
def accept(code: str, key: str, column: str, reason: str, dry_run: bool, data: str | None) -> None:
    """Accept a warning of `corpus check`, with the reason.

    CODE is that of the warning, KEY the key of its row, COLUMN its column where only one is meant.
    The rows go into the corpus' table of accepted warnings.
    """
    folder = writable_data(data)

    def make(study: Study) -> dict[str, list[Row]]:
        return accepted_rows(study, all_findings(folder), code, key, column, reason)

    change(folder, make, dry_run)
