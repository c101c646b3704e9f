"""Values made from buffers are those that Arrow makes itself, and no state of a change needs pandas."""

import subprocess
import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.arrow_values import all_true, integer, integers, string, strings

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@given(st.lists(texts, max_size=6))
def test_texts_are_those_of_arrow(values):
    made = strings(values)
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.string()))


@pytest.mark.parametrize("numbers", [[], [0], [-1, 1 << 62, -(1 << 63)], range(3)])
def test_whole_numbers_are_those_of_arrow(numbers):
    made = integers(numbers)
    made.validate(full=True)
    assert made.equals(pa.array(list(numbers), pa.int64()))


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, 65])
def test_a_mask_keeps_every_row(length):
    made = all_true(length)
    made.validate(full=True)
    assert made.to_pylist() == [True] * length


def test_scalars_are_those_of_arrow():
    assert string("\u00d6l").equals(pa.scalar("\u00d6l"))
    assert integer(3).equals(pa.scalar(3))


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
