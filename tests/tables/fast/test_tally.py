"""Counts of a pool are the same by every way, and nothing is counted where something is wrong."""

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.documents import read_codebook
from corpus.tables.fast import tally
from corpus.tables.fast.tally import contingency_of, tally_pool, tally_table
from tests.corpora.full import full, full_of, sensor
from tests.corpora.minimal import FILES, write_minimal

PROBES = {("dielectric",): 1, ("optical",): 1, ("none",): 1}


@pytest.fixture
def corpus(tmp_path):
    data = write_minimal(tmp_path / "soil")
    return data, read_codebook(str(data))


@pytest.mark.parametrize("least", [0, 1 << 40])
def test_columns_are_counted_in_the_order_in_which_they_are_asked_for(corpus, monkeypatch, least):
    monkeypatch.setattr(tally, "SCAN_BYTES", least)
    data, book = corpus
    assert tally_pool(str(data), book, ("probe",)) == PROBES
    assert tally_pool(str(data), book, ()) == {(): 3}
    assert tally_pool(str(data), book, ("measures", "year")) == {
        ("moisture; salt", "2020"): 1,
        ("moisture", "2021"): 1,
        ("heat", "2019"): 1,
    }


@pytest.mark.parametrize("least", [0, 1 << 40])
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("optical,", "optic,", "C202"),
        ("fen,Light", "clay,Light", "C301"),
        ("heat,\n", "heat\n", "C114"),
        ("id,name", "id,title", "C116"),
    ],
)
def test_nothing_is_counted_where_something_is_wrong(corpus, monkeypatch, least, old, new, code):
    """Also where the wrong term is in a column that is not asked for."""
    monkeypatch.setattr(tally, "SCAN_BYTES", least)
    data, book = corpus
    text = FILES["sensors.csv"]
    assert old in text
    (data / "sensors.csv").write_text(text.replace(old, new), encoding="utf-8", newline="")
    with pytest.raises(CorpusError) as caught:
        tally_pool(str(data), book, ("measures",))
    assert code in {finding.code for finding in caught.value.findings}


def test_a_missing_file_is_a_finding_and_no_count_of_zero(corpus):
    data, book = corpus
    (data / "sensors.csv").unlink()
    with pytest.raises(CorpusError) as caught:
        tally_pool(str(data), book, ("probe",))
    assert [finding.code for finding in caught.value.findings] == ["C101"]


def test_a_table_in_memory_is_counted_by_all_axes_or_some_columns():
    study = full()
    assert tally_table(study.pool, study.codebook, ("depth",)) == {
        ("surface",): 2,
        ("shallow",): 1,
        ("deep",): 1,
        ("none",): 1,
    }
    counted = contingency_of(study)
    assert counted.columns == ("depth", "senses")
    assert counted.cells["surface", "water; heat"] == 1
    assert contingency_of(study, ("senses",)).cells == {
        ("water; heat",): 1,
        ("water",): 2,
        ("salt",): 1,
        ("heat",): 1,
    }


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ([sensor("ada", depth="lava")], ["C202"]),
        ([sensor("ada"), sensor("ada")], ["C301"]),
        ([sensor("ada", senses="water; water")], ["C219"]),
        ([sensor("ada", depth="")], ["C201"]),
    ],
)
def test_wrong_rows_in_memory_are_findings(rows, codes):
    study = full_of(*rows)
    with pytest.raises(CorpusError) as caught:
        tally_table(study.pool, study.codebook, ("depth",))
    assert [finding.code for finding in caught.value.findings] == codes
