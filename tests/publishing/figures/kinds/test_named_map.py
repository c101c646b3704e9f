import pytest
from matplotlib.patches import Rectangle

from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import draw_figure
from tests.corpora.full import sensor
from tests.support.drawn import FIGURES, data_of, made_up, texts


def test_the_map_names_the_entries_in_their_cells(shipped):
    data = shipped["reward_by_credit_names"]
    message = [names for (_, column), names in data.names.items() if column == "message"]
    assert [key for names in message for key, _ in names] == ["c3", "debate-as-reward"]
    assert "NA" not in {term for cell in data.names for term in cell}


def test_the_rows_behind_a_map():
    frame = data_of(kind="map", rows="depth", columns="senses").frame()
    assert ("deep", "heat", "filled", "dot", "dot") in frame.rows
    assert ("deep", "gas", "empty", "", "") in frame.rows


def test_an_axis_cannot_be_crossed_with_itself():
    with pytest.raises(CorpusError) as caught:
        made_up(None, it={"kind": "map", "rows": "depth", "columns": "depth"})
    assert [found.column for found in caught.value.findings] == ["figures.it.columns"]


EMPTY = {"dated": [], "judged": [], "uses": [], "ranges": [], "second": [], "probes": []}
WIDE, NARROW = 7.16, 3.5


def figure(width, *sensors):
    rows = {"sensors": list(sensors), **EMPTY} if sensors else None
    return draw_figure(*made_up(rows, who=FIGURES["who"])["who"], width)


def test_every_cell_has_its_names_or_a_zero_and_impossible_ones_are_hatched():
    made = figure(WIDE)
    words = texts(made)
    assert sorted(word for word in words if word in {"ada", "bob", "cy", "dot", "eve"}) == [
        "ada", "ada", "bob", "cy", "dot",
    ]  # fmt: skip
    # 16 cells: four with entries, one impossible.
    assert words.count("0") == 11
    hatched = [box for box in made.findobj(Rectangle) if box.get_hatch()]
    assert len(hatched) == 2  # the cell and its swatch
    assert "1 entries to which an axis does not apply are not drawn." in " ".join(words)


def test_an_entry_where_none_can_be_is_named():
    words = texts(figure(WIDE, sensor("odd", depth="rock", senses="water")))
    assert words.count("odd") == 1


@pytest.mark.parametrize(("entries", "more"), [(14, None), (15, "and 1 more"), (40, "and 26 more")])
def test_so_many_names_are_in_one_cell_and_the_others_are_counted(entries, more):
    words = texts(figure(WIDE, *[sensor(f"s{number:02}") for number in range(entries)]))
    named = [word for word in words if word.startswith("s") and word[1:].isdigit()]
    assert named == [f"s{number:02}" for number in range(min(entries, 14))]
    assert [word for word in words if word.endswith(" more")] == ([more] if more else [])
