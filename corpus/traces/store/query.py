"""Query a store in SQL: DuckDB in this process, which sees its tables and no file.

DuckDB does not open the files itself: pyarrow gives it the rows. So DuckDB's own access to files,
network and extensions can be closed without exception, which matters since even a SELECT may have a
COPY in its WITH clause.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
from pyarrow import dataset

from corpus.model.finding import UsageProblem
from corpus.printing.escape import terminal_lines
from corpus.traces.measures.prices import Prices
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
        # From here on it has no access to anything else.
        for lock in LOCKS:
            connection.execute(f"SET {lock}")
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
            # It quotes the question, which may contain escape sequences.
            raise UsageProblem(terminal_lines(str(error))) from None
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
    spending = _sql("spending")
    if prices is not None:
        columns = {
            "model": [model for model, _ in prices],
            "kind": [kind for _, kind in prices],
            "price": list(prices.values()),
        }
        connection.register("prices", pa.table(columns))
        spending = _sql("priced_spending").replace("{sums}", spending)
    connection.execute(f"CREATE VIEW spending AS {spending}")


def _sql(name: str) -> str:
    return Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")
