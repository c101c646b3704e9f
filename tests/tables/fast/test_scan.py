"""Every way into the contingency table gives the same, whatever the file is."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.model.finding import CorpusError
from corpus.tables.documents import read_codebook
from corpus.tables.fast import blocks, tally
from corpus.tables.fast.scan import scan_tally
from tests.corpora.minimal import FILES, write_minimal

AXES = ("probe", "measures")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_minimal(tmp_path_factory.mktemp("arrow") / "soil")


def outcome(data, way, monkeypatch):
    """What `tally_pool` gives, asked to go one way: the cells, or the places of its findings."""
    monkeypatch.setattr(tally, "SCAN_BYTES", 0 if way == "scan" else 1 << 40)
    try:
        return tally.tally_pool(str(data), read_codebook(str(data)), AXES)
    except CorpusError as error:
        return [(f.code, f.line, f.char, f.column) for f in error.findings]


INSERTED = ["\n=======\n", '"=======', "\n<<<<<<< a", '""', '"\n"', "\n\n", ',""']
mutations = st.lists(
    st.tuples(
        st.integers(0, 600),
        st.integers(0, 4),
        st.sampled_from(INSERTED) | st.text('",\n\r\x00 ;a1\ufeff\u200bé=-', max_size=4),
    ),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutations, st.sampled_from([5, 60, 1 << 23]))
def test_all_readers_agree_on_mutated_files(data, monkeypatch, changes, block):
    """Also where a block ends inside a cell, and where a line break in a cell lies in some blocks only."""
    monkeypatch.setattr(blocks, "_BLOCK", block)
    file = data / "sensors.csv"
    sound = make_text()
    text = sound
    for place, removed, inserted in changes:
        text = text[:place] + inserted + text[place + removed :]
    try:
        file.write_bytes(text.encode())
        expected = outcome(data, "strict", monkeypatch)
        assert outcome(data, "scan", monkeypatch) == expected
    finally:
        file.write_bytes(sound.encode())


def make_text():
    return FILES["sensors.csv"]


def test_a_valid_file_takes_the_fast_path(data):
    assert scan_tally(str(data / "sensors.csv"), read_codebook(str(data)), AXES) == {
        ("dielectric", "moisture; salt"): 1,
        ("optical", "moisture"): 1,
        ("none", "heat"): 1,
    }


@pytest.mark.parametrize("block", [5, 1 << 23])
def test_keys_in_another_order_are_unique_or_not_all_the_same(data, monkeypatch, block):
    monkeypatch.setattr(blocks, "_BLOCK", block)
    header, first, *others = make_text().splitlines(keepends=True)
    file = data / "sensors.csv"
    book = read_codebook(str(data))
    try:
        file.write_text("".join([header, *others, first]))
        assert sum((scan_tally(str(file), book, AXES) or {}).values()) == 1 + len(others)
        file.write_text("".join([header, *others, first, others[0]]))
        assert scan_tally(str(file), book, AXES) is None
    finally:
        file.write_text(make_text())
