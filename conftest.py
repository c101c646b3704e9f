"""Examples in docstrings show the corpus as it was published: rows that are added change none."""

from __future__ import annotations

import pytest
from _pytest.doctest import DoctestItem

from tests.conftest import REAL


@pytest.fixture(autouse=True)
def published_corpus(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run examples where `corpus.load()` finds the published corpus."""
    if isinstance(request.node, DoctestItem):
        monkeypatch.chdir(REAL.parent)
