"""`corpus trace prices`."""

from pathlib import Path

import click

from corpus.cli.options import echo_grids, flag, tell
from corpus.cli.traces.input import Traces, traces_argument
from corpus.model.extras import optional_package
from corpus.model.finding import UsageProblem, printable
from corpus.printing.grid import Grid, plural
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.measures.price_table import current_prices, written_prices
from corpus.traces.measures.prices import Prices, read_prices


@click.command()
@click.argument("table", metavar="TABLE")
@flag("--update", "Write today's prices of its models, and of those in FILES, into TABLE.")
@traces_argument
def prices(table: str, update: bool, traces: Traces) -> None:
    """Show a table of prices for corpus trace stats, or write one with today's prices.

    TABLE is CSV: model, kind, price of a million tokens. FILES are traces. With --update, prices
    come from the installed version of the package genai-prices, and its date is written above them;
    what it does not know keeps its price.
    """
    known: Prices = read_prices(table) if Path(table).exists() or not update else {}
    if update:
        models = dict.fromkeys(model for model, _ in known)
        if traces.files:
            for _, run in traces.runs():
                models |= dict.fromkeys(one.x_model for one in run.events if one.x_model)
        if not models:
            raise UsageProblem("name traces whose models are wanted, or a table that lists some")
        with optional_package("prices"):
            found, unknown = current_prices(map(str, models))
        known = {**known, **found}
        if not known:
            raise UsageProblem(f"no price is known: {'; '.join(unknown)}")
        write_atomic(table, written_prices(known))
        for one in unknown:
            tell(printable(one))
        tell(f"{table}: {plural(len(known), 'price')}, {len(found)} of them of today")
        traces.end()
        return
    rows = [(model, kind, f"{price:g}") for (model, kind), price in sorted(known.items())]
    echo_grids([Grid("", ("model", "kind", "price of a million"), tuple(rows))], 80)
