"""`corpus audit`: the list of its subcommands, none of which is imported before it is run."""

from __future__ import annotations

import click

from corpus.cli.lazy import LazyGroup

COMMANDS = {
    "plan": (
        "audit.plan:plan",
        "Draw entries for a second reader, and write the sheet to fill in.",
    ),
    "report": (
        "audit.report:report",
        "Bound the wrong tags, and show which claims the bound protects.",
    ),
}


@click.group(cls=LazyGroup, sections={"Commands": COMMANDS})
def audit() -> None:
    """Draw entries for a second reader, and report what the sample proves."""
