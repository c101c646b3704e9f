"""A history as a figure: a band per series, with a step per state of the corpus."""

import math

import pytest
from matplotlib.lines import Line2D

from corpus.analysis.history.subject import Value
from corpus.analysis.history.timeline import History, HistoryPoint
from corpus.canvas.style import PALE, SHADES
from corpus.publishing.figures.history import draw_history, history_bytes
from corpus.tables.git.repository import GitRevision
from tests.support.drawn import rectangles, texts


def history(*states):
    """Return a history of states: the numbers of each by series, None where it was not counted."""
    points = []
    for place, numbers in enumerate(states):
        revision = GitRevision(f"{place}" * 40, f"v{place}", f"2021-0{place + 1}-01", "")
        problem = "" if numbers is not None else "it cannot be read"
        values = {name: Value(number, ()) for name, number in (numbers or {}).items()}
        points.append(HistoryPoint(revision, values, problem))
    return History("entries", tuple(points), ())


def heights(figure):
    """Return the heights of the steps as shares of the highest."""
    steps = [box for box in rectangles(figure, SHADES[-1]) if box.get_width() > 0.2]
    highest = max(box.get_height() for box in steps)
    return [round(box.get_height() / highest, 3) for box in steps]


def test_every_series_has_a_scale_of_its_own():
    figure = draw_history(history({"few": 1, "many": 500}, {"few": 2, "many": 1000}))
    assert heights(figure) == [0.5, 1.0, 0.5, 1.0]


@pytest.mark.parametrize("missing", [None, {}, {"all": math.nan}])
def test_a_state_without_a_value_is_no_zero(missing):
    figure = draw_history(history({"all": 4}, missing, {"all": 4}))
    assert len(rectangles(figure, PALE)) == 1
    lines = [line for line in figure.findobj(Line2D) if line.get_color() == SHADES[0]]
    assert sorted(len(line.get_xdata()) for line in lines) == [2, 2]  # the line is interrupted


def test_a_series_that_is_gone_has_no_number_at_its_end():
    figure = draw_history(history({"old": 7, "all": 1}, {"all": 2}))
    assert "7" not in texts(figure)
    assert "2" in texts(figure)


def test_the_note_tells_what_grey_means_only_where_there_is_some():
    note = " ".join(texts(draw_history(history({"all": 1}, None))))
    assert "2 states at equal distances." in note
    assert "Grey: a state without a value." in note
    assert "Grey" not in " ".join(texts(draw_history(history({"all": 1}))))


@pytest.mark.parametrize(
    ("format_", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_the_same_history_has_the_same_bytes(format_, begin):
    found = history({"all": 1}, {"all": 3})
    content = history_bytes(found, format_)
    assert content.startswith(begin)
    assert history_bytes(found, format_) == content
