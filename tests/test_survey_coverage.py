"""What the survey announces or prints has a command that runs and a file, or a reason."""

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


def promises():
    found = []
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if (
            line.startswith("| ")
            and len(cells) == 3
            and cells[1] != "command"
            and cells[0] != "---"
        ):
            found.append(Promise(*cells))
    return found


def commands():
    found = [re.fullmatch(r"`corpus (.+)`", promise.command) for promise in promises()]
    return list(dict.fromkeys(match[1] for match in found if match))


def named(kind, text):
    return set(re.findall(rf"^\| {kind} ([0-9A-Z.]+)", text, flags=re.MULTILINE))


def test_each_section_table_figure_and_appendix_has_a_row():
    openings = set(re.findall(r"^\| (1\.\d) ", TEXT, flags=re.MULTILINE))
    assert openings == {"1.1", "1.2", "1.3", "1.4", "1.5"}
    assert named("table", TEXT) == {str(number) for number in range(1, 23)}
    assert named("figure", TEXT) == {str(number) for number in range(1, 19)}
    numbers = {found.split(".")[0] for found in re.findall(r"^\| ([0-9.]+) ", TEXT, re.MULTILINE)}
    assert numbers == {"1", *(str(number) for number in range(2, 15))}
    letters = set(re.findall(r"^\| ([ABC](?:\.[0-9])?) ", TEXT, re.MULTILINE))
    assert letters == {"A", "B", *(f"C.{number}" for number in range(1, 9))}


def test_each_row_has_a_command_or_tells_why_there_is_none():
    assert len(promises()) > 80
    for promise in promises():
        form = r"`corpus [^`]+`|(no data|unknown): .{5,}"
        assert re.fullmatch(form, promise.command), promise


def test_each_file_exists():
    for promise in promises():
        if promise.file == "–":
            assert not promise.command.startswith("`"), promise
            continue
        link = re.fullmatch(r"\[[^\]]+\]\(([^)]+)\)", promise.file)
        assert link, promise
        assert (PAGE.parent / link[1]).resolve().is_file(), promise


@pytest.mark.parametrize("command", commands())
def test_each_command_runs(run, command, tmp_path):
    arguments = shlex.split(command.replace("{example}", EXAMPLE))
    if arguments[0] == "figures":
        arguments += ["--format", "png", "--out", str(tmp_path)]
    result = run(*arguments, cwd=ROOT)
    assert result.exit_code == 0, result.output
    assert result.output
