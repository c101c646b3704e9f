"""What the commands that change a corpus share: whom to ask."""

import pytest

from corpus.cli.change.asking import fetched
from corpus.model.work import Work
from tests.support.recorded_answers import offline


@pytest.fixture
def no_connection(monkeypatch):
    def refuse(*_):
        raise offline()

    monkeypatch.setattr("corpus.curation.lookup.transport.open_address", refuse)


@pytest.mark.parametrize(
    ("reference", "known"),
    [
        (
            "arXiv:2601.00010v3",
            {
                "year": "2026",
                "venue": "arXiv",
                "arxiv": "2601.00010",
                "doi": "10.48550/arXiv.2601.00010",
                "url": "https://arxiv.org/abs/2601.00010",
                "first_public": "2026-01",
                "evidence": "arXiv id month",
            },
        ),
        ("10.5555/mire.2025.7", {"doi": "10.5555/mire.2025.7", "url": "https://doi.org/10.5555/mire.2025.7"}),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("no_connection")
def test_without_a_connection_a_reference_tells_what_it_can(reference, known, capsys):
    assert fetched(reference) == Work("hand", **known)
    assert "going on by hand" in capsys.readouterr().err
