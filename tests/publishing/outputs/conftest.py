"""What the tests of generated files share."""

import pytest


@pytest.fixture
def without_latex(monkeypatch):
    """The PDF has tests of its own; elsewhere it would only take time."""
    monkeypatch.setattr("corpus.printing.typeset.shutil.which", lambda name: None)


@pytest.fixture
def without_figures(monkeypatch):
    """Figures have tests of their own; drawing them takes most of the time of a build."""
    monkeypatch.setattr("corpus.publishing.outputs.catalogue.figure_outputs", lambda _: ())
