"""The page of a corpus in a file: the real one, and the minimal one."""

import pytest

from tests.conftest import REAL
from tests.corpora.minimal import write_minimal
from tests.support.browsing import write_page


@pytest.fixture(scope="session")
def real_page(tmp_path_factory):
    return write_page(REAL, tmp_path_factory.mktemp("page") / "real.html")


@pytest.fixture(scope="session")
def minimal_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    return write_page(write_minimal(folder / "minimal"), folder / "minimal.html")
