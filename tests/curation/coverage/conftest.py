"""The corpus that lists are compared with."""

import pytest

from tests.support.covered import covered_study


@pytest.fixture
def study(tmp_path):
    """The full corpus with a candidate and three verdicts."""
    return covered_study(tmp_path)
