"""From measurements to a table, JSON and RESULTS.md."""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.cases import GROWTH, Case, Target
from benchmarks.measure import Measured

PACKAGES = (
    "click",
    "pandas",
    "pyarrow",
    "pandera",
    "numpy",
    "rapidfuzz",
    "polars",
    "duckdb",
    "frictionless",
    "msgspec",
    "jsonschema",
    "jsonschema-rs",
)
Results = list[tuple[Case, dict[str, Measured]]]


def exponents(results: Results) -> dict[tuple[str, str], float]:
    """Fit seconds ~ size^k for each command over the sizes of its case, least squares on logs."""
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for case, measured in results:
        for name, found in measured.items():
            points.setdefault((case.name, name), []).append(
                (math.log(case.size), math.log(found.seconds))
            )
    fitted = {}
    for key, values in points.items():
        large = sorted(values)[-3:]  # start-up hides growth at small sizes
        if len(large) > 1:
            mean_x = sum(x for x, _ in large) / len(large)
            mean_y = sum(y for _, y in large) / len(large)
            spread = sum((x - mean_x) ** 2 for x, _ in large)
            fitted[key] = sum((x - mean_x) * (y - mean_y) for x, y in large) / spread
    return fitted


def markdown(results: Results) -> str:
    """Return RESULTS.md: machine and versions, targets first, then every measurement."""
    lines = [
        "# Benchmark results",
        "",
        "Written by `python -m benchmarks`. Whole processes, run in turn, medians.",
        "",
    ]
    lines += [f"- {line}" for line in machine()]
    lines += [
        "",
        "## Targets",
        "",
        "| case | size | ours | against | at most | measured | seconds | memory | met |",
    ]
    lines += ["|---|---:|---|---|---:|---:|---:|---:|---|"]
    growth = exponents(results)
    for case, measured in results:
        lines += [f"| {' | '.join(_target(case, t, measured, growth))} |" for t in case.targets]
    lines += [
        "",
        "## Measurements",
        "",
        "Growth is the exponent k of seconds ~ size^k over the three largest sizes.",
        "",
    ]
    lines += [
        "| case | size | command | seconds | per second | peak MB | growth |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for case, measured in results:
        for name, found in measured.items():
            rate = f"{case.size / found.seconds:,.0f}" if case.size > 1 else ""
            slope = growth.get((case.name, name))
            failed = "" if found.code in (0, 1) else f" (exit {found.code})"
            k = "" if slope is None else f"{slope:.2f}"
            cells = [
                case.name,
                f"{case.size:,}",
                name + failed,
                f"{found.seconds:.3f}",
                rate,
                f"{found.megabytes:.0f}",
                k,
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _target(
    case: Case, target: Target, measured: dict[str, Measured], growth: dict[tuple[str, str], float]
) -> list[str]:
    """Return the cells of a target's line."""
    ours = measured[target.ours]
    if target.baseline == GROWTH:
        ratio = growth.get((case.name, target.ours), math.nan)
    else:
        ratio = ours.seconds / measured[target.baseline].seconds
    limits = (
        (ratio, target.most),
        (ours.megabytes, target.megabytes),
        (ours.seconds, target.seconds),
    )
    met = ours.code in (0, 1) and all(limit is None or found <= limit for found, limit in limits)
    seconds = f"{ours.seconds:.3g}" + (f" of {target.seconds:g}" if target.seconds else "")
    memory = f"{ours.megabytes:.0f} MB" + (
        f" of {target.megabytes:.0f}" if target.megabytes else ""
    )
    numbers = f"{target.most:g}", f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.2f}", seconds, memory
    return [
        case.name,
        f"{case.size:,}",
        target.ours,
        target.baseline,
        *numbers,
        "yes" if met else "**no**",
    ]


def machine() -> list[str]:
    """Say what the measurements were made on."""
    installed = []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        f"Python {sys.version.split()[0]}; {', '.join(installed)}",
    ]


def as_json(results: Results) -> str:
    """Return every measurement as JSON."""
    rows: list[dict[str, Any]] = [
        {"case": case.name, "size": case.size, "command": name, **found._asdict()}
        for case, measured in results
        for name, found in measured.items()
    ]
    return json.dumps({"machine": machine(), "measurements": rows}, indent=2) + "\n"
