"""`corpus trace replay`."""

import json
from dataclasses import asdict

import click

from corpus.cli.options import echo, echo_grids, flag, format_option, option, terminal_columns
from corpus.cli.traces.input import READABLE, one_run, size_option, trace_option
from corpus.model.finding import UsageProblem
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid, cut, grid_text
from corpus.printing.json_document import as_plain, json_text
from corpus.printing.numerals import number
from corpus.traces.ablation import STRUCTURE, ablate
from corpus.traces.difference import Difference, compare
from corpus.traces.measures.metrics import measure, plain
from corpus.traces.reading.structure import shown
from corpus.traces.replay import Replay, digest
from corpus.traces.run import Run

NAMES_SHOWN = 6
LIST_SHOWN = 20
NAME_CELLS = 60
HEADER = (
    *("step", "t", "event", "type", "agent", "tokens", "steps"),
    "live; open calls; reached by untrusted content",
)
NOTE = (
    "This is the recorded structure without the agent. "
    "It does not show how the run would have ended."
)


@click.command()
@click.argument("file", metavar="FILE", type=READABLE)
@option("--until EVENT", "Stop after this event: its id, or its number in the replay.")
@flag("--json", "Write each state as one line of JSON.", "as_json")
@option("--without AGENT", "Recompute the structure without an agent.", "removed")
@trace_option
@size_option
def replay(
    file: str, until: str | None, as_json: bool, removed: str | None, name: str | None, max_mb: int
) -> None:
    """Replay a trace, with the state after each event.

    Events come in their happened-before order; nothing is executed. The digest on the last line is
    the same on every machine. --without removes an agent and those it spawned, and shows what the
    structure loses; it does not show how the run would have ended.
    """
    format_ = "json" if as_json else "text"
    run = one_run(file, max_mb, name)
    if removed is not None:
        if until is not None:
            raise UsageProblem("--without replays nothing: drop --until, or --without")
        _write_ablation(run, removed, format_)
        return
    player = Replay(run)
    stop = None if until is None else player.position(until)
    # Of the whole run, however far it is shown.
    whole = digest(run)
    if not as_json:
        rows = []
        for state in player.states(stop):
            active, calls, reached = state.counts
            lists = [f"live {_names(state.live, active)}"]
            if calls:
                lists.append(f"open {_names(state.open_calls, calls)}")
            if reached:
                lists.append(f"untrusted {_names(state.tainted, reached)}")
            event, agent = cut(state.event, NAME_CELLS), cut(state.agent, NAME_CELLS)
            cells = (str(state.step), f"{state.t:g}", event, state.type, agent)
            sums = (number(state.tokens), f"{state.steps:g}")
            rows.append((*cells, *sums, "; ".join(lists)))
        grid = Grid("", HEADER, tuple(rows), frozenset({0, 1, 5, 6}))
        echo_grids([grid], below=f"digest {whole}\n")
        return
    for state in player.states(stop):
        document = asdict(state)
        # A sum too large for a double is null, as JSON has no infinity.
        for key in ("t", "tokens", "steps"):
            document[key] = plain(document[key])
        echo(json.dumps(document, ensure_ascii=False), format_)
    echo(json.dumps({"digest": whole, "events": len(run.events)}), format_)


def _names(names: list[str], count: int) -> str:
    if not names:
        return "nobody"
    text = " ".join(cut(name, NAME_CELLS) for name in names[:NAMES_SHOWN])
    if count > NAMES_SHOWN:
        text += f" +{count - NAMES_SHOWN}"
    return text


def _write_ablation(run: Run, agent: str, format_: str) -> None:
    """Write what the structure of a run loses without an agent."""
    ablation = ablate(run, agent)
    before = measure(run).values
    after = measure(ablation.run).values
    if format_ == "json":
        structure = {name: [before[name], after[name]] for name in STRUCTURE}
        document = {**ablation._asdict(), "run": run.id, "structure": structure}
        echo(json.dumps(document), format_)
        return
    rows = [(name, number(before[name]), number(after[name])) for name in STRUCTURE]
    header = ("measure", "as recorded", f"without {cut(agent, NAME_CELLS)}")
    text = grid_text(Grid(cut(run.id, 200), header, tuple(rows), frozenset({1, 2})))
    for what, names in (
        ("removed agents", ablation.agents),
        ("removed events", ablation.events),
        ("events that lost every cause", ablation.uncaused),
        ("events that lost some causes", ablation.weakened),
    ):
        listed = [cut(name, NAME_CELLS) for name in names[:LIST_SHOWN]]
        if len(names) > LIST_SHOWN:
            listed.append("…")
        line = f"{what} ({len(names):,})"
        if listed:
            line += f": {', '.join(listed)}"
        text += terminal(line) + "\n"
    echo(f"{text}{NOTE}")


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
    chosen = names or (None,)
    found = compare(one_run(left, max_mb, chosen[0]), one_run(right, max_mb, chosen[-1]))
    if format_ == "json":
        document = as_plain(found)
        echo(json_text({"common_events": document.pop("common"), **document}), format_)
    else:
        text = "No measure differs.\n"
        if found.changes:
            rows = [(shown(change.name), *map(number, change[1:])) for change in found.changes]
            grid = Grid("", ("measure", left, right, "change"), tuple(rows), frozenset({1, 2, 3}))
            text = f"\n{grid_text(grid, terminal_columns())}"
        echo(f"{terminal(_headline(found, left, right))}\n{text}")
    # Without --exit-code a difference is an answer, not a failure.
    if exit_code and (found.divergence or found.changes):
        raise SystemExit(1)


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
