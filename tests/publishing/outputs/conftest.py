"""What the tests of generated files share."""

import pytest


@pytest.fixture
def without_latex(monkeypatch):
    """The PDF has tests of its own; elsewhere it would only take time."""
    monkeypatch.setattr("corpus.printing.typeset.shutil.which", lambda name: None)
