"""How the program ends: at once, with the exit code of the command, and never as if lost output had been printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("main()", 0),
        ("sys.argv[1] = 'nonsense'; main()", 2),
        ("import corpus.cli.main as m; m.main = lambda: 1 / 0; main()", 1),
        ("import corpus.cli.main as m; m.main = lambda: sys.exit('no'); main()", 1),
        ("print('only imported, as by a helper process')", 0),
        ("import pyarrow; main()", 0),
    ],
)
def test_the_exit_code_is_that_of_the_command(code, expected):
    start = f"import sys; sys.argv = ['corpus', 'stats']; from corpus.cli.entry import main; {code}"
    done = subprocess.run([sys.executable, "-c", start], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == expected, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("late", ["", "import click; click.echo = lambda text, **_: sys.stdout.write(text); "])
def test_output_that_is_lost_is_an_error(late):
    """Also where it is lost only when the program ends."""
    start = f"import sys; sys.argv = ['corpus', 'stats']; from corpus.cli.entry import main; {late}main()"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", start], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1, done.stderr
