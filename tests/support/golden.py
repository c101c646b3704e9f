"""Golden files: the wording of whole documents. ``UPDATE_GOLDEN=1`` writes them anew."""

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def golden(name, text):
    """Hold a document against its golden file."""
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_text(encoding="utf-8"), (
        f"{path} differs; UPDATE_GOLDEN=1 writes it anew"
    )
