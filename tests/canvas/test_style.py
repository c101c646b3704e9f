"""One style for all pictures: independent of the user's settings, and without a date."""

import matplotlib
import matplotlib.colors
import pytest

from corpus.canvas.paper import Paper
from corpus.canvas.style import PALETTE, encode, style


def page(format_, settings=None, metadata=None):
    with style(settings):
        paper = Paper(2, "A page")
        paper.rect((0.1, paper.y, 1, 0.5), PALETTE[0], edge="black", hatch="//")
        paper.y += 0.6
        return encode(paper.figure(), format_, metadata or {})


@pytest.mark.parametrize("format_", ["svg", "pdf", "png"])
def test_equal_pages_have_equal_bytes_whatever_the_user_has_set(format_):
    first = page(format_)
    users = {"font.size": 30, "svg.hashsalt": None, "hatch.linewidth": 5, "savefig.dpi": 20}
    with matplotlib.rc_context(users):
        assert page(format_) == first


def test_the_settings_of_the_user_are_restored_after_an_error():
    with matplotlib.rc_context({"font.size": 31}):
        with pytest.raises(ValueError, match="matplotlib"), style():
            matplotlib.colors.to_hex("matplotlib has no such colour")
        assert matplotlib.rcParams["font.size"] == 31


@pytest.mark.parametrize(
    ("format_", "key"), [("svg", "Title"), ("pdf", "Title"), ("png", "Description")]
)
def test_metadata_is_written_and_neither_date_nor_program_is_added(format_, key):
    written = page(format_, metadata={key: "Seven soils"})
    assert b"Seven soils" in written
    for unwanted in (b"CreationDate", b"<dc:date>", b"atplotlib v", b"matplotlib.org"):
        assert unwanted not in written


def test_the_palette_is_that_of_okabe_and_ito():
    # Color Universal Design, https://jfly.uni-koeln.de/color/: told apart without seeing red or green.
    assert {tuple(int(shade[at : at + 2], 16) for at in (1, 3, 5)) for shade in PALETTE} == {
        (0, 114, 178), (230, 159, 0), (0, 158, 115), (213, 94, 0),
        (204, 121, 167), (86, 180, 233), (240, 228, 66), (0, 0, 0),
    }  # fmt: skip


def test_a_png_has_300_dots_per_inch():
    written = page("png")
    width = int.from_bytes(written[16:20], "big")  # of the header, by the PNG specification
    assert width == 600
