"""The account of what was read from a file of others, as commands show it."""

from __future__ import annotations

import click

from corpus.curation.importing.account import Account
from corpus.printing.escape import terminal

verbose_option = click.option(
    "--verbose", is_flag=True, help="List what looks like a work in FILE and did not arrive."
)


def show_account(account: Account, verbose: bool, name: str = "") -> None:
    """Print the account in one line; with `verbose` each place that it does not account for."""
    before = f"{name}: " if name else ""
    click.echo(terminal(f"{before}{account.line()}"), err=True)
    if verbose:
        for detail in account.details():
            click.echo(terminal(f"  {detail}"), err=True)
