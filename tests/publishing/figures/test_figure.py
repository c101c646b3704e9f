import itertools
from hashlib import sha256

import pytest
from matplotlib.text import Text

from corpus.canvas.style import style
from corpus.publishing.figures.figure import (
    FORMATS,
    draw_figure,
    figure_bytes,
    figure_digest,
    figure_plans,
    read_digest,
)
from corpus.publishing.figures.figure_plan import WIDTHS
from tests.corpora.full import codebook_data, full
from tests.support.drawn import FIGURES, made_up, shipped

SHIPPED = shipped()
NARROW, WIDE = sorted(set(WIDTHS.values()))
CASES = list(itertools.product(SHIPPED, [NARROW, WIDE]))

HOSTILE = [
    "$x^2$ \\frac{1}{2}",
    "日本語のラベル",
    "עברית",
    "a\x1b[31m\nb",
    "w" * 300,
    "<b>&amp;</b>",
]


def boxes(figure):
    """Return the boxes of all texts: left, bottom, right and top, in pixels."""
    with style():
        renderer = figure.canvas.get_renderer()
        texts = [artist for artist in figure.findobj(Text) if artist.get_text()]
        # A box of matplotlib computes each edge anew.
        return [
            (text.get_text(), text.get_window_extent(renderer).extents.tolist()) for text in texts
        ]


def assert_legible(figure):
    """Hold every text against the canvas and against every other text."""
    width, height = figure.canvas.get_width_height()
    found = boxes(figure)
    assert found
    for text, (left, bottom, right, top) in found:
        assert left >= -0.5, text
        assert bottom >= -0.5, text
        assert right <= width + 0.5, text
        assert top <= height + 0.5, text
    found.sort(key=lambda item: item[1][1])
    for place, (one, a) in enumerate(found):
        for other, b in found[place + 1 :]:
            if b[1] > a[3]:  # and so are all behind it
                break
            across = min(a[2], b[2]) - max(a[0], b[0])
            # Boxes include the space of ascenders and descenders, so that two good lines may share a pixel of it.
            assert across <= 0.5 or min(a[3], b[3]) - b[1] <= 1.5, (one, other, across)


@pytest.mark.parametrize(("name", "width"), CASES)
def test_no_text_of_a_shipped_figure_is_clipped_or_covered(name, width):
    figure = draw_figure(*SHIPPED[name], width)
    assert figure.get_size_inches()[0] == width
    assert_legible(figure)


@pytest.mark.parametrize("width", [2.5, NARROW, WIDE])
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_of_another_corpus_is_clipped_or_covered(name, width):
    assert_legible(draw_figure(*made_up()[name], width))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_drawn_as_plain_text_on_the_canvas(text):
    far = made_up(None, far={**FIGURES["far"], "x": text, "labels": {"ada": text}})["far"]
    figure = draw_figure(*far)
    assert_legible(figure)
    assert not any(drawn.get_parse_math() for drawn in figure.findobj(Text) if drawn.get_text())
    seen = made_up(None, seen={**FIGURES["seen"], "labels": {"ada": text}, "title": text})["seen"]
    assert figure_bytes(*seen, "svg").startswith(b"<?xml")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_digest_can_be_read_from_the_file(format_):
    plan, data = SHIPPED["categories"]
    content = figure_bytes(plan, data, format_)
    assert read_digest(content) == figure_digest(plan, data)
    assert sha256(data.frame().csv().encode()).hexdigest().encode() in content
    assert b"mas-rl-corpus" in content


def test_fonts_are_embedded():
    pdf = figure_bytes(*SHIPPED["categories"], "pdf")
    assert b"/FontFile2" in pdf
    svg = figure_bytes(*SHIPPED["categories"], "svg").decode()
    assert "<text" not in svg


MANY = {
    "terms": [{"id": f"term-{n}", "definition": "A term."} for n in range(30)],
    "not_applicable": "term-29",
}


@pytest.mark.parametrize(("width", "entries"), [(NARROW, 1), (NARROW, 1000), (WIDE, 1000)])
def test_long_vocabularies_and_large_numbers_stay_legible(width, entries):
    vocabularies = {**codebook_data()["vocabularies"], "depth": MANY}
    rows = {"sensors": [(f"s{n}", "S", f"term-{n % 7}", "water") for n in range(entries)],
            "dated": [(f"s{n}", f"20{n % 20:02d}-0{n % 9 + 1}") for n in range(entries)]}  # fmt: skip
    seen = {**FIGURES["seen"], "window": ["2000-01", "2009-12"], "labels": {}, "milestones": []}
    figures = {"seen": seen, "narrow": {**seen, "window": ["2000-01", "2001-06"]},
               "cells": {"kind": "heatmap", "rows": "senses", "columns": "depth"},
               "depths": {"kind": "bars", "axis": "depth"}}  # fmt: skip
    corpus = full({**rows, "judged": [], "uses": [], "ranges": []}, figures=figures, vocabularies=vocabularies,
                   impossible=[], sparsity={})  # fmt: skip
    for plan in figure_plans(corpus.codebook).values():
        assert_legible(draw_figure(plan, plan.data(corpus), width))
