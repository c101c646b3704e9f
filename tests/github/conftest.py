"""A repository on a stand-in for GitHub, with a small made-up corpus."""

import shutil
from pathlib import Path

import pytest

from .hub import Hub, make_start


@pytest.fixture(scope="session")
def start(tmp_path_factory):
    """The files of the corpus; every generated one is current."""
    root = tmp_path_factory.mktemp("start") / "soil"
    make_start(root)
    return root


@pytest.fixture
def hub(tmp_path, start):
    """The repository, with one commit on main."""
    folder = tmp_path / "hub"
    folder.mkdir()
    return Hub(folder, Path(shutil.copytree(start, tmp_path / "start")))
