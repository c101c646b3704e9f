"""From measurements to a table, JSON and RESULTS.md."""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
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
        "Written by `python -m benchmarks`. Whole processes, run in turn, medians. CPU is user and "
        "system time together.",
        "",
    ]
    lines += [f"- {line}" for line in machine()]
    lines += [
        "",
        "## Targets",
        "",
        "| case | size | ours | against | at most | measured | CPU | seconds | memory | met |",
    ]
    lines += ["|---|---:|---|---|---:|---:|---:|---:|---:|---|"]
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
        "| case | size | command | seconds | CPU | per second | peak MB | growth |",
        "|---|---:|---|---:|---:|---:|---:|---:|",
    ]
    for case, measured in results:
        for name, found in measured.items():
            rate = f"{case.size / found.seconds:,.0f}" if case.size > 1 else ""
            slope = growth.get((case.name, name))
            failed = "" if _answers(name, found.code) else f" (exit {found.code})"
            k = "" if slope is None else f"{slope:.2f}"
            cells = [
                case.name,
                f"{case.size:,}",
                name + failed,
                f"{found.seconds:.3f}",
                f"{found.processor:.3f}",
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
    processor = None
    if target.baseline == GROWTH:
        ratio = growth.get((case.name, target.ours), math.nan)
    else:
        ratio = ours.seconds / measured[target.baseline].seconds
        processor = ours.processor / measured[target.baseline].processor
    limits = (
        (ratio, target.most),
        (processor, target.processor),
        (ours.megabytes, target.megabytes),
        (ours.seconds, target.seconds),
    )
    met = _answers(target.ours, ours.code)
    for found, limit in limits:
        met = met and (limit is None or (found is not None and found <= limit))
    seconds = f"{ours.seconds:.3g}" + (f" of {target.seconds:g}" if target.seconds else "")
    memory = f"{ours.megabytes:.0f} MB" + (
        f" of {target.megabytes:.0f}" if target.megabytes else ""
    )
    shown = "" if processor is None else _ratio(processor)
    if target.processor is not None:
        shown += f" of {target.processor:g}"
    numbers = f"{target.most:g}", _ratio(ratio), shown, seconds, memory
    return [
        case.name,
        f"{case.size:,}",
        target.ours,
        target.baseline,
        *numbers,
        "yes" if met else "**no**",
    ]


def _ratio(number: float) -> str:
    return f"{number:.2g}" if number < 0.1 else f"{number:.2f}"


def _answers(command: str, code: int) -> bool:
    """Return whether a command did its work: only a check may have findings (exit 1)."""
    return code == 0 or (code == 1 and ("check" in command or "validate" in command))


def caches() -> str:
    """Return the first processor's caches and how many processors share each, as Linux has them.

    Empty elsewhere.
    """
    found = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level = (folder / "level").read_text().strip()
            kind = (folder / "type").read_text().strip()
            size = (folder / "size").read_text().strip()
            shared = (folder / "shared_cpu_list").read_text().strip()
        except OSError:
            continue
        if kind != "Instruction":
            found.append(f"L{level} {size} (processors {shared})")
    return ", ".join(found)


def machine() -> list[str]:
    """Say what the measurements were made on."""
    installed = []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}; "
        f"caches: {caches() or 'unknown'}",
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
