"""What the survey announces has a command that runs and a file that exists, or a reason."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/survey-coverage.md"
TEXT = PAGE.read_text(encoding="utf-8")

#: Commands that stop with a code of their own where there is something to report.
EXAMPLE = "data/traces/examples/swarm_refund.json"


class Promise(NamedTuple):
    """One row of the page: what is announced, the command or reason, the file."""

    announced: str
    command: str
    file: str


def promises() -> list[Promise]:
    found = []
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == 3 and cells[1] != "command":
            found.append(Promise(*cells))
    return found


def commands() -> list[str]:
    found = [re.fullmatch(r"`corpus (.+)`", promise.command) for promise in promises()]
    return list(dict.fromkeys(match[1] for match in found if match))


def test_each_section_of_the_opening_has_rows():
    parts = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
    numbers = [re.search(r"\((1\.\d)\)", part)[1] for part in parts]
    assert numbers == ["1.1", "1.2", "1.3", "1.4", "1.5"]
    assert all(part.count("\n| ") > 4 for part in parts)


def test_each_row_has_a_command_or_tells_why_it_cannot_be_known():
    assert len(promises()) > 35
    for promise in promises():
        is_command = re.fullmatch(r"`corpus [^`]+`", promise.command) is not None
        is_unknown = re.match(r"unknown: \w.{20,}", promise.command) is not None
        assert is_command or is_unknown, promise


@pytest.mark.parametrize("promise", promises(), ids=lambda promise: promise.announced[:40])
def test_each_file_exists(promise):
    link = re.fullmatch(r"\[[^\]]+\]\(([^)]+)\)", promise.file)
    assert link, promise
    assert (PAGE.parent / link[1]).resolve().is_file(), promise


@pytest.mark.parametrize("command", commands())
def test_each_command_runs(run, command, tmp_path):
    line = command.replace("{folder}", str(tmp_path)).replace("{example}", EXAMPLE)
    result = run(*shlex.split(line), cwd=ROOT)
    assert result.exit_code == 0, result.output
    assert result.output
