"""Values made from buffers are those that Arrow makes itself, and no state of a change needs pandas."""

import subprocess
import sys

import pytest

from corpus.tables.sheet import all_true


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, 65])
def test_a_mask_keeps_every_row(length):
    made = all_true(length)
    made.validate(full=True)
    assert made.to_pylist() == [True] * length


SCRIPT = """
import sys
from corpus.curation.check.check import check_corpus
findings = check_corpus(sys.argv[1], schemas=False)
print(len(findings), "pandas" in sys.modules)
"""


def test_a_state_of_a_change_is_checked_without_pandas(minimal):
    """Arrow imports it with the first value of Python that it converts."""
    command = [sys.executable, "-c", SCRIPT, str(minimal)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "0 False\n"
