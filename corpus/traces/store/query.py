"""Query a store in SQL: DuckDB in this process, which sees its tables and no file.

DuckDB does not open the files itself: pyarrow gives it the rows. So DuckDB's own access to files,
network and extensions can be closed without exception, which matters since even a SELECT may have a
COPY in its WITH clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any, NamedTuple

import duckdb
from pyarrow import dataset

from corpus.model.finding import UsageProblem
from corpus.traces.measures.prices import PriceTable
from corpus.traces.store.schema import TABLES
from corpus.traces.store.spending_view import add_spending
from corpus.traces.store.store import Store

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


class Bounds(NamedTuple):
    """What a query may use: seconds, megabytes of memory, threads."""

    seconds: float = 300
    megabytes: int = 2_000
    threads: int = 2


class QueryResult(NamedTuple):
    """Names of the columns, and an iterator over the rows."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def opened(
    store: Store, bounds: Bounds, prices: PriceTable | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database in memory with the tables of a store, without access to anything else."""
    settings: dict[str, Any] = {
        "memory_limit": f"{bounds.megabytes}MB",
        "threads": bounds.threads,
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    parts = store.parts()
    with duckdb.connect(":memory:", config=settings) as connection:
        for name, schema in TABLES.items():
            files = [str(store.path(name, part.name)) for part in parts]
            rows = dataset.dataset(files, schema=schema, format=CHECKED)
            connection.register(name, rows)
        add_spending(connection, prices)
        for lock in LOCKS:
            connection.execute(f"SET {lock}")
        yield connection


@contextmanager
def ask(
    store: Store, question: str, bounds: Bounds | None = None, prices: PriceTable | None = None
) -> Iterator[QueryResult]:
    """Answer one SELECT statement.

    Parameters
    ----------
    store
        Its tables are called traces, events and edges; spending has the tokens of each trace,
        agent and model.
    question
        One statement that only reads.
    bounds
        Limits at which it is stopped.
    prices
        The user's prices, which give spending the columns price and unpriced_tokens.

    Raises
    ------
    UsageProblem
        Where it is not a single SELECT, DuckDB refuses it, or it exceeds the limits.
    """
    bounds = bounds or Bounds()
    with opened(store, bounds, prices) as connection:
        timer = Timer(bounds.seconds, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            statements = connection.extract_statements(question)
            types = [statement.type for statement in statements]
            if types != [duckdb.StatementType.SELECT]:
                raise UsageProblem(
                    "a query is one SELECT (or FROM, WITH, DESCRIBE, SUMMARIZE) statement"
                )
            result = connection.execute(statements[0])
            columns = [column[0] for column in result.description or ()]
            yield QueryResult(columns, _rows(result))
        except duckdb.InterruptException:
            raise UsageProblem(
                f"stopped after {bounds.seconds:g} s; raise --timeout, or ask for less"
            ) from None
        except duckdb.OutOfMemoryException:
            raise UsageProblem(
                f"the query needs more than {bounds.megabytes:,} MB; "
                "raise --memory, or ask for less"
            ) from None
        except duckdb.Error as error:
            raise UsageProblem(str(error)) from None
        finally:
            timer.cancel()
            timer.join()


def _rows(result: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := result.fetchmany(ROWS):
        yield from rows
