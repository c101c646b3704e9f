"""A corpus is read whole; what cannot be read is a finding, and what cannot be counted an error."""

from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import load_corpus


def names(findings):
    return [(found.code, Path(found.file).name, found.line) for found in findings]


def test_every_file_that_cannot_be_read_is_reported_at_once(minimal):
    (minimal / "papers.csv").write_text("id;authors\n", "utf-8")
    (minimal / "protocol.toml").write_text("a = \n", "utf-8")
    with pytest.raises(CorpusError) as raised:
        load_corpus(str(minimal))
    assert names(raised.value.findings) == [("C121", "papers.csv", 1), ("C119", "protocol.toml", 1)]


def test_every_finding_that_prevents_counting_is_reported_at_once(minimal):
    sensors = minimal / "sensors.csv"
    text = sensors.read_text("utf-8")
    sensors.write_text(text.replace("optical", "optcal").replace("till,", "clay,"), "utf-8")
    (minimal / "papers.csv").unlink()
    with pytest.raises(CorpusError) as raised:
        load_corpus(str(minimal))
    assert names(raised.value.findings) == [
        ("C101", "papers.csv", 0), ("C202", "sensors.csv", 3), ("C301", "sensors.csv", 4),
    ]  # fmt: skip


def test_without_a_codebook_nothing_is_read(minimal):
    (minimal / "codebook.toml").unlink()
    with pytest.raises(CorpusError) as raised:
        load_corpus(str(minimal))
    assert names(raised.value.findings) == [("C101", "codebook.toml", 0)]
