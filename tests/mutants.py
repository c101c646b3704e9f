"""Mutation testing by mutmut, `make mutants`: which faults in two packages the tests find.

mutmut starts pytest anew for every mutant, which takes longer than the tests. Here its fork server collects the tests
once, and the process of a mutant runs those that reach the mutated function: first the file that mirrors the module,
then the quick ones, up to `BUDGET` seconds in all. So a score is a lower bound.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import pkgutil
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mutmut.__main__ import cli
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import change_cwd
from mutmut.workers import isolation

if TYPE_CHECKING:  # mutmut imports pytest only in the processes that it starts
    import pytest

BUDGET = (
    1.0  #: seconds of tests that a mutant has to survive; of the mirroring file five times as many
)


class CollectedOnce(PytestRunner):
    """Runs the tests of a mutant in a session that was collected before the fork."""

    session: pytest.Session | None = None

    def warm_up(self) -> None:
        """Import the package and collect the tests."""
        import pytest
        from _pytest.config import _prepareconfig

        plain = ["--rootdir=.", "--capture=no", "--tb=native", "--assert=plain", "-q"]
        with change_cwd("mutants"):
            config = _prepareconfig(
                [*plain, *self._pytest_add_cli_args, *self._pytest_add_cli_args_test_selection]
            )
            _do_not_shrink()
            for module in pkgutil.walk_packages(
                importlib.import_module("corpus").__path__, "corpus."
            ):
                if not module.name.endswith("__main__"):
                    importlib.import_module(module.name)
            config._do_configure()
            self.session = pytest.Session.from_config(config)
            config.hook.pytest_sessionstart(session=self.session)
            config.hook.pytest_collection(session=self.session)
            gc.collect()
            gc.freeze()  # what all processes share is not to be looked through, and so copied, in each

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Return 1 where a test fails, else 0; without a mutant, all tests are run as mutmut does."""
        if self.session is None:
            return super().run_tests(mutant_name=mutant_name, tests=tests)
        items = _in_order(self.session.items, set(tests), str(mutant_name))
        used = sum(state().duration_by_test[item.nodeid] for item in items)
        limit = int(time.process_time() + 10 * (used + 1))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        self.session.config._tmp_path_factory._given_basetemp = folder / "tests"
        with change_cwd("mutants"):
            try:
                for item, following in zip(items, [*items[1:], None], strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if self.session.testsfailed:
                        return 1
                return 0
            finally:
                shutil.rmtree(folder, ignore_errors=True)


def _do_not_shrink() -> None:
    """Let a failing property be a failing test at once, with the same examples in every process."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "mutants", deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    settings.load_profile("mutants")


def _in_order(items: list[pytest.Item], wanted: set[str], mutant: str) -> list[pytest.Item]:
    *folders, module, _ = mutant.split(".")[1:]
    mirror = Path("tests", *folders, f"test_{module}.py")
    seconds = state().duration_by_test
    found = [item for item in items if item.nodeid in wanted]
    found.sort(key=lambda item: (_distance(item, mirror), seconds[item.nodeid]))
    kept, used = [], 0.0
    for item in found:
        used += seconds[item.nodeid]
        if used <= BUDGET * (1 if _distance(item, mirror) == 2 else 5) or not kept:
            kept.append(item)
    return kept


def _distance(item: pytest.Item, mirror: Path) -> int:
    """Return 0 for a test of the file that mirrors a module, 1 for one of another file of its name, else 2."""
    return 2 if item.path.name != mirror.name else 0 if item.path.match(str(mirror)) else 1


def table() -> str:
    """Return the scores so far as a table in Markdown, a line a module."""
    head = (
        "module",
        "mutants",
        "by types",
        "by tests",
        "survived",
        "not reached",
        "not run",
        "killed",
        "of the untyped",
    )
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * 8]
    total: Counter[str] = Counter()
    for meta in sorted(Path("mutants/corpus").rglob("*.py.meta")):
        codes = json.loads(meta.read_text("utf-8"))["exit_code_by_key"].values()
        count = Counter(status_by_exit_code[code] for code in codes)
        if count.total() > count["not checked"]:
            lines.append(_line(str(meta.relative_to("mutants/corpus"))[: -len(".py.meta")], count))
            total += count
    return "\n".join([*lines, _line("all", total)])


def _line(name: str, count: Counter[str]) -> str:
    """Write one module; a mutant that runs out of time is found. The shares are of the mutants that were run."""
    typed, tested = count["caught by type check"], count["killed"] + count["timeout"]
    left, unreached = count["survived"], count["no tests"]
    untyped = tested + left + unreached
    cells = (count.total(), typed, tested, left, unreached, count.total() - typed - untyped)
    shares = ((typed + tested) / max(1, typed + untyped), tested / max(1, untyped))
    return (
        f"| {name} | "
        + " | ".join([*map(str, cells), *(f"{share:.0%}" for share in shares)])
        + " |"
    )


def drop_stale_copies() -> None:
    """Remove from mutmut's folder what it would leave as it was: tests, templates, and modules that are gone."""
    shutil.rmtree("mutants/tests", ignore_errors=True)
    for copy in Path("mutants/corpus").rglob("*.*"):
        gone = copy.suffix == ".py" and not copy.relative_to("mutants").exists()
        if copy.is_file() and (gone or copy.suffix not in (".py", ".meta", ".spans")):
            copy.unlink()


def main(modules: list[str]) -> None:
    """Run mutmut with the quick runner on what was not run yet, or on all of some modules; print the scores."""
    sys.path[:] = [
        path for path in sys.path if path != str(Path(__file__).parent)
    ]  # the copies in mutants/ are meant
    isolation.PytestRunner = CollectedOnce
    drop_stale_copies()
    with contextlib.suppress(SystemExit):
        cli(["run", *(f"corpus.{module.replace('/', '.')}.*" for module in modules)])
    print(table())


if __name__ == "__main__":
    main(sys.argv[1:])
