"""Made-up inputs for the tests of stores."""

import json

import pyarrow as pa
from pyarrow import parquet

from corpus.traces.store.ingest import ingest, input_files
from corpus.traces.store.store import Store
from tests.support.made_traces import pair


def numbered(number):
    """The pair's run under another name, with its own times and reward."""
    trace = pair()
    trace["trace_id"] = f"run-{number}"
    trace["rewards"] = {"team": 0.1 * number, "style": 1}
    trace["metrics"] = {"accuracy": number / 7}
    for event in trace["events"]:
        event["t"] = event["t"] * (1 + number / 3)
    trace["costs"]["wall_clock_s"] = 6 * (1 + number / 3)
    trace["events"][-1]["x_tokens"] = 0.1 * number
    return trace


def write_lines(path, numbers):
    path.write_text("".join(json.dumps(numbered(n)) + "\n" for n in numbers), encoding="utf-8")
    return path


def bring(root, *names, report=lambda findings: None):
    """Ingest files in this process."""
    return ingest(Store.make(root), input_files(map(str, names), root), 512 << 20, report)


def rows(root, table):
    """Every row of a table, ordered by trace and place in it."""
    store = Store(root)
    whole = pa.concat_tables(
        parquet.read_table(store.path(table, part.name)) for part in store.parts()
    )
    order = {
        "events": ["trace_id", "position"],
        "edges": ["trace_id", "src", "dst"],
        "traces": ["trace_id"],
    }[table]
    return whole.sort_by([(name, "ascending") for name in order])


def files_of(root):
    """The bytes of every file below a folder, by its path."""
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}
