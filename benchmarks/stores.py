"""What is measured about stores of many traces: bringing them in, summing them up."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.cases import CORPUS, GROWTH, HERE, PYTHON, Case, Target
from benchmarks.store_inputs import EVENTS


def _make(*arguments: object) -> list[str]:
    return [PYTHON, "-m", "benchmarks.store_inputs", *map(str, arguments)]


def _baseline(script: str, *arguments: object) -> list[str]:
    return [PYTHON, "-m", f"benchmarks.{script}", *map(str, arguments)]


def _prepare(path: Path, *arguments: object) -> None:
    """Make an input in a process of its own."""
    if not path.exists():
        subprocess.run(_make(*arguments), check=True, cwd=HERE.parent)


def bringing(numbers: list[int], folder: Path) -> list[Case]:
    """Measure a first ingest beside ``trace stats``, and a second one, which adds nothing."""
    cases = []
    for number in numbers:
        lines, store = folder / f"varied-{number}.jsonl", folder / f"known-{number}"
        _prepare(lines, "lines", lines, number, EVENTS)
        again = [*CORPUS, "trace", "ingest", str(lines), "-o", str(store)]
        commands = {
            "trace ingest": _make("ingest", lines),
            "trace ingest again": again,
            "trace stats FILE": [*CORPUS, "trace", "stats", str(lines), "--format", "json"],
            "trace stats STORE": [*CORPUS, "trace", "stats", str(store), "--format", "json"],
            "trace validate": [*CORPUS, "trace", "validate", str(lines)],
        }
        subprocess.run(again, check=True, capture_output=True, cwd=HERE.parent)
        targets: tuple[Target, ...] = ()
        if number == 100_000:
            targets = (Target("trace ingest", GROWTH, 1.1, 300.0),)
        cases.append(
            Case(
                "ingest, traces of 20 events",
                number,
                commands,
                targets,
                3 if number < 100_000 else 1,
            )
        )
    return cases


def reading(sizes: list[int], folder: Path) -> list[Case]:
    """Sums over a whole store, in bounded memory, beside DuckDB alone."""
    cases = []
    for events in sizes:
        store = folder / f"store-{events}"
        _prepare(store, "store", store, events)
        commands = {
            "trace stats STORE": [*CORPUS, "trace", "stats", str(store), "--format", "json"],
            "duckdb alone": _baseline("baseline_store", store),
        }
        targets = (
            (Target("trace stats STORE", "duckdb alone", 10.0, 300.0),)
            if events >= 20_000_000
            else ()
        )
        cases.append(
            Case("store, events", events, commands, targets, 3 if events < 20_000_000 else 1)
        )
    return cases
