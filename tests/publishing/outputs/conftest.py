"""What the tests of generated files share."""

import pytest

from corpus.publishing.outputs.build import build
from tests.support.built import sources


@pytest.fixture
def without_figures(monkeypatch):
    """Figures have tests of their own; drawing them takes most of the time of a build."""
    monkeypatch.setattr("corpus.publishing.outputs.catalogue.study_figures", lambda _: {})


@pytest.fixture
def built(minimal, without_figures):
    """The folder of the minimal corpus, its reports made."""
    build(sources(minimal), str(minimal.parent))
    return minimal.parent
