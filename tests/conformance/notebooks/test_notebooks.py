"""Every notebook of docs/ shows what its cells print today."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
from walk import NOTEBOOKS, execute


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_a_notebook_shows_what_its_cells_print(notebook, tmp_path):
    text = notebook.read_text(encoding="utf-8")
    assert execute(notebook, tmp_path) == text, "run: python docs/generate.py --guides"
    cells = json.loads(text)["cells"]
    assert all(cell["outputs"] for cell in cells if cell["cell_type"] == "code")
