"""Count and cross-tabulate with pandas, polars, DuckDB or Arrow, as their users would write it.

``python baseline_frames.py ENGINE FOLDER``; none of them validates anything.
"""

import sys

AXES = [
        "category", "is_rl", "reward_type", "credit_granularity",
        "orchestration_form", "scenario", "is_core", "verified",
]  # fmt: skip
PAIRS = [
        ("reward_type", "credit_granularity"),
        ("orchestration_form", "credit_granularity"),
        ("category", "verified"),
]  # fmt: skip


def pandas(file):
    import pandas as pd

    frame = pd.read_csv(file, usecols=AXES, dtype=str, keep_default_na=False)
    for axis in AXES:
        print(frame[axis].value_counts())
    for first, second in PAIRS:
        print(pd.crosstab(frame[first], frame[second]))


def polars(file):
    import polars as pl

    frame = pl.scan_csv(file, infer_schema=False).select(AXES)
    queries = [frame.group_by(axis).len() for axis in AXES]
    queries += [frame.group_by(pair).len() for pair in PAIRS]
    for found in pl.collect_all(queries, engine="streaming"):
        print(found)


def duckdb(file):
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        f"create table pool as select {', '.join(AXES)} "
        "from read_csv(?, all_varchar = true, header = true)",
        [file],
    )
    for names in [(axis,) for axis in AXES] + PAIRS:
        columns = ", ".join(names)
        print(
            connection.execute(
                f"select {columns}, count(*) from pool group by {columns}"
            ).fetchall()
        )


def arrow(file):
    import pyarrow as pa
    from pyarrow import csv

    kinds = {axis: pa.dictionary(pa.int32(), pa.string()) for axis in AXES}
    table = csv.read_csv(
        file, convert_options=csv.ConvertOptions(include_columns=AXES, column_types=kinds)
    )
    table = table.unify_dictionaries()
    for axis in AXES:
        print(table[axis].value_counts())
    for pair in PAIRS:
        print(table.group_by(list(pair)).aggregate([([], "count_all")]))


{"pandas": pandas, "polars": polars, "duckdb": duckdb, "arrow": arrow}[sys.argv[1]](
    f"{sys.argv[2]}/pool.csv"
)
