import pytest

from corpus.model.finding import CorpusError
from tests.support.drawn import data_of, made_up


def test_the_map_names_the_entries_in_their_cells(shipped):
    data = shipped["reward_by_credit_names"]
    message = {row.id: data.cells[row.id, "message"].entries for row in data.rows}
    assert [key for entries in message.values() for key, _ in entries] == ["c3", "debate-as-reward"]
    assert "NA" not in {term.id for term in (*data.rows, *data.columns)}


def test_the_rows_behind_a_map():
    frame = data_of(kind="map", rows="depth", columns="senses").frame()
    assert ("deep", "heat", "filled", "dot", "dot") in frame.rows
    assert ("deep", "gas", "empty", "", "") in frame.rows


def test_an_axis_cannot_be_crossed_with_itself():
    with pytest.raises(CorpusError) as caught:
        made_up(None, it={"kind": "map", "rows": "depth", "columns": "depth"})
    assert [found.column for found in caught.value.findings] == ["figures.it.columns"]
