"""Which faults mypy reports: such a fault cannot pass `make lint`, so no test has to find it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.fault import Fault

#: `unused-ignore` is left out: a fault that makes an ignored line valid has not been noticed by that.
COMMAND = [sys.executable, "-m", "mypy", "--no-warn-unused-ignores", "--output", "json"]


def caught_by_types(faults: Iterable[Fault], tree: Path) -> set[Fault]:
    """Return the faults that mypy reports, in a copy of the project that is used for nothing else.

    One run takes faults of many functions, at most one of each; an error is of the fault in whose function it is.
    """
    caught: set[Fault] = set()
    waiting = [fault for fault in faults if fault.file.suffix == ".py"]
    while waiting:
        chosen: dict[tuple[Path, str], Fault] = {}
        later = []
        for fault in waiting:
            place = (fault.file, _function_at(fault.file.read_text("utf-8"), fault.line))
            if chosen.setdefault(place, fault) is not fault:
                later.append(fault)
        caught |= _one_run(chosen, tree)
        waiting = later
    return caught


def _one_run(chosen: dict[tuple[Path, str], Fault], tree: Path) -> set[Fault]:
    files = sorted({file for file, _ in chosen})
    for file in files:
        source = file.read_text("utf-8")
        here = [fault for (other, _), fault in chosen.items() if other == file]
        for fault in sorted(here, key=lambda one: one.start, reverse=True):
            source = fault.applied(source)
        (tree / file).write_text(source, "utf-8")
    done = subprocess.run(COMMAND, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"mypy does not run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    caught = set()
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            print(f"mypy: {line}", flush=True)
            continue
        error = json.loads(line)
        if error["severity"] == "error":
            file = Path(error["file"])
            source = (tree / file).read_text("utf-8")
            fault = chosen.get((file, _function_at(source, error["line"])))
            if fault is not None:
                caught.add(fault)
    for file in files:
        (tree / file).write_text(file.read_text("utf-8"), "utf-8")
    return caught


def _function_at(source: str, line: int) -> str:
    """Return the name of the outermost function, or method, around a line; a statement of a module is its line."""
    for scope in ast.parse(source).body:
        if not scope.lineno <= line <= (scope.end_lineno or scope.lineno):
            continue
        if isinstance(scope, ast.ClassDef):
            for method in scope.body:
                if method.lineno <= line <= (method.end_lineno or method.lineno):
                    name = getattr(method, "name", f"statement at {method.lineno}")
                    return f"{scope.name}.{name}"
        return getattr(scope, "name", f"statement at {scope.lineno}")
    return f"line {line}"
