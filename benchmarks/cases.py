"""The benchmark cases: commands of ours beside what people use today, on inputs of growing size."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PYTHON = sys.executable
CORPUS = [PYTHON, "-m", "corpus"]


GROWTH = "growth"
"""A target without baseline: `most` is the largest exponent of growth over sizes; 1 is linear."""


class Target(NamedTuple):
    """The most that `ours` may cost: `most` times the wall-clock time of `baseline`.

    `megabytes` and `seconds`, where given, limit its memory and its time, and `processor` how many
    times the processor time of `baseline` it may take.
    """

    ours: str
    baseline: str
    most: float
    megabytes: float | None = None
    seconds: float | None = None
    processor: float | None = None


class Case(NamedTuple):
    """A group of commands run in turn; `size` (rows or events) gives the exponent of growth."""

    name: str
    size: int
    commands: dict[str, list[str]]
    targets: tuple[Target, ...]
    runs: int


ASKED = {
    "stats": ["stats"],
    "show": ["show", "agent-lightning"],
    "list": ["list"],
    "search": ["search", "credit assignment"],
    "claims": ["claims"],
    "sparsity": ["sparsity"],
}
"""The commands that answer a question, each beside the script that counts the same tables."""


def start_up() -> list[Case]:
    """How long a user waits for the smallest things."""
    shipped = HERE.parent / "data"
    counting_script = [PYTHON, str(HERE / "baseline_stats.py"), str(shipped)]
    answers = {
        f"corpus {name}": [*CORPUS, *arguments, "--data", str(shipped)]
        for name, arguments in ASKED.items()
    }
    return [
        Case(
            "start",
            1,
            {
                "corpus --help": [*CORPUS, "--help"],
                "import click": [PYTHON, "-c", "import click"],
                "standard library": counting_script,
                **answers,
                "corpus check": [*CORPUS, "check", "--data", str(shipped)],
                "import pandera.pandas": [PYTHON, "-c", "import pandera.pandas"],
                "python -c pass": [PYTHON, "-c", "pass"],
            },
            (
                Target("corpus --help", "import click", 2.0),
                *(Target(name, "standard library", 2.5) for name in answers),
                Target("corpus check", "import pandera.pandas", 1.3),
            ),
            15,
        )
    ]


def counting(sizes: list[int], make) -> list[Case]:
    """`corpus stats` against counting scripts that check nothing."""
    limits = {10_000: (0.6, None), 100_000: (0.35, None), 1_000_000: (0.15, 500.0)}
    cases = []
    for rows in sizes:
        data = str(make(rows))
        commands = {
            "corpus stats": [*CORPUS, "stats", "--data", data],
            "standard library": [PYTHON, str(HERE / "baseline_stats.py"), data],
            **{
                name: [PYTHON, str(HERE / "baseline_frames.py"), name, data]
                for name in ("pandas", "polars", "duckdb", "arrow")
            },
            "count newlines": ["wc", "-l", f"{data}/pool.csv"],
        }
        targets = []
        if rows in limits:
            most, megabytes = limits[rows]
            targets.append(Target("corpus stats", "standard library", most, megabytes))
        if rows == 1_000_000:
            targets.append(Target("corpus stats", "polars", 1.0, 86.0, processor=1.5))
            targets.append(Target("corpus stats", "duckdb", 1.0, 86.0, processor=1.5))
        if rows >= 10_000_000:
            commands = {
                name: commands[name]
                for name in ("corpus stats", "polars", "duckdb", "count newlines")
            }
            targets.append(Target("corpus stats", "polars", 3.0, 500.0))
        cases.append(Case("stats", rows, commands, tuple(targets), 7 if rows < 1_000_000 else 3))
    return cases


def checking(sizes: list[int], make) -> list[Case]:
    """`corpus check` with and without near titles, beside a script that counts and frictionless."""
    limits = {100_000: (1.0, 15.0), 1_000_000: (0.6, 60.0)}
    cases = []
    for rows in sizes:
        data = str(make(rows))
        commands = {
            "check --no-near-titles": [*CORPUS, "check", "--no-near-titles", "--data", data],
            "check": [*CORPUS, "check", "--data", data],
            "standard library": [PYTHON, str(HERE / "baseline_stats.py"), data],
        }
        if rows <= 100_000:
            commands["frictionless"] = [PYTHON, str(HERE / "baseline_frictionless.py"), data]
        targets = ()
        if rows in limits:
            most, seconds = limits[rows]
            targets = (
                Target("check --no-near-titles", "standard library", most),
                Target("check", "check --no-near-titles", 20.0, seconds=seconds),
            )
        cases.append(Case("check", rows, commands, targets, 5 if rows < 1_000_000 else 3))
    return cases


def printing(sizes: list[int], make) -> list[Case]:
    """`corpus build` on the shipped corpus, from nothing and unchanged; a large LaTeX appendix."""
    out = HERE / ".build"
    build = f"{PYTHON} -m corpus build --out {out}"
    commands = {
        "build from nothing": ["sh", "-c", f"rm -rf {out} && {build}"],
        "build unchanged": ["sh", "-c", build],
        "build --check": ["sh", "-c", f"{build} --check"],
    }
    cases = [Case("build", 84, commands, (), 3)]
    for rows in sizes:
        data = str(make(rows))
        commands = {
            "render-appendix": [*CORPUS, "render-appendix", "--data", data],
            "standard library": [PYTHON, str(HERE / "baseline_stats.py"), data],
        }
        limits = {100_000: (Target("render-appendix", "standard library", 40.0, 1500.0),)}
        cases.append(Case("appendix", rows, commands, limits.get(rows, ()), 3))
    return cases
