"""A working directory for tests about stores."""

import pytest


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """The working directory is the temporary one."""
    monkeypatch.chdir(tmp_path)
