"""The cases about traces: one document of growing size, and many small traces, one per line."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.cases import CORPUS, GROWTH, HERE, PYTHON, Case, Target

SCHEMA = HERE.parent / "data" / "traces" / "orchestration_trace.schema.json"
SMALL = 8
"""Events of a small trace, as many as the published example has."""


LIMITS = {
    100_000: (
        Target("trace validate", "json.loads of each line", 2.5, 200.0),
        Target("trace validate", "jsonschema", 1 / 20),
    ),
    1_000_000: (
        Target("trace validate", "json.loads of each line", 2.5, 200.0),
        Target("trace validate", GROWTH, 1.1),
        Target("trace stats", GROWTH, 1.1, 200.0),
    ),
}
"""What many traces may cost; memory is a constant, whatever their number."""


def _baseline(tool: str, path: Path) -> list[str]:
    return [PYTHON, str(HERE / "baseline_traces.py"), tool, str(path), str(SCHEMA)]


def _make(kind: str, path: Path, *sizes: int) -> None:
    """Write an input in a process of its own: what it takes must not count as ours."""
    if not path.exists():
        subprocess.run(
            [PYTHON, str(HERE / "trace_inputs.py"), kind, str(path), *map(str, sizes)], check=True
        )


def _rows(path: Path, folder: Path, *options: str) -> list[str]:
    return [*CORPUS, "trace", "rows", str(path), "-o", str(folder / "rows.parquet"), *options]


def documents(sizes: list[int], folder: Path) -> list[Case]:
    """One trace of each size: ours against decoding it at all, which checks nothing."""
    cases = []
    for events in sizes:
        path = folder / f"events-{events}.json"
        _make("document", path, events)
        commands = {
            "trace validate": [*CORPUS, "trace", "validate", str(path)],
            "trace stats": [*CORPUS, "trace", "stats", str(path), "--format", "json"],
            "trace rows": _rows(path, folder),
            "trace rows, decisions": _rows(path, folder, "--unit", "decision"),
            "trace rows, discounted": _rows(path, folder, "--credit", "discounted"),
            "json.loads": _baseline("json", path),
            "msgspec decode": _baseline("msgspec", path),
            "count newlines": ["wc", "-l", str(path)],
        }
        targets = (
            Target("trace validate", "json.loads", 2.5, 6000.0, 20.0),
            Target("trace validate", GROWTH, 1.1),
            Target("trace stats", GROWTH, 1.1, 6000.0, 30.0),
            Target("trace rows", "trace stats", 2.0, 2000.0, 15.0),
            Target("trace rows, decisions", "trace stats", 2.0, 2000.0, 15.0),
            Target("trace rows, discounted", "trace stats", 2.5, 2000.0, 25.0),
        )
        cases.append(Case("trace", events, commands, targets if events == 1_000_000 else (), 3))
    return cases


def lines(numbers: list[int], folder: Path) -> list[Case]:
    """Many small traces: our check of all rules, beside decoding alone and the schema alone."""
    cases = []
    for number in numbers:
        path = folder / f"traces-{number}.jsonl"
        _make("lines", path, number, SMALL)
        commands = {
            "trace validate": [*CORPUS, "trace", "validate", str(path)],
            "trace stats": [*CORPUS, "trace", "stats", str(path), "--format", "csv"],
            "json.loads of each line": _baseline("json-lines", path),
        }
        if number < 1_000_000:
            commands["jsonschema-rs"] = _baseline("jsonschema-rs", path)
            commands["jsonschema"] = _baseline("jsonschema", path)  # 100,000 take a minute or two
        cases.append(Case("traces", number, commands, LIMITS.get(number, ()), 3))
    return cases
