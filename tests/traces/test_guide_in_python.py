"""The guide to traces in Python: every cell prints what the page shows."""

import doctest
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "traces-in-python.md"


def test_every_cell_prints_what_the_page_shows(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "data" / "traces", tmp_path / "data" / "traces")
    monkeypatch.chdir(tmp_path)
    failed, cells = doctest.testfile(str(GUIDE), module_relative=False, verbose=False)
    assert failed == 0
    assert cells > 15
    assert (tmp_path / "slide.png").read_bytes().startswith(b"\x89PNG")
