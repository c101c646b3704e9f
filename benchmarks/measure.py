"""Run commands in turn; report medians, ratios and peak memory as the operating system has them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

SLOW = 30
"""A command that takes this many seconds runs only once: warming up no longer changes its time."""


class Sample(NamedTuple):
    """One run of a command: wall-clock and processor seconds, and peak resident memory in MB."""

    seconds: float
    processor: float
    megabytes: float


class Measured(NamedTuple):
    """The medians of several runs; `code` is the exit code of the last one."""

    seconds: float
    processor: float
    megabytes: float
    code: int


def run_once(command: list[str], cwd: str | None = None) -> tuple[Sample, int]:
    """Run a command without its output; its peak counts children as far as the system does."""
    clean = {
        k: v
        for k, v in os.environ.items()
        if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    }
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd, env=clean
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1024 if sys.platform == "linux" else 1024 * 1024
    processor = usage.ru_utime + usage.ru_stime
    return Sample(seconds, processor, usage.ru_maxrss / scale), process.returncode


def interleaved(
    commands: dict[str, list[str]], runs: int, cwd: str | None = None
) -> dict[str, Measured]:
    """Run every command once to warm up, then all in turn `runs` times; return medians by name.

    A command that takes longer than `SLOW` runs only once.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    codes: dict[str, int] = {}
    for turn in range(runs + 1):
        for name, command in commands.items():
            if turn and samples[name][:1] and samples[name][0].seconds > SLOW:
                continue
            sample, codes[name] = run_once(command, cwd)
            if turn or sample.seconds > SLOW:
                samples[name].append(sample)
    return {
        name: Measured(
            statistics.median(s.seconds for s in found),
            statistics.median(s.processor for s in found),
            statistics.median(s.megabytes for s in found),
            codes[name],
        )
        for name, found in samples.items()
    }
