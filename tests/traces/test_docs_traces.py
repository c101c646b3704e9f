"""The examples of docs/traces.md do what the page shows."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/traces.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ corpus (.*)\n((?:.*\n)*?)```", PAGE)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_page_shows(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    output = CliRunner().invoke(main, shlex.split(command), catch_exceptions=False).stdout
    first, _, last = shown.partition("...\n")
    assert output.startswith(first)
    assert output.endswith(last)
    assert last or output == first
