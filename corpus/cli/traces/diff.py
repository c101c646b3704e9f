"""`corpus trace diff`."""

from __future__ import annotations

import click

from corpus.cli.options import echo, flag, format_option, option, terminal_columns
from corpus.cli.traces.input import READABLE, one_run, size_option
from corpus.model.finding import UsageProblem
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid, grid_text
from corpus.printing.json_document import json_text
from corpus.printing.numerals import number
from corpus.traces.difference import Difference, compare
from corpus.traces.reading.structure import shown


@click.command()
@click.argument("left", metavar="A", type=READABLE)
@click.argument("right", metavar="B", type=READABLE)
@option(
    "--trace ID",
    "Choose this trace in both files; give it twice to choose in A, then in B.",
    "names",
    multiple=True,
)
@flag("--exit-code", "Exit with 1 where the two differ.")
@format_option("text", "json")
@size_option
def diff(
    left: str, right: str, names: tuple[str, ...], exit_code: bool, format_: str, max_mb: int
) -> None:
    """Compare two traces: where they diverge, which measures differ.

    Events are compared in happened-before order by type, agent, role, sender, receiver, tool,
    content and trust; ids and times may differ.
    """
    if len(names) > 2:
        raise UsageProblem("give --trace once for both files, or once for each")
    # One name is that of the trace in both files.
    left_name = names[0] if names else None
    right_name = names[-1] if names else None
    left_run = one_run(left, max_mb, left_name)
    right_run = one_run(right, max_mb, right_name)
    found = compare(left_run, right_run)
    if format_ == "json":
        echo(_json(found), format_)
    else:
        echo(_text(found, left, right))
    # Without --exit-code a difference is an answer, not a failure.
    differ = bool(found.divergence or found.changes)
    if exit_code and differ:
        raise SystemExit(1)


def _json(found: Difference) -> str:
    divergence = None
    if found.divergence:
        keys = {key: list(both) for key, both in found.divergence.keys.items()}
        divergence = {**found.divergence._asdict(), "keys": keys}
    document = {
        "common_events": found.common,
        "divergence": divergence,
        "changes": [change._asdict() for change in found.changes],
    }
    return json_text(document)


def _text(found: Difference, left: str, right: str) -> str:
    head = terminal(_headline(found, left, right))
    if not found.changes:
        return f"{head}\nNo measure differs.\n"
    rows = []
    for change in found.changes:
        row = (shown(change.name), number(change.left), number(change.right), number(change.change))
        rows.append(row)
    header = ("measure", left, right, "change")
    changes = Grid("", header, tuple(rows), frozenset({1, 2, 3}))
    return f"{head}\n\n{grid_text(changes, terminal_columns())}"


def _headline(found: Difference, left: str, right: str) -> str:
    first = found.divergence
    if first is None:
        return f"The same {found.common:,} events in the same order."
    common = f"{found.common:,} events in common"
    if not first.left:
        return f"{common}; then {left} ends."
    if not first.right:
        return f"{common}; then {right} ends."
    differing = []
    for key, (one, other) in first.keys.items():
        differing.append(f"{key} {shown(one) or '-'} | {shown(other) or '-'}")
    both = f"{shown(first.left)} | {shown(first.right)}"
    return f"{common}; event {first.step:,} is {both}: {'; '.join(differing)}"
