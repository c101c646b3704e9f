"""No state of a change needs pandas: values are made from buffers."""

import subprocess
import sys

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
