"""Where a table is counted without taking quoted cells apart, and where the strict reader must look at it."""

import pytest

from corpus.tables.documents import read_codebook
from corpus.tables.fast import plain
from corpus.tables.fast.plain import plain_tally
from tests.conftest import REAL
from tests.corpora.minimal import FILES, write_minimal

AXES = ("probe", "measures")
SOUND = {("dielectric", "moisture; salt"): 1, ("optical", "moisture"): 1, ("none", "heat"): 1}
TEXT = FILES["sensors.csv"]


@pytest.fixture
def tally(tmp_path):
    """Count the axes of a changed file."""
    data = write_minimal(tmp_path / "soil")
    book = read_codebook(str(data))

    def count(text, names=AXES):
        (data / "sensors.csv").write_bytes(text.encode("utf-8", "surrogatepass"))
        return plain_tally(str(data / "sensors.csv"), book.pool, names)

    return count


@pytest.mark.parametrize("block", [1, 70, 1 << 16])
def test_a_valid_file_is_counted_whatever_is_in_its_quoted_cells(tally, monkeypatch, block):
    monkeypatch.setattr(plain, "_BLOCK", block)
    assert tally(TEXT) == SOUND
    assert tally(TEXT, ("probe",)) == {("dielectric",): 1, ("optical",): 1, ("none",): 1}
    assert tally(TEXT, ()) == {(): 3}
    assert tally(TEXT.replace("Wet, ", "Wet,\n\n,<<<<<<<, ")) == SOUND


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("optical,", '"optical",'),  # a tag
        ("fen,Light", '"fen",Light'),  # a key
        ("fen,Light", "clay,Light"),
        ("heat,\n", "heat\n"),
        ("heat,\n", "heat,,\n"),
        ("heat,\n", "heat,\n\n"),
        ("heat,\n", "heat,"),
        ("heat,\n", 'heat,"a'),
        ("heat,\n", 'heat,a"b"\n'),
        ("heat,\n", 'heat,"b"a\n'),
        ("heat,\n", "heat,\r\n"),
        ("heat,\n", "heat,\0\n"),
        ("heat,\n", "heat,\ud800\n"),  # no UTF-8
        ("till,Temp", "<<<<<<< till,Temp"),
        ("Wet, ", "Wet,\n<<<<<<< "),
        ("id,name", "id,title"),
        ("id,name", "\ufeffid,name"),
    ],
)
def test_whatever_is_not_plain_is_left_to_the_strict_reader(tally, old, new):
    assert TEXT.count(old) == 1
    assert tally(TEXT.replace(old, new)) is None


def test_no_file_and_no_rows_are_left_to_the_strict_reader(tally, tmp_path):
    assert tally(TEXT.partition("\n")[0] + "\n") is None
    assert tally("") is None
    book = read_codebook(str(REAL))
    assert plain_tally(str(tmp_path / "none.csv"), book.pool, ()) is None
