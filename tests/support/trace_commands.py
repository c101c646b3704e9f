"""Commands about traces in this process, and the example traces of the repository."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.support.made_traces import run_of

EXAMPLES = Path(__file__).parents[2] / "data" / "traces" / "examples"
REPORT = EXAMPLES / "hierarchical_report.json"
FILES = sorted(EXAMPLES.glob("*.json"))
each_example = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def trace(*arguments, input=None):
    """Run ``corpus trace`` with some arguments."""
    command = ["trace", *map(str, arguments)]
    return CliRunner().invoke(main, command, input=input, catch_exceptions=False)


def run_in(path):
    """The run of a file with one trace."""
    return run_of(json.loads(path.read_text(encoding="utf-8")))
