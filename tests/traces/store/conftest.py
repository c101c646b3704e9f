"""Fixtures of the tests of stores."""

import json

import pytest

from tests.support.made_traces import pair
from tests.support.stores import write_lines


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    write_lines(folder / "a.jsonl", range(20))
    (folder / "b.json").write_text(json.dumps(pair(), indent=1))
    return folder
