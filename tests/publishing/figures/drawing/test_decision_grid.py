from matplotlib.patches import Rectangle

from tests.support.drawn import drawn, texts


def test_an_empty_cell_of_the_highest_grade_is_marked_and_no_other():
    figure = drawn("decisions")
    dashed = [patch for patch in figure.findobj(Rectangle) if patch.get_linestyle() == "--"]
    assert len(dashed) == 2  # O4 and O5
    assert texts(figure).count("none") == 2
