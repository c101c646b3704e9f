from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text

from corpus.canvas.paper import Paper, Swatch, fitting, one_line, text_width, wrap
from corpus.canvas.style import ALERT, GREY, INK, LIGHT, PALETTE, TEXT, style
from tests.support.golden import golden

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


def _numbers(*values):
    return " ".join(f"{value:.3f}" for value in values)


def _described(artist):
    """One mark as a line: its place in inches, its colors, its type."""
    match artist:
        case Text():
            type_ = artist.get_fontproperties()
            return (
                f"text {_numbers(*artist.get_position())} {artist.get_text()!r} {type_.get_size():g} {type_.get_weight()} "
                f"{artist.get_color()} {artist.get_ha()} {artist.get_va()} {artist.get_rotation():g}"
            )
        case Rectangle():
            place = _numbers(*artist.get_xy(), artist.get_width(), artist.get_height())
            look = f"{artist.get_hatch()} {artist.get_linestyle()} {artist.get_linewidth():g}"
            return f"box {place} {to_hex(artist.get_facecolor(), True)} {to_hex(artist.get_edgecolor(), True)} {look}"
        case Polygon():
            corners = " / ".join(_numbers(*corner) for corner in artist.get_xy())
            return f"shape {corners} {to_hex(artist.get_facecolor(), True)}"
    points = " / ".join(_numbers(*point) for point in artist.get_xydata())
    return f"line {points} {artist.get_color()} {artist.get_linewidth():g} {artist.get_linestyle()}"


def _page():
    """A page with every kind of mark."""
    paper = Paper(3, "A title that is long enough to go over two lines of a narrow page")
    items = [
        Swatch("first", PALETTE[0]),
        Swatch(
            "second, with a label over two lines of the legend, at least", PALETTE[1], "//", GREY
        ),
        Swatch("third", "white", edge=LIGHT),
    ]
    paper.legend(items, name="Named")
    paper.legend(items[:1])
    paper.text(0.5, paper.y, "middle", TEXT, align="center", weight="bold", color=ALERT)
    paper.text(0.2, paper.y + 1, "upright", color=GREY, weight="bold", is_upright=True)
    paper.lines(1, paper.y + 0.5, ["one", "two", "three"], align="right")
    paper.y += 1
    paper.rect((0.1, paper.y, 1, 0.2))
    paper.rect((0.2, paper.y, 1, 0.2), PALETTE[2], edge=INK, dashed=True, line=1.5)
    paper.horizontal(0.1, 2, paper.y)
    paper.vertical(0.1, paper.y, paper.y + 1, INK, 2)
    paper.line([0, 1, 2], [1, 2, 1], PALETTE[3], 1)
    paper.arrow((1, 1), (2, 1))
    paper.arrow((1, 1), (1, 2), GREY)
    paper.polygon([(0, 0), (1, 0), (1, 1)], PALETTE[4])
    paper.note("")
    paper.note("A note below everything, over two lines of the page, since it is as long as that.")
    return paper.figure()


def test_every_mark_is_where_it_was_put_and_looks_as_it_should():
    with style():
        figure = _page()
    (axes,) = figure.axes
    marks = sorted((*axes.texts, *axes.patches, *axes.lines), key=lambda mark: mark.get_zorder())
    bounds = (*figure.get_size_inches(), *axes.get_xlim(), *axes.get_ylim())
    golden(
        "canvas/page.txt",
        "".join(f"{line}\n" for line in [_numbers(*bounds), *map(_described, marks)]),
    )
    # The order of drawing is that of the calls: nothing covers what came after it.
    assert [mark.get_zorder() for mark in marks] == list(range(1, len(marks) + 1))


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
