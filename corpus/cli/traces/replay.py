"""`corpus trace replay`."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING

import click

from corpus.cli.options import echo
from corpus.cli.traces.input import one_run, size_option

if TYPE_CHECKING:
    from corpus.traces.replay import State
    from corpus.traces.run import Run

NAMES_SHOWN = 6
NAME_CELLS = 60


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, allow_dash=True))
@click.option("--until", metavar="EVENT", help="Stop after this event: its id, or its number in the replay.")
@click.option("--step", is_flag=True, help="Wait for Enter after each event, on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Write each state as one line of JSON.")
@click.option("--without", "left_out", metavar="AGENT", help="Recompute the structure without an agent.")
@click.option("--trace", "name", metavar="ID", help="Which trace, where the file has several.")
@size_option
def replay(
    file: str, until: str | None, step: bool, as_json: bool, left_out: str | None, name: str | None, max_mb: int
) -> None:
    """Play a trace again in its happened-before order, offline, with the state after each event.

    The digest on the last line is the same on every machine. --without takes an agent and those it spawned out and
    says what the structure loses; it claims nothing about how the run would have ended.
    """
    from corpus.model.finding import UsageProblem

    format_ = "json" if as_json else "text"
    run = one_run(file, max_mb, name)
    if left_out is not None and (until is not None or step):
        raise UsageProblem("--without plays nothing: it goes with neither --until nor --step")
    if left_out is not None:
        echo(_without(run, left_out, as_json), format_)
        return
    from corpus.traces.replay import Replay, digest

    player = Replay(run)
    stop = None if until is None else player.position(until)
    wait = step and sys.stdin.isatty() and sys.stdout.isatty()
    if not as_json:
        echo(_line(("step", "t", "event", "type", "agent", "tokens", "steps", "live; open calls; tainted")))
    for state in player.states(stop):
        shown = _as_json(state) if as_json else _line(_cells(state))
        echo(shown, format_)
        if wait:
            click.pause(info="")
    found = digest(run)
    if as_json:
        echo(json.dumps({"digest": found, "events": len(run.events)}), format_)
    else:
        echo(f"digest {found}")


def _cells(state: State) -> tuple[str, ...]:
    kinds = zip(("live", "open", "tainted"), (state.live, state.open_calls, state.tainted), state.counts, strict=True)
    lists = [f"{kind} {_names(names, count)}" for kind, names, count in kinds if count or kind == "live"]
    numbers = (f"{state.tokens:,.0f}", f"{state.steps:g}")
    return (str(state.step), f"{state.t:g}", state.event, state.type, state.agent, *numbers, "; ".join(lists))


def _names(names: list[str], count: int) -> str:
    more = f" +{count - NAMES_SHOWN}" if count > NAMES_SHOWN else ""
    from corpus.printing.grid import cut

    return " ".join(cut(name, NAME_CELLS) for name in names[:NAMES_SHOWN]) + more if names else "nobody"


def _line(cells: tuple[str, ...]) -> str:
    from corpus.printing.escape import terminal
    from corpus.printing.grid import cut, pad

    widths = (5, 9, 18, 21, 16, 9, 5)
    fixed = [
        pad(cut(terminal(c), w), w, i in (0, 1, 5, 6)) for i, (c, w) in enumerate(zip(cells, widths, strict=False))
    ]
    return "  ".join([*fixed, terminal(cells[-1])])


def _as_json(state: State) -> str:
    """Write one state; a sum beyond all numbers is null, as JSON has no infinity."""
    known = {name: None if value == math.inf else value for name, value in state._asdict().items()}
    return json.dumps(known, ensure_ascii=False)


def _without(run: Run, agent: str, as_json: bool) -> str:
    from corpus.printing.grid import Grid, cut, grid_text
    from corpus.traces.ablation import STRUCTURE, without
    from corpus.traces.measures.metrics import measure
    from corpus.traces.measures.trace_tables import number

    rest = without(run, agent)
    before, after = measure(run).values, measure(rest.run).values
    if as_json:
        structure = {key: [before[key], after[key]] for key in STRUCTURE}
        return json.dumps({**rest._asdict(), "run": rest.run.trace.trace_id, "structure": structure}) + "\n"
    rows = tuple((key, number(before[key]), number(after[key])) for key in STRUCTURE)
    note = "This is the recorded structure without the agent. It says nothing about how the run would have ended."
    table = grid_text(
        Grid(
            cut(run.trace.trace_id, 200),
            ("measure", "as recorded", f"without {cut(agent, NAME_CELLS)}"),
            rows,
            frozenset({1, 2}),
        )
    )
    lists = [("gone agents", rest.agents), ("gone events", rest.events)]
    lists += [("events that lost every cause", rest.uncaused), ("events that lost some causes", rest.weakened)]
    return table + "".join(_list(title, names) for title, names in lists) + note + "\n"


def _list(title: str, names: list[str]) -> str:
    from corpus.printing.escape import terminal
    from corpus.printing.grid import cut

    shown = [*(cut(name, NAME_CELLS) for name in names[:20]), *(["…"] if len(names) > 20 else [])]
    return terminal(f"{title} ({len(names):,}){': ' if names else ''}{', '.join(shown)}") + "\n"
