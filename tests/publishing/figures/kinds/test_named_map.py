import pytest

from corpus.model.finding import CorpusError
from tests.corpora.full import full
from tests.support.drawn import data_of, made_up


def test_the_map_names_the_entries_in_their_cells(shipped):
    data = shipped["reward_by_credit_names"]
    message = {row.id: data.cells[row.id, "message"].entries for row in data.rows}
    assert [key for entries in message.values() for key, _ in entries] == ["c3", "debate-as-reward"]
    assert "NA" not in {term.id for term in (*data.rows, *data.columns)}


def test_an_entry_with_several_terms_is_in_each_cell_and_others_are_counted():
    data = data_of(kind="map", rows="depth", columns="senses", labels={"ada": "Ada"})
    assert data.cells["surface", "water"].entries == (("ada", "Ada"), ("bob", "bob"))
    assert data.cells["surface", "heat"].entries == (("ada", "Ada"),)
    assert data.cells["rock", "water"].status == "impossible"
    assert data.elsewhere == 1  # eve has no depth


def test_the_rows_behind_a_map():
    frame = data_of(kind="map", rows="depth", columns="senses").frame()
    assert ("deep", "heat", "filled", "dot", "dot") in frame.rows
    assert ("deep", "gas", "empty", "", "") in frame.rows


def test_an_axis_cannot_be_crossed_with_itself():
    with pytest.raises(CorpusError) as caught:
        made_up(None, it={"kind": "map", "rows": "depth", "columns": "depth"})
    assert [found.column for found in caught.value.findings] == ["figures.it.columns"]


def test_a_corpus_without_entries_has_an_empty_map():
    study = full({"sensors": [], "dated": [], "judged": [], "uses": [], "ranges": []})
    assert not study.entries
    data = data_of(
        {"sensors": [], "dated": [], "judged": [], "uses": [], "ranges": []},
        kind="map",
        rows="depth",
        columns="senses",
    )
    assert not any(cell.entries for cell in data.cells.values())
