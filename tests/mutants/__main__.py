"""Mutation testing by parts: `python -m tests.mutants tables --budget 600`.

A sample of the faults of a part, drawn with a seed, is made one at a time. mypy looks at each; what it lets through
is run with the tests of the part that reach it, for some seconds. So a score is a lower bound.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutants.fault import Fault
from tests.mutants.python import python_faults
from tests.mutants.scripts import script_faults
from tests.mutants.trial import Trials
from tests.mutants.types import caught_by_types

#: Faults whose types are checked in one go.
BATCH = 30
#: Packages that are tested through their commands: where these tests are, besides the mirror of the package.
COMMANDS = {
    "analysis/audit": ["tests/cli/audit"],
    "analysis/history": ["tests/cli/ask/test_history.py"],
    "curation/coverage": ["tests/cli/check/test_coverage.py"],
    "curation/retrieval": ["tests/cli/change/test_retrieve.py"],
    "curation/screening": ["tests/cli/change/test_screen.py"],
}


@dataclass
class Score:
    """What became of the faults of a part."""

    part: str
    count: Counter[str] = field(default_factory=Counter)

    def line(self) -> str:
        """Write the score as a row of the table in docs/decisions/testing.md."""
        untyped = self.count["tests"] + self.count["survived"]
        share = 100 * self.count["tests"] / max(1, untyped)
        cells = (self.part, self.count.total(), self.count["types"], self.count["tests"], self.count["survived"], f"{share:.0f} %")  # fmt: skip
        return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Run one part after the other and print the survivors and the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("parts", nargs="+", help="folders of the package, such as tables")
    parser.add_argument("--budget", type=float, default=600, help="seconds for each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=100_000, help="faults for each part")
    parser.add_argument(
        "--work", type=Path, default=Path("mutants"), help="for copies and outcomes"
    )
    options = parser.parse_args()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(143)
    )  # so that the process of a trial ends, too
    scores = []
    for part in options.parts:
        scores.append(run_part(part.removeprefix("corpus/"), options))
    print("\n| part | faults | by types | by tests | survived | of the untyped |")
    print("|---|---:|---:|---:|---:|---:|")
    for score in scores:
        print(score.line())


def run_part(part: str, options: argparse.Namespace) -> Score:
    """Draw faults of a part until the budget is spent."""
    # Drawn by a digest of each: what is added to the package leaves the rest of the sample as it is.
    faults = sorted(faults_of(part), key=lambda fault: _draw(fault, options.seed))[: options.most]
    print(f"{part}: {len(faults)} faults, seed {options.seed}", flush=True)
    tree = fresh_copy(options.work / "tests")
    for_types = fresh_copy(options.work / "types")
    trials = Trials(tree, tests_of(part))
    trials.learn()
    known = Known(options.work / "known.json")
    score = Score(part)
    start = time.monotonic()
    while faults and time.monotonic() < start + options.budget:
        batch, faults = faults[:BATCH], faults[BATCH:]
        batch = [fault for fault in batch if _parses(fault)]
        unseen = [fault for fault in batch if known.outcome(fault) is None]
        typed = caught_by_types(unseen, for_types)
        for fault in batch:
            if time.monotonic() >= start + options.budget:
                break
            outcome = known.outcome(fault)
            if outcome in (None, "survived"):
                outcome = _outcome(fault, typed, trials)
                known.keep(fault, outcome)
            score.count[outcome] += 1
            if outcome == "survived":
                _report(fault, trials)
    print(score.line(), flush=True)
    return score


def _outcome(fault: Fault, typed: set[Fault], trials: Trials) -> str:
    if fault in typed:
        return "types"
    if trials.survives(fault):
        return "survived"
    return "tests"


class Known:
    """What is known from earlier runs: a fault that was found is not made again while its file is the same."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.outcomes: dict[str, str] = {}
        if file.exists():
            self.outcomes = json.loads(file.read_text("utf-8"))

    def outcome(self, fault: Fault) -> str | None:
        """Return what an earlier run has shown, None where there is none."""
        return self.outcomes.get(_name(fault))

    def keep(self, fault: Fault, outcome: str) -> None:
        """Write down an outcome at once: a run that is stopped loses nothing."""
        self.outcomes[_name(fault)] = outcome
        self.file.write_text(json.dumps(self.outcomes, indent=0), "utf-8")


def _draw(fault: Fault, seed: int) -> str:
    source = fault.file.read_text("utf-8")
    around = source[max(0, fault.start - 30) : fault.end + 30]
    return hashlib.sha256(f"{seed}|{fault.file}|{around}|{fault.replacement}".encode()).hexdigest()


def _name(fault: Fault) -> str:
    source = hashlib.sha256(fault.file.read_bytes()).hexdigest()[:12]
    return f"{fault.file} {source} {fault.start} {fault.end} {fault.replacement}"


def _report(fault: Fault, trials: Trials) -> None:
    reached = len(trials.chosen(fault))
    print(f"{fault.file}:{fault.line}: survives {reached} tests")
    print(fault.difference(fault.file.read_text("utf-8")), flush=True)


def _parses(fault: Fault) -> bool:
    if fault.file.suffix != ".py":
        return True
    try:
        ast.parse(fault.applied(fault.file.read_text("utf-8")))
    except SyntaxError:
        return False
    return True


def faults_of(part: str) -> list[Fault]:
    """Return all faults of the modules and scripts of a part, a folder or one file."""
    place = Path("corpus", part)
    files = [place]
    if place.is_dir():
        files = sorted(place.rglob("*.py")) + sorted(place.rglob("*.js"))
    found = []
    for file in files:
        if file.suffix == ".js":
            found += script_faults(file)
        elif not file.name.endswith("_rules.py"):  # the catalogue of messages
            found += python_faults(file)
    return found


def tests_of(part: str) -> list[str]:
    """Return where the tests of a part are: its mirror or the nearest folder above, commands, docstrings."""
    mirror = Path("tests", part)
    while not mirror.is_dir():
        mirror = mirror.parent
    commands = [
        path
        for name, paths in COMMANDS.items()
        if part == name or part.startswith(f"{name}/")
        for path in paths
    ]
    return [str(mirror), *commands, str(Path("corpus", part))]


def fresh_copy(folder: Path) -> Path:
    """Copy what git knows of the project, as it is in the working tree; caches of the copy stay."""
    tree = folder.absolute()
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)  # fmt: skip
    wanted = {Path(line) for line in listed.stdout.splitlines() if Path(line).is_file()}
    for file in wanted:
        target = tree / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != file.read_bytes():
            shutil.copy2(file, target)
    for folder in ("corpus", "tests", "data"):
        for old in (tree / folder).rglob("*"):
            gone = old.is_file() and old.relative_to(tree) not in wanted
            if gone and "__pycache__" not in old.parts:
                old.unlink()
    return tree


if __name__ == "__main__":
    main()
