"""One fault and the tests: each trial is a process of its own, forked from one that has imported what all need."""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.mutants.fault import Fault
from tests.mutants.reach import Reach

PLAIN = [
    "-p", "no:cacheprovider", "--assert=plain", "--tb=short", "-o", "addopts=", "-m", "not slow", "-q", "--doctest-modules",
]  # fmt: skip
#: Seconds of processor time of tests that a fault has to survive.
LIMIT = 15.0
#: The same for a script of a page: most of the time a browser starts, which is not counted.
SCRIPT_LIMIT = 6.0
#: Milliseconds that a test waits for a page which a fault has broken.
PATIENCE = 15_000
#: The tests of a page that look at most of it.
SCRIPT_TESTS = ("test_filtered_numbers.py", "test_browse.py")
#: What takes long to import; the package itself is imported anew in each trial.
HEAVY = ["click.testing", "hypothesis", "matplotlib.figure", "openpyxl", "pandas", "pandera", "pyarrow.csv", "pyarrow.parquet", "rispy"]  # fmt: skip


class _Chosen:
    """A plugin of pytest that keeps some tests, in a given order."""

    def __init__(self, wanted: list[str]) -> None:
        self.place = {name: at for at, name in enumerate(wanted)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose the tests; their conftest has set another profile by now."""
        _do_not_shrink()
        conftest = sys.modules.get("tests.conftest")
        if conftest is not None:
            conftest.PATIENCE = PATIENCE
        items[:] = [item for item in items if item.nodeid in self.place]
        items.sort(key=lambda item: self.place[item.nodeid])


class Trials:
    """The tests of a part, in a copy of the project."""

    def __init__(self, tree: Path, tests: list[str]) -> None:
        self.tree = tree
        self.tests = tests
        for name in HEAVY:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        self.seconds: dict[str, float] = {}
        self.reached: dict[str, set[tuple[str, int]]] = {}

    def learn(self) -> None:
        """Run the tests once without a fault: they have to pass."""
        answer = self.tree / ".reach.json"

        def record() -> int:
            reach = Reach(self.tree)
            code = pytest.main([*PLAIN, *self.tests], plugins=[reach])
            found = {name: sorted(functions) for name, functions in reach.reached.items()}
            answer.write_text(json.dumps({"seconds": reach.seconds, "reached": found}))
            return int(code)

        if self._forked(record, 3600.0) != 0:
            raise RuntimeError(f"the tests fail without a fault: {' '.join(self.tests)}")
        known = json.loads(answer.read_text())
        self.seconds = known["seconds"]
        self.reached = {
            name: {(file, line) for file, line in functions}
            for name, functions in known["reached"].items()
        }

    def chosen(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault: those of the file that mirrors the module first, then the quick ones."""
        mirror = Path("tests", *fault.file.parts[1:-1], f"test_{fault.file.stem}.py")
        if fault.file.suffix == ".py":
            reaching = self._reaching(fault)
        else:
            reaching = set(self.reached)  # what a browser runs is not recorded
        # The examples in the module's own docstrings are tests as well.
        limit = LIMIT
        own = (f"{mirror}::", f"{fault.file}::")
        if fault.file.suffix == ".js":
            limit = SCRIPT_LIMIT
            own = tuple(f"{mirror.parent.parent / name}::" for name in SCRIPT_TESTS)
        reaching |= {name for name in self.reached if name.startswith(own)}
        order = sorted(reaching, key=lambda name: (not name.startswith(own), self.seconds[name]))
        kept: list[str] = []
        used = 0.0
        for name in order:
            used += self.seconds[name]
            if kept and used > limit:
                break
            kept.append(name)
        return kept

    def _reaching(self, fault: Fault) -> set[str]:
        source = fault.file.read_text("utf-8")
        file = str(fault.file)
        inside = _functions_at(source, fault.line)
        return {
            name
            for name, functions in self.reached.items()
            if any(where == file and (not inside or line in inside) for where, line in functions)
        }

    def survives(self, fault: Fault) -> bool:
        """Return whether all tests that reach the fault pass; one that hangs has found it."""
        wanted = self.chosen(fault)
        if not wanted:
            return True
        target = self.tree / fault.file
        original = target.read_text("utf-8")
        seconds = sum(self.seconds[name] for name in wanted)
        files = sorted({name.split("::")[0] for name in wanted})

        def run() -> int:
            return int(pytest.main([*PLAIN, "-x", *files], plugins=[_Chosen(wanted)]))

        try:
            target.write_text(fault.applied(original), "utf-8")
            code = self._forked(run, 120 + 20 * seconds)
        finally:
            target.write_text(original, "utf-8")
        # 1: a test failed, 2: a module could not be imported; a crash or an endless loop was noticed, too.
        noticed = code is None or code in (1, 2) or code < 0
        return not noticed

    def _forked(self, run: Callable[[], int], limit: float) -> int | None:
        """Return the exit code of a function in a new process, None where it takes too long."""
        log = self.tree / ".trial.log"
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _in_child(run, self.tree, log)
        return _waited(child, limit)


def _in_child(run: Callable[[], int], tree: Path, log: Path) -> None:
    code = 70
    try:
        os.setsid()  # a browser that a test has started ends with it
        with log.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        folder = tempfile.mkdtemp(prefix="mutant-")
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        # No byte code: a changed file of the same length and second would be taken for the old one.
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        os.environ["PYTHONPATH"] = str(tree)
        here = str(Path(__file__).parents[2])
        sys.path[:] = [str(tree), *(path for path in sys.path if path not in ("", here))]
        for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "corpus")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        os.chdir(tree)
        code = run()
        shutil.rmtree(folder, ignore_errors=True)
    except BaseException:  # pytest was not even able to start
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _waited(child: int, limit: float) -> int | None:
    """Return the exit code, None where the child takes too long; what it has started ends with it."""
    end = time.monotonic() + limit
    code = None
    try:
        while code is None and time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.02)
    finally:  # also where somebody ends this process
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    if code is None:
        os.waitpid(child, 0)
    return code


def _do_not_shrink() -> None:
    """Let a failing property fail at once, with the same examples in every process."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "faults", deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    settings.load_profile("faults")


def _functions_at(source: str, line: int) -> set[int]:
    """Return the first lines of the functions around a line, decorators included; none for a statement of a module."""
    around: Iterable[ast.AST] = ast.walk(ast.parse(source))
    found = set()
    for node in around:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body[0].lineno
            if body <= line <= (node.end_lineno or node.lineno):
                found.add(first)
    # Only the innermost: whoever reaches an outer function has not run the inner one.
    return {max(found)} if found else set()
