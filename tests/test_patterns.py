"""No pattern of the package takes time that grows with the square of a text; see patterns.py."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patterns import Use as PatternUse
from tests.patterns import ends, uses


@pytest.mark.slow
def test_no_pattern_is_quadratic():
    command = [sys.executable, "-m", "tests.patterns"]
    run = subprocess.run(
        command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True
    )
    assert int(run.stdout) > 100
    assert run.stderr == ""


def test_the_patterns_of_the_checks_are_among_them():
    places = {use.place for use in uses()}
    found = {"C216.lacks", "C207.form", "corpus.model.identifiers._DOI_ANYWHERE"}
    assert found <= places


def test_a_quadratic_pattern_is_found():
    assert not ends(PatternUse("here", re.compile(r"\$[^$]*[\\^_][^$]*\$"), ("search",)))
