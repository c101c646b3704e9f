"""Records of the shipped corpus for the tests of the kinds."""

import pytest

from tests.support import drawn


@pytest.fixture(scope="session")
def shipped():
    return {name: data for name, (_, data) in drawn.shipped().items()}
