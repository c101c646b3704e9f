"""`corpus trace diff`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from corpus.cli.options import echo, format_option
from corpus.cli.traces.input import one_run, size_option

if TYPE_CHECKING:
    from corpus.traces.difference import Difference


@click.command()
@click.argument("left", metavar="A", type=click.Path(exists=True, allow_dash=True))
@click.argument("right", metavar="B", type=click.Path(exists=True, allow_dash=True))
@click.option("--trace", "names", metavar="ID", multiple=True, help="Which trace, in both files; twice: of A, of B.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the two differ.")
@format_option("text", "json")
@size_option
@click.pass_context
def diff(
    ctx: click.Context,
    left: str,
    right: str,
    names: tuple[str, ...],
    exit_code: bool,
    format_: str,
    max_mb: int,
) -> None:
    """Compare two traces: the first event in which they part, and every measure that differs.

    Events are compared in happened-before order by type, agent, role, sender, receiver, tool, content and trust; ids
    and times may differ.
    """
    from corpus.model.finding import UsageProblem
    from corpus.traces.difference import compare

    if len(names) > 2:
        raise UsageProblem("--trace is given once for both files, or once for each")
    one, other = (names[0], names[-1]) if names else (None, None)
    found = compare(one_run(left, max_mb, one), one_run(right, max_mb, other))
    if format_ == "json":
        echo(_json(found), format_)
    else:
        echo(_text(found, left, right))
    ctx.exit(1 if exit_code and (found.divergence or found.changes) else 0)


def _json(found: Difference) -> str:
    first = found.divergence
    document = {
        "common_events": found.common,
        "divergence": first and {**first._asdict(), "keys": {k: list(v) for k, v in first.keys.items()}},
        "changes": [change._asdict() for change in found.changes],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _text(found: Difference, left: str, right: str) -> str:
    from corpus.printing.escape import terminal
    from corpus.printing.grid import Grid, grid_text
    from corpus.traces.measures.trace_tables import number
    from corpus.traces.reading.structure import shown

    first = found.divergence
    if first is None:
        head = f"The same {found.common:,} events in the same order.\n"
    elif not (first.left and first.right):
        head = f"{found.common:,} events in common; then {left if not first.left else right} is over.\n"
    else:
        differing = "; ".join(f"{key} {shown(a) or '-'} | {shown(b) or '-'}" for key, (a, b) in first.keys.items())
        both = f"{shown(first.left)} | {shown(first.right)}"
        head = f"{found.common:,} events in common; event {first.step:,} is {both}: {differing}\n"
    if not found.changes:
        return terminal(head.rstrip()) + "\nNo measure differs.\n"
    rows = tuple((shown(c.name), number(c.left), number(c.right), number(c.change)) for c in found.changes)
    table = grid_text(Grid("", ("measure", left, right, "change"), rows, frozenset({1, 2, 3})))
    return terminal(head.rstrip()) + "\n\n" + table
