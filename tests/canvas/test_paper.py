from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.canvas.paper import Paper, Swatch, fitting, one_line, text_width, wrap
from corpus.canvas.style import PALETTE, style

WORDS = st.text(st.sampled_from("abc defgh-ijk/lmno, WÄ\u00a0"), max_size=60)


@given(WORDS, st.floats(0.3, 3))
def test_every_line_fits_and_nothing_is_lost(text, width):
    with style():
        lines = wrap(text, width)
        assert all(text_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("a\x1b[1m", "a\ufffd[1m"),
        ("a\u202eb", "a\ufffdb"),
        ("n\u00a0=\u00a01", "n\u00a0=\u00a01"),
        ("Zoë Привет Ελλάς", "Zoë Привет Ελλάς"),
        ("王 한", "[U+738B] [U+D55C]"),
    ],
)
def test_what_has_no_shape_is_shown_as_such(text, shown):
    assert one_line(text) == shown


def test_a_line_does_not_break_at_a_no_break_space():
    with style():
        found = wrap("reason (n\u00a0=\u00a01)", text_width("reason (n "))
        assert found == ["reason", "(n\u00a0=\u00a01)"]


def test_type_shrinks_to_fit_and_never_grows():
    assert text_width("12345", fitting("12345", 7, 0.1)) == pytest.approx(0.1, rel=1e-3)
    assert fitting("1", 7, 3) == 7


@pytest.mark.parametrize("width", [1.1, 1.4, 1.75, 2.05, 2.4, 2.8])
def test_no_entry_of_a_legend_runs_over_the_edge_or_into_the_next(width):
    labels = ["one", "another", "the third of them", "four", "a fifth", "six", "seven"]
    with style():
        paper = Paper(width)
        paper.legend([Swatch(label, PALETTE[0]) for label in labels])
        (axes,) = paper.figure().axes
        boxes = [box.get_xy()[0] for box in axes.patches]
        ends = {}
        for text in axes.texts:
            x, y = text.get_position()
            ends.setdefault(round(y, 6), []).append((x, x + text_width(text.get_text())))
    assert len(boxes) == len(labels)
    for row in ends.values():
        assert max(end for _, end in row) <= paper.right + 1e-6
        for (_, end), (start, _) in pairwise(sorted(row)):
            assert end < start
