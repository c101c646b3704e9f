"""A corpus to audit, and a sheet drawn from it."""

from pathlib import Path

import pytest

from tests.corpora.full import write_full
from tests.support.audited import run


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_full(tmp_path)


@pytest.fixture
def sheet(data):
    run("plan", "--size", 3, "--seed", "peat", "-o", "second.csv")
    return Path("second.csv")
