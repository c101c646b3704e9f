"""The table `spending` of a query: tokens of each trace, agent and model, and what they cost.

The rules are those of :mod:`corpus.traces.measures.spending` and
:mod:`corpus.traces.measures.prices`, in SQL: a test compares both.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from corpus.traces.measures.prices import MILLION, PriceTable
from corpus.traces.model import DISJOINT_KINDS, TOKEN_KINDS

VIEW = "spending"
PRICES = "prices"


def add_spending(connection: duckdb.DuckDBPyConnection, prices: PriceTable | None) -> None:
    """Create the view over the events; with a table of prices, it has prices, too.

    Parameters
    ----------
    connection
        Has the table `events`; what it may do is not locked yet.
    prices
        The user's table.
    """
    if prices is None:
        connection.execute(f"CREATE VIEW {VIEW} AS {_sums()}")
        return
    rows = prices.rows()
    columns = {
        "model": pa.array([model for model, _, _ in rows], pa.string()),
        "kind": pa.array([kind for _, kind, _ in rows], pa.string()),
        "price": pa.array([price for _, _, price in rows], pa.float64()),
    }
    connection.register(PRICES, pa.table(columns))
    connection.execute(f"CREATE VIEW {VIEW} AS {_priced()}")


def _sums() -> str:
    """Return the SELECT of the sums; events that state no tokens are left out."""
    keys = ["x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS)]
    parts = " + ".join(f"coalesce(x_tokens_{kind}, 0)" for kind in DISJOINT_KINDS)
    kinds = ", ".join(f"sum(x_tokens_{kind}) AS tokens_{kind}" for kind in TOKEN_KINDS)
    stated = " OR ".join(f"{key} IS NOT NULL" for key in keys)
    return f"""
        SELECT digest, trace_id, agent, coalesce(x_model, '') AS model, count(*) AS events,
            sum(coalesce(x_tokens, {parts})) AS tokens, {kinds}
        FROM events WHERE {stated} GROUP BY ALL
    """  # noqa: S608 - made of names of this module alone


def _priced() -> str:
    """Return the SELECT of the sums with their price; it is null where any tokens have none."""
    prices = ", ".join(
        f"max(price) FILTER (kind = '{kind}') AS price_{kind}" for kind in TOKEN_KINDS
    )
    # Reasoning is output, and is priced apart only where the model has a price for it.
    apart = """CASE WHEN price_reasoning IS NOT NULL AND tokens_reasoning > 0
        AND tokens_reasoning <= coalesce(tokens_output, 0) THEN tokens_reasoning ELSE 0 END"""
    billed = {kind: f"coalesce(tokens_{kind}, 0)" for kind in DISJOINT_KINDS}
    unsorted = f"greatest(tokens - ({' + '.join(billed.values())}), 0)"
    billed["output"] = "(coalesce(tokens_output, 0) - apart)"
    billed["reasoning"] = "apart"
    missing = [
        f"CASE WHEN price_{kind} IS NULL THEN {tokens} ELSE 0 END"
        for kind, tokens in billed.items()
    ]
    costs = [f"{tokens} * coalesce(price_{kind}, 0)" for kind, tokens in billed.items()]
    return f"""
        WITH sums AS ({_sums()}),
        of_model AS (SELECT model AS priced_model, {prices} FROM {PRICES} GROUP BY model),
        joined AS (
            SELECT *, {apart} AS apart, {unsorted} AS unsorted
            FROM sums LEFT JOIN of_model ON model = priced_model
        ),
        billed AS (
            SELECT *, unsorted + {" + ".join(missing)} AS unpriced_tokens,
                ({" + ".join(costs)}) / {MILLION} AS known_price
            FROM joined
        )
        SELECT * EXCLUDE (priced_model, apart, unsorted, known_price, unpriced_tokens,
                {", ".join(f"price_{kind}" for kind in TOKEN_KINDS)}),
            CASE WHEN unpriced_tokens = 0 THEN known_price END AS price,
            unpriced_tokens
        FROM billed
    """  # noqa: S608 - made of names of this module alone
