"""No state of a change needs pandas: values are made from buffers."""

import subprocess
import sys
from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.arrays import repeated_values, strings

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


#: Also such that the three words which are compared first are equal, and more bytes than letters.
TEXTS = st.text("aé", max_size=3) | st.builds(
    "a".join, st.lists(st.sampled_from("bé"), max_size=40)
)


@given(st.lists(st.lists(TEXTS, max_size=9), max_size=3))
def test_repeated_values_are_those_that_are_counted_twice(chunks):
    cells = Counter(text for chunk in chunks for text in chunk)
    columns = pa.chunked_array([strings(["skipped", *chunk])[1:] for chunk in chunks], pa.string())
    found = repeated_values(columns).to_pylist()
    assert sorted(found) == sorted(text for text, times in cells.items() if times > 1)
