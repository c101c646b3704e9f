"""Viewers of made-up runs, written as a user would write them."""

import json
from pathlib import Path

import pytest

from tests.support.trace_commands import REPORT, trace


def write_viewer(output, *runs):
    """Write the viewer of these files."""
    result = trace("view", *runs, "-o", output)
    assert result.exit_code == 0, result.output
    return output


@pytest.fixture
def viewer(tmp_path):
    """Return a function that writes the viewer of some traces, each a dict or a file."""

    def write(*traces):
        files = []
        for number, made in enumerate(traces):
            if isinstance(made, Path):
                files.append(made)
                continue
            file = tmp_path / f"run-{number}.json"
            file.write_text(json.dumps(made, indent=1), encoding="utf-8")
            files.append(file)
        return write_viewer(tmp_path / "run.html", *files)

    return write


@pytest.fixture(scope="session")
def report_page(tmp_path_factory):
    """The viewer of an example with eight agents, two levels of spawns and a wasted one."""
    folder = tmp_path_factory.mktemp("viewer")
    return write_viewer(folder / "report.html", REPORT)
