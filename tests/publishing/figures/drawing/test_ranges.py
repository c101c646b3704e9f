import math

import pytest
from matplotlib.patches import Polygon, Rectangle

from tests.support.drawn import drawn, shipped, texts


def test_marks_are_at_the_logarithm_of_their_values():
    figure = drawn("envelopes")
    _, data = shipped()["envelopes"]
    marks = [mark.get_xy() for mark in figure.findobj(Polygon) if not isinstance(mark, Rectangle)]
    legend = len(data.kinds)
    centres = [(min(points[:, 0]) + max(points[:, 0])) / 2 for points in marks[legend:]]
    assert len(centres) == len(data.marks)
    logs = [math.log10(mark.value) for mark in data.marks]
    low, high = logs.index(min(logs)), logs.index(max(logs))
    unit = (centres[high] - centres[low]) / (logs[high] - logs[low])
    for centre, log in zip(centres, logs, strict=True):
        assert centre == pytest.approx(centres[low] + unit * (log - logs[low]), abs=0.02)


def test_every_number_of_a_deployment_has_its_boundary_beside_it():
    words = " ".join(texts(drawn("envelopes")))
    _, data = shipped()["envelopes"]
    assert all(word in words for mark in data.marks for word in mark.boundary.split())
