"""Query a store in SQL: DuckDB in this process, which sees its tables and no file.

DuckDB does not open the files itself: pyarrow gives it the rows. So DuckDB's own access to files,
network and extensions can be closed without exception, which matters since even a SELECT may have a
COPY in its WITH clause.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from threading import Timer
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
from pyarrow import dataset

from corpus.model.finding import UsageProblem
from corpus.traces.measures.prices import MILLION, Prices
from corpus.traces.model import DISJOINT_KINDS, TOKEN_KINDS
from corpus.traces.store.store import TABLES, Store

ROWS = 2_000
CHECKED = dataset.ParquetFileFormat(
    default_fragment_scan_options=dataset.ParquetFragmentScanOptions(
        page_checksum_verification=True
    )
)
LOCKS = (
    "enable_external_access = false",
    "python_enable_replacements = false",
    "lock_configuration = true",
)


class QueryResult(NamedTuple):
    """Names of the columns, and an iterator over the rows."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def opened(
    store: Store, megabytes: int, threads: int, prices: Prices | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database in memory with the tables of a store, without access to anything else."""
    settings: dict[str, Any] = {
        "memory_limit": f"{megabytes}MB",
        "threads": threads,
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    parts = store.parts()
    with duckdb.connect(":memory:", config=settings) as connection:
        for name, schema in TABLES.items():
            files = [str(store.path(name, part.name)) for part in parts]
            connection.register(name, dataset.dataset(files, schema=schema, format=CHECKED))
        add_spending(connection, prices)
        for lock in LOCKS:
            connection.execute(f"SET {lock}")
        yield connection


@contextmanager
def ask(
    store: Store,
    question: str,
    seconds: float = 300,
    megabytes: int = 2_000,
    threads: int = 2,
    prices: Prices | None = None,
) -> Iterator[QueryResult]:
    """Answer one SELECT statement.

    Parameters
    ----------
    store
        Its tables are called traces, events and edges; spending has the tokens of each trace,
        agent and model.
    question
        One statement that only reads.
    seconds, megabytes
        Time and memory at which it is stopped.
    threads
        How many it may use.
    prices
        The user's prices, which give spending the columns price and unpriced_tokens.

    Raises
    ------
    UsageProblem
        Where it is not a single SELECT, DuckDB refuses it, or it exceeds the limits.
    """
    with opened(store, megabytes, threads, prices) as connection:
        timer = Timer(seconds, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            statements = connection.extract_statements(question)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise UsageProblem(
                    "a query is one SELECT (or FROM, WITH, DESCRIBE, SUMMARIZE) statement"
                )
            result = connection.execute(statements[0])
            columns = [column[0] for column in result.description or ()]
            fetched = iter(partial(result.fetchmany, ROWS), [])
            yield QueryResult(columns, chain.from_iterable(fetched))
        except duckdb.InterruptException:
            raise UsageProblem(
                f"stopped after {seconds:g} s; raise --timeout, or ask for less"
            ) from None
        except duckdb.OutOfMemoryException:
            raise UsageProblem(
                f"the query needs more than {megabytes:,} MB; raise --memory, or ask for less"
            ) from None
        except duckdb.Error as error:
            raise UsageProblem(str(error)) from None
        finally:
            timer.cancel()
            timer.join()


def add_spending(connection: duckdb.DuckDBPyConnection, prices: Prices | None) -> None:
    """Create the view `spending` over the events; with a table of prices, it has prices, too.

    The rules are those of :mod:`corpus.traces.measures.spending` and
    :mod:`corpus.traces.measures.prices`, in SQL: a test compares both.

    Parameters
    ----------
    connection
        Has the table `events`; what it may do is not locked yet.
    prices
        The user's table.
    """
    if prices is None:
        connection.execute(f"CREATE VIEW spending AS {_sums()}")
        return
    columns = {
        "model": [model for model, _ in prices],
        "kind": [kind for _, kind in prices],
        "price": list(prices.values()),
    }
    connection.register("prices", pa.table(columns))
    connection.execute(f"CREATE VIEW spending AS {_priced()}")


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
        of_model AS (SELECT model AS priced_model, {prices} FROM prices GROUP BY model),
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
