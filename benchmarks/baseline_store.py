"""Baseline for a store: DuckDB alone computes what ``corpus trace stats STORE`` shows."""

from __future__ import annotations

import sys

import duckdb

from corpus.traces.measures.summary import MEASURES

if __name__ == "__main__":
    root = sys.argv[1]
    asked = ", ".join(
        f"count({m}), sum({m}), avg({m}), min({m}), quantile_disc({m}, [0.5, 0.9]), max({m})"
        for m in MEASURES
    )
    connection = duckdb.connect(config={"threads": 2})
    print(connection.execute(f"SELECT {asked} FROM '{root}/traces/*.parquet'").fetchall())
    for column in ("stop", "topology"):
        print(
            connection.execute(
                f"SELECT {column}, count(*) FROM '{root}/traces/*.parquet' GROUP BY 1"
            ).fetchall()
        )
    print(
        connection.execute(
            f"SELECT type, count(*), sum(x_tokens) FROM '{root}/events/*.parquet' GROUP BY 1"
        ).fetchall()
    )
    print(
        connection.execute(
            f"SELECT type, count(*) FROM '{root}/edges/*.parquet' GROUP BY 1"
        ).fetchall()
    )
