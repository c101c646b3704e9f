import pytest

from tests.support.drawn import drawn, rectangles, shipped, swatches, texts


def test_the_ladder_shows_every_unit_and_how_many_tags_were_judged():
    words = texts(drawn("credit_units"))
    _, data = shipped()["credit_units"]
    assert {rung.label for rung in data.rungs} <= set(words)
    assert any(word.startswith("22 of 48 tags have been judged") for word in words)


def test_the_legend_has_the_fill_of_each_part_of_a_rung():
    figure = drawn("credit_units")
    _, data = shipped()["credit_units"]
    fills = swatches(figure)
    strict, near, weaker = data.names
    assert list(fills) == [strict, near, f"{weaker} only", "not judged"]
    readings = ("strict", "near", "weaker", "unjudged")
    for reading, fill in zip(readings, fills.values(), strict=True):
        numbers = sorted(getattr(rung, reading) for rung in data.rungs if getattr(rung, reading))
        lengths = sorted(
            box.get_width()
            for box in rectangles(figure, fill)
            if abs(box.get_height() - 0.14) < 1e-9
        )
        assert len(lengths) == len(numbers)
        assert lengths == pytest.approx([lengths[-1] / numbers[-1] * number for number in numbers])
