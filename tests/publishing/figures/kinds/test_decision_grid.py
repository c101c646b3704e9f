from matplotlib.patches import Rectangle

from tests.support.drawn import data_of, drawn, texts


def test_the_grid_leaves_no_cell_out(shipped):
    found = shipped["decisions"]
    assert found.cells["O5", "dedicated_signal"] == ()
    assert len(found.cells["O5", "trained_action_space"]) == 4
    assert ("O5", "dedicated_signal", "", "") in found.frame().rows


def test_the_rows_behind_a_grid():
    found = data_of(kind="grid", table="uses", rows="use", columns="proof", labels={"dot": "D."})
    assert found.frame() == (
        ("row", "grade", "key", "name"),
        (
            ("farm", "field", "ada", "ada"), ("farm", "lab", "bob", "bob"),
            ("dam", "field", "", ""), ("dam", "lab", "dot", "D."),
        ),
    )  # fmt: skip
    assert [label.id for label in (*found.rows, *found.grades)] == ["farm", "dam", "field", "lab"]


def test_an_anchor_is_marked_where_its_row_has_the_declared_values():
    found = data_of(
        kind="grid", table="uses", rows="use", columns="proof", marked={"proof": ["lab"]}
    )
    names = {name for anchors in found.cells.values() for _, name in anchors}
    assert names == {"ada", "bob*", "dot*"}


def test_an_empty_cell_of_the_highest_grade_is_marked_and_no_other():
    figure = drawn("decisions")
    dashed = [patch for patch in figure.findobj(Rectangle) if patch.get_linestyle() == "--"]
    assert len(dashed) == 2  # O4 and O5
    assert texts(figure).count("none") == 2
